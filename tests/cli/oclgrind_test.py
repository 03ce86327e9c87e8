"""Kernels of OpenCL under oclgrind, which watches for races between the threads of a launch: there are none."""
import os
import shutil
import subprocess
import unittest

from command import CommandTest

LIBRARY = "/usr/lib/oclgrind/liboclgrind-rt-icd.so"
RUNS = [["heat", "--dim", 1, "--size", 20], ["heat", "--dim", 2, "--size", "9x7"], ["life", "--size", "9x7"],
        ["wave", "--dim", 1, "--size", 20], ["hydro", "--dim", 1, "--size", 12]]
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

    def test_would_find_one(self):
        self.write("race.cl", RACE)
        self.write("race.sim", "race.cl\nrace\n4 1 1\n4 1 1\n<size=16 fill=0 int>\n")
        told = subprocess.run(["oclgrind-kernel", "--data-races", "race.sim"], cwd=self.folder, capture_output=True, text=True)
        self.assertIn("data race", told.stdout + told.stderr)


if __name__ == "__main__":
    unittest.main()
