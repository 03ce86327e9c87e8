"""Fused steps from the command line: what is printed, what stays the same, what is refused."""
import json
import os
import unittest

from command import CommandTest

HEAT = ("heat", "--dim", 2, "--size", "12x9", "--backend", "interpreter")


ADAPTIVE = """paraiso 1
machine adaptive dimension 1

static u local f64
  boundary 0 cyclic cyclic
static time global f64 time
static dt global f64 time_step = 1

kernel proceed step
  %0 = load u
  %1 = load time
  %2 = load dt
  %3 = add %1 %2
  store time %3
  %4 = broadcast %2
  %5 = add %0 %4
  %6 = reduce max %5
  store u %5
  store dt %6
end

end machine
"""


class Fuse(CommandTest):
    def run_heat(self, *arguments):
        return self.succeed_json("run", *HEAT, *arguments)

    def machine(self, name, memory, cache):
        """A file of the suite's machine with other bytes a second."""
        machine = json.loads(self.read(os.environ["PARAISO_MACHINE"]))
        machine["memory_fetch"] = machine["memory_all"] = memory
        for level in machine["caches"][memory < 1e10:]:  # of slow ones the first stays
            level["bytes_per_second"] = cache
            if memory < 1e10:
                level["bytes"] = 40e3 + level["bytes"] / 1e6
        return self.write(name, json.dumps(machine))

    def run_larger_heat(self, *arguments):
        return self.succeed_json("run", "heat", "--dim", 2, "--size", "64x64", "--backend",
                                 "interpreter", *arguments)

    def test_the_same_bits(self):
        single = self.run_heat("--steps", 10)
        fused = self.run_heat("--steps", 10, "--fuse", 4)
        self.assertEqual((single["fuse"], fused["fuse"]), (1, 4))
        self.assertEqual(fused["steps"], 10)
        for key in ("steps", "time", "fields", "scalars"):
            self.assertEqual(single[key], fused[key])

    def test_generated_code_has_the_same_bits(self):
        single = self.run_heat("--steps", 10)
        fused = self.succeed_json("run", *HEAT[:-1], "openmp", "--threads", 2, "--steps", 10,
                                  "--fuse", 4)
        self.assertEqual((fused["backend"], fused["fuse"]), ("openmp", 4))
        for key in ("steps", "time", "fields", "scalars"):
            self.assertEqual(single[key], fused[key])

    def test_as_many_steps_as_the_planner_likes(self):
        single = self.run_larger_heat("--steps", 10)
        slow = self.machine("slow.json", memory=2e9, cache=2e9)
        fused = self.run_larger_heat("--steps", 10, "--fuse", "auto", "--machine", slow)
        self.assertGreater(fused["fuse"], 1)
        for key in ("steps", "time", "fields", "scalars"):
            self.assertEqual(single[key], fused[key])
        self.write("adaptive.om", ADAPTIVE)
        alone = self.succeed_json(
            "run", "adaptive.om", "--size", 9, "--steps", 2, "--backend", "interpreter",
            "--fuse", "auto")
        self.assertEqual(alone["fuse"], 1)

    def test_auto_is_for_the_grid_at_hand(self):
        self.assertEqual(self.run_heat("--steps", 2, "--fuse", "auto")["fuse"], 1)
        on_ranks = self.run_larger_heat("--steps", 2, "--fuse", "auto", "--ranks", 16)
        a_part = self.succeed_json("run", "heat", "--dim", 2, "--size", "16x16", "--backend",
                                   "interpreter", "--steps", 2, "--fuse", "auto")
        self.assertEqual(on_ranks["fuse"], a_part["fuse"])

    def test_auto_is_for_the_machine_that_is_planned_for(self):
        quick = self.machine("quick.json", memory=1e12, cache=1e12)
        plan = ("show", "heat", "--dim", 3, "--plan", "--size", "512x512x512", "--fuse", "auto")
        self.assertIn("\nkernel `proceed_", self.succeed(*plan))
        self.assertNotIn("\nkernel `proceed_", self.succeed(*plan, "--machine", quick))

    def test_verify(self):
        result = self.succeed_json(
            "verify", "heat", "--dim", 1, "--fuse", 2, "--schedules", 3)
        self.assertEqual(result["schedules"], 3)

    def test_the_same_time_and_outputs(self):
        arguments = ("--until", 0.0123, "--every", 0.004, "--output")
        single = self.run_heat(*arguments, "single")
        fused = self.run_heat(*arguments, "fused", "--fuse", 3)
        self.assertEqual(fused["time"], 0.0123)
        for key in ("steps", "time", "fields", "scalars"):
            self.assertEqual(single[key], fused[key])
        self.assertEqual(sorted(os.listdir(self.path("single"))),
                         sorted(os.listdir(self.path("fused"))))
        self.assertEqual(self.read("single/scalars.csv"), self.read("fused/scalars.csv"))

    def test_a_checkpoint_goes_on_without(self):
        self.run_heat("--steps", 4, "--fuse", 4, "--checkpoint", "c")
        later = self.run_heat("--steps", 7, "--restart", "c")
        self.assertEqual(later["fields"], self.run_heat("--steps", 7)["fields"])

    def test_bench_counts_steps(self):
        result = self.succeed_json(
            "bench", *HEAT, "--fuse", 4, "--steps", 8, "--repeat", 3)
        self.assertEqual((result["fuse"], result["steps"]), (4, 8))
        median = sorted(result["seconds"])[1]
        self.assertAlmostEqual(result["cell_updates_per_second"] * median / (12 * 9 * 8), 1)
        found = self.succeed_json("bench", *HEAT, "--fuse", 4, "--repeat", 1)
        self.assertEqual(found["steps"] % 4, 0)

    def test_show(self):
        text = self.succeed("show", "heat", "--dim", 1, "--fuse", 3)
        self.assertIn("\nkernel proceed step\n", text)
        self.assertIn("\nkernel proceed_3\n", text)
        self.assertIn("\n  store u @2 %", text)
        fused = self.succeed("show", "heat", "--dim", 1, "--after", "fuse_steps")
        self.assertIn("\nkernel proceed_2\n", fused)
        self.assertIn(" = load u @1\n", fused)
        joined = self.succeed("show", "heat", "--dim", 1, "--after", "join_steps")
        self.assertIn("\nkernel proceed_2\n", joined)
        self.assertNotIn(" = load u @1\n", joined)
        self.assertEqual(joined, self.succeed("show", "heat", "--dim", 1, "--fuse", 2))
        self.assertIn("\nkernel proceed_4\n", self.succeed(
            "show", "heat", "--dim", 1, "--fuse", 4, "--after", "fuse_steps"))
        self.assertNotIn("proceed_2", self.succeed(
            "show", "heat", "--dim", 1, "--fuse", 2, "--after", "sweep"))

    def test_a_shown_machine_runs(self):
        self.write("two.om", self.succeed("show", "heat", "--dim", 1, "--fuse", 2))
        self.succeed("run", "two.om", "--size", 16, "--steps", 2, "--backend", "interpreter")

    def test_a_reduction_that_the_next_step_reads(self):
        self.write("adaptive.om", ADAPTIVE)
        self.assert_refused(
            "adaptive.om:17: error: steps of `proceed` can't be fused: `dt` follows from this "
            "reduction, and the next step reads it\n"
            "adaptive.om:12: note: `dt` is read here\n"
            "hint: `--hold-time-step` keeps `dt` as it is for 4 steps\n",
            "run", "adaptive.om", "--fuse", 4,
        )

    def test_a_time_step_held(self):
        result = self.succeed_json(
            "run", "hydro", "--dim", 1, "--problem", "sod", "--size", 20, "--steps", 7,
            "--backend", "interpreter", "--fuse", 3, "--hold-time-step")
        self.assertEqual(result["steps"], 7)

    def test_wrong_calls(self):
        self.assert_refused(
            "error: `--hold-time-step` needs `--fuse N` with N > 1: it holds the time step for N steps\n",
            "run", "heat", "--hold-time-step",
        )
        self.assert_refused(
            "error: `--hold-time-step` needs `--fuse N` with N > 1: it holds the time step for N steps\n",
            "run", "heat", "--hold-time-step", "--fuse", "auto",
        )
        self.assert_refused(
            "error: `--fuse` needs a whole number of at least 1 and at most 1024, got `0`\n",
            "run", "heat", "--fuse", 0,
        )


if __name__ == "__main__":
    unittest.main()
