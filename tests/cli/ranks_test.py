"""`run --ranks` and `--divide`: what one rank computes, and calls that can't be."""
import json
import os
import re
import unittest

from command import CommandTest

HEAT = ("run", "heat", "--dim", 2, "--size", "12x10", "--steps", 6, "--quiet")


GRAPH = """graph two {
  one [label="compute : c : 10 Gflop/s, 1 threads"]; bus [label="move : b : 10 GB/s"]; small [label="allocate : m : ROOM"];
  two [label="compute : c : 10 Gflop/s, 1 threads"]; bus2 [label="move : b : 10 GB/s"]; large [label="allocate : m : 8 GB"];
  one -- bus -- small; two -- bus2 -- large; bus -- bus2;
}
"""


class Ranks(CommandTest):
    def test_json_is_that_of_one_rank(self):
        one = self.succeed_json(*HEAT, "--checkpoint", "one")
        self.assertEqual(one["ranks"], 1)
        self.write("parts", "divide 1 at 7\n  divide 0 at 1\n    leaf\n    leaf\n  leaf\n")
        for more, ranks in ((("--ranks", 3), 3), (("--divide", "2x2"), 4),
                            (("--divide", "parts", "--threads", 2), 3),
                            (("--ranks", 5, "--backend", "interpreter"), 5)):
            several = self.succeed_json(*HEAT, *more, "--checkpoint", "several")
            self.assertEqual(several["ranks"], ranks)
            for what in ("fields", "scalars", "errors", "steps", "time", "end"):
                self.assertEqual(several[what], one[what])
            if "--backend" not in more:
                self.assertEqual(self.bytes_of("several"), self.bytes_of("one"))

    def test_more_threads_than_processors_are_told(self):
        """They are of each rank, which is easily forgotten."""
        processors = len(os.sched_getaffinity(0))
        self.assertNotIn("note: each rank", self.command(*HEAT, "--ranks", 2, "--threads", 1).stderr)
        told = self.command(*HEAT, "--ranks", 2, "--threads", processors + 1).stderr
        self.assertRegex(told, rf"(?m)^note: each rank has {processors + 1} threads, but \d+ processors? here$")

    def test_fused_steps_have_one_exchange(self):
        """Three slabs of a cyclic grid: two rows for two steps, once in two steps."""
        one = self.succeed_json(*HEAT)
        several = self.succeed_json(*HEAT, "--fuse", 2, "--ranks", 3)
        self.assertEqual(several["fields"], one["fields"])
        self.assertIn("before `proceed_2`: 6 messages, 1152 bytes",
                      self.succeed("show", "heat", "--dim", 2, "--size", "12x10", "--fuse", 2, "--plan", "--ranks", 3))
        found = self.succeed_json("bench", "heat", "--dim", 2, "--size", "12x10", "--steps", 40, "--repeat", 2,
                                  "--threads", 1, "--fuse", 2, "--ranks", 3)
        self.assertEqual((found["messages_per_step"], found["bytes_sent_per_step"]), (3, 576))
        # Of parts of 3, 4 and 3 rows the first step is taken on two more, the second on none.
        self.assertAlmostEqual(found["shell_work"], 3 * 2 / (2 * 10), delta=0.05)
        self.assertIn("  parts compute ", self.succeed("show", "heat", "--dim", 2, "--size", "12x10", "--plan", "--ranks", 3))
        for busy, messages in zip(found["busy_seconds"], found["message_seconds"], strict=True):
            self.assertTrue(0 < messages < busy)

    def test_steps_with_sides_between_them_have_one_exchange(self):
        """acoustic reflects: ranks take single steps on larger parts."""
        run = ("acoustic", "--dim", 2, "--size", "24x20")
        one = self.succeed_json("run", *run, "--steps", 7, "--quiet", "--threads", 1)
        for division in ("--ranks", 3), ("--divide", "2x2"):
            several = self.succeed_json("run", *run, "--steps", 7, "--quiet", "--threads", 1, "--fuse", 3, *division)
            self.assertEqual(several["fields"], one["fields"])
        self.assertIn("  ranks take the steps of `proceed_3` one by one, with one exchange for 3: a part computes at most 312 "
                      "cells of others\n  before `proceed`: 6 messages, 9120 bytes",
                      self.succeed("show", *run, "--fuse", 3, "--plan", "--ranks", 3))
        bench = ("bench", *run, "--steps", 30, "--repeat", 1, "--threads", 1, "--ranks", 3)
        once, often = self.succeed_json(*bench, "--fuse", 3), self.succeed_json(*bench)
        self.assertLess(once["messages_per_step"], 0.6 * often["messages_per_step"])
        self.assertGreater(once["bytes"], often["bytes"])  # what larger parts take is said
        # Slabs of 7, 7 and 6 rows: two later steps of 4 take 8 more on each side, where the grid has so many.
        self.assertAlmostEqual(once["shell_work"], (8 + (7 + 6) + 8) / 20)
        self.assertEqual(often["shell_work"], 0)

    def test_balanced_is_that_of_one_rank(self):
        """Two parts of which one is ten times as large: the cut moves, and nothing else changes."""
        run = ("run", "heat", "--dim", 2, "--size", "400x440", "--steps", 400, "--quiet", "--schedule", "default")
        self.write("parts", "divide 1 at 40\n  leaf\n  leaf\n")
        one = self.succeed_json(*run)
        result = self.command(*run, "--divide", "parts", "--threads", 1, "--balance", "--json")
        self.assertEqual(json.loads(result.stdout)["fields"], one["fields"])
        self.assertRegex(result.stderr, r"(?m)^balanced after \d+ steps: the slowest rank took \d+ % longer than all on "
                                        r"average; moving took \S+ s$")

    def test_balance_keeps_to_the_storages_of_a_graph(self):
        """The first part would get as much as the second: half of 2.8 MB, if its storage has that."""
        run = ("run", "heat", "--dim", 2, "--size", "400x440", "--steps", 300, "--quiet", "--schedule", "default")
        self.write("parts", "divide 1 at 40\n  leaf\n  leaf\n")
        for storage, moves in (("300 kB", False), ("8 GB", True)):
            self.write("two.dot", GRAPH.replace("ROOM", storage))
            result = self.command(*run, "--divide", "parts", "--threads", 1, "--balance", "--machine", "two.dot", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual("balanced after " in result.stderr, moves, result.stderr)

    def test_balance_that_can_not_be(self):
        self.assert_refused("error: `--balance` needs `--ranks N`, `--divide`, or several processes of MPI\n", *HEAT, "--balance")
        self.assert_refused("error: `--balance` needs generated code, which `interpreter` is not\n",
                            *HEAT, "--ranks", 2, "--balance", "--backend", "interpreter")

    def test_bench_counts_what_is_sent(self):
        """Three slabs of a cyclic grid send each neighbour a row of 12 cells of each field; then wave's two sums: of
        rows 3 to 6, and 7 to 9 of ten, the nodes to the first, in one message. Nobody else asks for them."""
        bench = ("--dim", 2, "--size", "12x10", "--steps", 40, "--repeat", 2, "--threads", 1)
        for app, ranks, messages, sent in (("heat", 3, 6, 6 * 12 * 8), ("heat", 1, 0, 0),
                                           ("wave", 3, 6 + 2, 6 * 2 * 12 * 8 + 2 * (3 + 2) * 8)):
            found = self.succeed_json("bench", app, *bench, "--ranks", ranks)
            self.assertEqual((found["ranks"], found["threads"], found["steps"], len(found["seconds"])), (ranks, 1, 40, 2))
            self.assertEqual((found["messages_per_step"], found["bytes_sent_per_step"]), (messages, sent))
            self.assertIsNone(found["predicted"])
        text = self.succeed("bench", "heat", *bench, "--ranks", 3)
        self.assertRegex(text, r"(?m)^openmp by \S+, 3 ranks of 1 thread: .*\nsent: 6 messages of together 576 bytes in a step$")
        whole = self.succeed_json("bench", "heat", *bench)
        self.assertEqual((whole["ranks"], whole["messages_per_step"]), (1, 0))
        self.assertIsNotNone(whole["predicted"])

    def test_bench_counts_what_show_tells(self):
        """hydro's time step is one number from every rank to the first, which tells it before the next step. Before the
        first of three steps it tells what the initial kernel has found. Of its two sums, a part of wave sends nodes of
        the tree: one of each where it has whole rows, and otherwise as many as chunks 130 to 259 and 260 to 390 are."""
        for app, size, parts, messages, sent in (("acoustic", "24x20", "2x2", 1, 2 * 8), ("heat", "12x12x12", "2x1x2", 0, 0),
                                                 ("hydro", "24", "4", 3 + 3, 3 * 8 + (3 + 1 + 1) * 8),
                                                 ("wave", "512x4096", "1x4", 3, 3 * 2 * 8),
                                                 ("wave", "100000", "auto", 2, (7 + 6) * 2 * 8)):
            call = (app, "--dim", size.count("x") + 1, "--size", size, "--divide", parts)
            if parts == "auto":
                call += ("--ranks", 3)
            told = re.search(r"before `proceed`: (\d+) messages, (\d+) bytes", self.succeed("show", *call, "--plan"))
            found = self.succeed_json("bench", *call, "--steps", 3, "--repeat", 1, "--threads", 1)
            self.assertEqual((found["messages_per_step"], found["bytes_sent_per_step"]),
                             (int(told[1]) + messages, int(told[2]) + sent), app)
            if size == "512x4096":
                self.assertLess(sent, 0.01 * int(told[2]))

    def test_long_rows_are_written_in_pieces(self):
        """Of 4 MiB: two of each field."""
        call = ("run", "wave", "--dim", 1, "--size", 600000, "--steps", 1, "--quiet", "--threads", 1, "--json")
        one, three = (self.succeed_json(*call, "--checkpoint", f"check{ranks}", "--ranks", ranks) for ranks in (1, 3))
        self.assertEqual(three["fields"], one["fields"])
        self.assertEqual(three["scalars"], one["scalars"])
        with open(self.path("check1"), "rb") as one, open(self.path("check3"), "rb") as three:
            self.assertTrue(one.read() == three.read())

    def overlapped(self, app, *options):
        """The name of a file: the default schedule, but overlapped."""
        kernel = "proceed_2" if "--fuse" in options else "proceed"
        self.write("overlapped", self.succeed("show", app, *options, "--genes") + f"\n{kernel}/exchange = overlapped\n")
        return "overlapped"

    def test_overlapped_exchange_has_the_same_bits(self):
        schedule = self.overlapped("heat", "--dim", 2)
        self.assertIn("\n  while messages travel, group 1 computes the cells that need none\n",
                      self.succeed("show", "heat", "--dim", 2, "--plan", "--schedule", schedule))
        one = self.succeed_json(*HEAT)
        for division in ("--ranks", 1), ("--ranks", 3), ("--divide", "2x2"):
            self.assertEqual(self.succeed_json(*HEAT, "--schedule", schedule, *division)["fields"], one["fields"])

    def test_plan_says_what_can_not_overlap(self):
        call = ("hydro", "--dim", 1, "--fuse", 2, "--hold-time-step")
        told = self.succeed("show", *call, "--plan", "--schedule", self.overlapped(*call))
        self.assertIn("\n  messages are awaited before it runs: sides lie between its steps\n", told)

    def test_more_ranks_than_cells(self):
        self.assert_refused("error: a grid of 12x10 cells can't be divided into 121 parts\n",
                            *HEAT, "--ranks", 121)
        self.assert_refused("error: axis 1 of 10 cells can't be cut into 11 parts\n",
                            *HEAT, "--divide", "1x11")
        self.assert_refused("error: a process has at most 1024 ranks, not 1025\n",
                            "run", "heat", "--dim", 1, "--size", 2000, "--ranks", 1025)

    def test_contradictions(self):
        self.assert_refused("error: `--ranks 3`, but `--divide 2x2` makes 4 parts\n",
                            *HEAT, "--divide", "2x2", "--ranks", 3)
        for call in [*HEAT, "--ranks", 2], [*HEAT, "--divide", "1x2"], ["show", "heat", "--plan", "--ranks", 2]:
            self.assert_refused(
                "error: a divided grid needs `--backend` openmp or interpreter: `opencl` has the whole grid\n",
                *call, "--backend", "opencl")


if __name__ == "__main__":
    unittest.main()
