"""Kernels of OpenCL under oclgrind, which watches for races between the threads of a launch: there are none."""
import os
import re
import shutil
import subprocess
import unittest

from command import CommandTest

LIBRARY = "/usr/lib/oclgrind/liboclgrind-rt-icd.so"
RUNS = [["heat", "--dim", 1, "--size", 20], ["heat", "--dim", 2, "--size", "9x7"], ["life", "--size", "9x7"],
        ["wave", "--dim", 1, "--size", 20], ["hydro", "--dim", 1, "--size", 12]]
# Default schedules of such small grids share memory in reductions only. These sweep: what is fetched first, and what is kept,
# lies in shared memory, and blocks reduce what they make.
SWEEPS = [(["heat", "--dim", 2, "--size", "9x7"], "stage = on"), (["life", "--size", "9x7"], "stage = on"),
          (["hydro", "--dim", 2, "--size", "7x5"], "half.storage = rolling")]
RACE = """__kernel void race(__global int* to) {
  __local int kept[4];
  kept[get_local_id(0)] = get_local_id(0);
  to[get_local_id(0)] = kept[3 - get_local_id(0)];
}
"""


@unittest.skipUnless(os.path.exists(LIBRARY) and shutil.which("oclgrind-kernel"), "SKIP: no oclgrind here (Debian's package)")
class Oclgrind(CommandTest):
    def watched(self, *arguments):
        """What it says of a run."""
        self.write("oclgrind.icd", LIBRARY + "\n")
        result = self.command(*arguments, env={"OCL_ICD_VENDORS": self.folder, "OCLGRIND_DATA_RACES": "1",
                                               "OCLGRIND_LOG": self.path("races")})
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.read("races")

    def test_finds_no_race(self):
        for program in RUNS:
            with self.subTest(program=program):
                self.assertEqual(self.watched("run", *program, "--steps", 2, "--backend", "opencl"), "")

    def test_finds_no_race_in_sweeps(self):
        for program, gene in SWEEPS:
            with self.subTest(program=program):
                genes = [gene, "sums = fused", "march = on", "block_x = 32", "block_y = 4"]
                self.write("sweep.txt", "".join(f"proceed/{gene}\n" for gene in genes))
                call = [*program, "--backend", "opencl", "--schedule", "sweep.txt"]
                text = self.succeed("show", *call, "--source", "opencl")
                step = re.search(r"^__kernel [^\n]* \w+_proceed_1\(.*?^}", text, re.S | re.M)[0]
                self.assertRegex(step, r"__local \w+ (?s:.*)barrier\(")
                self.assertEqual(self.watched("run", *call, "--steps", 2), "")

    def test_would_find_one(self):
        self.write("race.cl", RACE)
        self.write("race.sim", "race.cl\nrace\n4 1 1\n4 1 1\n<size=16 fill=0 int>\n")
        told = subprocess.run(["oclgrind-kernel", "--data-races", "race.sim"], cwd=self.folder, capture_output=True, text=True)
        self.assertIn("data race", told.stdout + told.stderr)


if __name__ == "__main__":
    unittest.main()
