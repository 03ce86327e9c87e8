"""`tune --ranks`: what is tuned for ranks, measured on them, and taken by them alone."""
import os
import re
import time
import unittest

from tuning import TuneTest

# One field is cyclic, the other is not.
MIXED = """paraiso 1
machine mixed dimension 1

static u local f64
  boundary 0 cyclic cyclic
static v local f64
  boundary 0 outflow outflow

kernel begin initial
  %0: local i64 = load_index 0
  %1: local f64 = cast %0 f64
  store u %1
  store v %1
end

kernel proceed step
  %0: local f64 = load u
  %1: local f64 = shift %0 (1)
  %2: local f64 = load v
  %3: local f64 = shift %2 (-1)
  %4: local f64 = sub %1 %3
  store u %4
  store v %3
end

end machine
"""


class TuneRanks(TuneTest):
    GRID = ("heat", "--dim", 2, "--size", "64x48", "--threads", 1, "--database", "t.sqlite")
    TUNE = ("tune", *GRID, "--repeat", 2, "--rounds", 6)

    def schedule_of(self, *division):
        """The line in which `run` tells it."""
        return self.succeed("run", *self.GRID, "--steps", 1, "--quiet", *division).splitlines()[1]

    def test_the_champion_is_that_of_ranks_which_divide_alike(self):
        tuned = self.succeed_json(*self.TUNE, "--ranks", 2, "--budget", 1)
        self.assertEqual((tuned["ranks"], tuned["threads"], tuned["individuals"]), (2, 1, 1))
        self.assertEqual(self.rows("select size, threads from problem"), [("64x48 on 2 ranks (1x2)", 1)])
        self.assertEqual(self.rows("select reason from individual"), [("",)])
        (start,), = self.rows("select genome from individual where method = 'start' order by id limit 1")
        self.assertEqual(self.alleles(1)[0]["proceed/exchange"], "blocking")
        self.crown(start[:-1] + "B")

        champion = "schedule: tuned, 3.00 times the default at 64x48 on 2 ranks (1x2), from `t.sqlite`"
        for division in ("--ranks", 2), ("--divide", "1x2"):
            self.assertEqual(self.schedule_of(*division), champion)
        for division in ("--ranks", 3), ("--divide", "2x1"):
            self.assertRegex(self.schedule_of(*division), r"^schedule: predicted, 3\.00 times the default expected, like heat "
                             r"64x48 on 2 ranks \(1x2\) by 0\.\d\d of 1, from `t.sqlite`$")
        self.assertEqual(self.schedule_of(), "schedule: default, nothing is tuned near this size",
                         "it predicts nothing for one rank")

        bench = ("bench", *self.GRID, "--steps", 1, "--repeat", 1, "--ranks", 2)
        taken = self.succeed_json(*bench)
        self.assertEqual((taken["schedule"], taken["genome"][-1]), ("tuned", "A"), "of the initial kernel")
        again = self.succeed_json(*bench, "--schedule", f"genome:{taken['gene_table_hash']}:{taken['genome']}")
        self.assertEqual(again["schedule_hash"], taken["schedule_hash"])
        self.assertNotEqual(self.succeed_json(*bench, "--schedule", "default")["schedule_hash"], taken["schedule_hash"])

        run = ("run", *self.GRID, "--steps", 5, "--quiet", "--ranks", 2)
        self.assertEqual(self.succeed_json(*run)["fields"], self.succeed_json(*run, "--schedule", "default")["fields"])

    def test_without_one_of_their_own_ranks_take_that_of_the_whole_grid(self):
        self.succeed(*self.TUNE, "--budget", 1)
        self.succeed(*self.TUNE, "--budget", 1, "--ranks", 1)
        self.assertEqual(self.rows("select size from problem"), [("64x48",)], "one rank is the whole grid")
        self.crown()
        self.assertEqual(self.schedule_of("--ranks", 2),
                         "schedule: tuned, 3.00 times the default at 64x48, from `t.sqlite`")

    def test_what_is_predicted_is_tried_on_ranks(self):
        """From a whole grid of the size of a part, which is all alike; and from ranks, with their messages."""
        whole = ("tune", "heat", "--dim", 2, "--size", "64x24", *self.TUNE[6:])
        self.succeed(*whole, "--budget", 1)
        (start,), = self.rows("select genome from individual where method = 'start' order by id limit 1")
        at = list(self.alleles(1)[0]).index("proceed/vectors")
        self.crown(start[:at] + ("B" if start[at] != "B" else "C") + start[at + 1:])
        tried = self.command(*self.TUNE, "--ranks", 2, "--predict", "--good-enough", 1000)
        self.assertRegex(tried.stderr, r"(?m)^predicted: 1 schedule to try, from heat 64x24 \(like it by 1\.00 of 1\); 3\.00 times")
        two = self.alleles(2)
        self.assertEqual(len(two), 2, "the default and what is predicted")
        self.assertEqual({genes["proceed/exchange"] for genes in two}, {"blocking"})
        self.assertNotEqual(two[0]["proceed/vectors"], two[1]["proceed/vectors"])

    LINE = ("heat", "--dim", 1, "--size", 4000, "--threads", 1)
    SHORT = ("--repeat", 2, "--rounds", 6, "--budget", 1)

    def test_auto_fuses_as_the_champion_does(self):
        self.succeed("tune", *self.LINE, "--database", "t.sqlite", "--ranks", 2, "--fuse", 3, *self.SHORT)
        self.crown()
        bench = ("bench", *self.LINE, "--database", "t.sqlite", "--steps", 6, "--repeat", 1)
        taken = self.succeed_json(*bench, "--ranks", 2, "--fuse", "auto")
        self.assertEqual((taken["fuse"], taken["schedule"]), (3, "tuned"))
        self.assertNotEqual(self.succeed_json(*bench, "--ranks", 3, "--fuse", "auto")["schedule"], "tuned")
        self.assertEqual(self.succeed_json(*bench, "--ranks", 2)["fuse"], 1)

    def test_steps_between_sides_are_tuned_one_by_one(self):
        """With one exchange for all of them; the champion is that of as many."""
        tuned = self.succeed_json(*self.TUNE, "--problem", "walls", "--ranks", 2, "--fuse", 3, "--budget", 1)
        self.assertEqual((tuned["fuse"], tuned["individuals"]), (3, 1))
        self.assertEqual({gene.split("/")[0] for gene in self.alleles(1)[0]}, {"proceed"})
        self.crown()
        for steps in 3, 2:
            told = self.schedule_of("--problem", "walls", "--ranks", 2, "--fuse", steps)
            self.assertEqual(told.startswith("schedule: tuned, "), steps == 3, told)

    def test_auto_tunes_as_many_steps_as_are_fastest(self):
        """A cyclic program, which exchanges once for them; more and more are timed until it gets slower."""
        tuned = self.command("tune", *self.LINE, "--database", "t.sqlite", "--ranks", 2, "--fuse", "auto", *self.SHORT)
        found = re.search(r"^steps for an exchange of messages: (\d), the fastest by default schedules "
                          r"\((1: .* cells/s, 2: .* cells/s.*)\)$", tuned.stderr, re.MULTILINE)
        self.assertIsNotNone(found, tuned.stderr)
        self.assertIn(f"{found[1]}: ", found[2])
        kernel = "proceed" if found[1] == "1" else f"proceed_{found[1]}"
        self.assertEqual({gene.split("/")[0] for gene in self.alleles(1)[0]}, {kernel})

    def test_candidates_are_timed_on_ranks(self):
        """Each rank is a thread; what else the process has, it has with one rank, too."""
        alone = self.most_threads(1, seconds=1)
        self.assertEqual(self.most_threads(3, seconds=20, enough=alone + 2), alone + 2)

    def most_threads(self, ranks, seconds, enough=1000):
        """Of a worker while it times, seen within so many seconds."""
        tuner = self.start(*self.TUNE[:-4], "--repeat", 1000, "--ranks", ranks, "--budget", 1)
        most, end = 0, None
        while most < enough and (end is None or time.time() < end):
            self.assertIsNone(tuner.poll())
            if worker := self.timing(tuner):
                end = end or time.time() + seconds
                most = max(most, self.threads_of(worker))
            time.sleep(0.02)
        tuner.kill()  # its workers end with it
        tuner.communicate(timeout=300)
        return most

    def timing(self, tuner):
        try:
            with open(f"/proc/{tuner.pid}/task/{tuner.pid}/children") as file:
                for worker in file.read().split():
                    with open(f"/proc/{worker}/cmdline") as call:
                        if "/time.task" in call.read():
                            return worker
        except (FileNotFoundError, ProcessLookupError):
            pass
        return None

    def threads_of(self, process):
        try:
            return len(os.listdir(f"/proc/{process}/task"))
        except (FileNotFoundError, ProcessLookupError):
            return 0

    def test_what_ranks_can_not_be_tuned_for(self):
        self.assert_refused("error: a grid of 64x48 cells can't be divided into 4000 parts\n",
                            *self.TUNE, "--budget", 1, "--ranks", 4000)
        self.assert_refused("error: `--recipes` is for whole grids: leave out `--ranks` and `--divide`\n",
                            *self.TUNE, "--recipes", 1, "--ranks", 2)
        self.write("mixed.om", MIXED)
        self.assert_refused(
            "error: `--fuse 2` is not for these ranks of `mixed`: axis 0 is cut, and cyclic for some fields only\n",
            "tune", "mixed.om", "--size", 100, "--threads", 1, "--database", "t.sqlite", "--budget", 1, "--ranks", 2, "--fuse", 2)
        self.assertFalse(os.path.exists(self.path("t.sqlite")))


if __name__ == "__main__":
    unittest.main()
