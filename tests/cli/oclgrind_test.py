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
    def watching(self):
        """The environment in which it writes what it finds into a file."""
        self.write("oclgrind.icd", LIBRARY + "\n")
        return {"OCL_ICD_VENDORS": self.folder, "OCLGRIND_DATA_RACES": "1", "OCLGRIND_LOG": self.path("races")}

    def watched(self, *arguments):
        """What it says of a run."""
        result = self.command(*arguments, env=self.watching())
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

    def test_would_find_one_where_a_sweep_lacks_a_barrier(self):
        self.write("sweep.txt", "proceed/stage = on\nproceed/march = on\nproceed/block_x = 32\nproceed/block_y = 4\n")
        self.succeed("emit", "heat", "--dim", 2, "--backend", "opencl", "--schedule", "sweep.txt", "--output", "out")
        before, step = self.read("out/heat.cpp").split("void heat_proceed_1(", 1)
        barrier = "barrier(CLK_LOCAL_MEM_FENCE);"
        self.assertIn(barrier, step)
        self.write("out/heat.cpp", before + "void heat_proceed_1(" + step.replace(barrier, "", 1))
        subprocess.run(["g++", "-std=c++17", "-O0", "heat.cpp", "paraiso_support.cpp", "main.cpp", "-ldl", "-o", "example"],
                       cwd=self.path("out"), check=True)
        subprocess.run(["./example", "3"], cwd=self.path("out"), env={**os.environ, **self.watching()}, capture_output=True)
        self.assertRegex(self.read("races"), r"data race at local memory address .*\n\s+Kernel: heat_proceed_1\n")

    def test_would_find_one(self):
        self.write("race.cl", RACE)
        self.write("race.sim", "race.cl\nrace\n4 1 1\n4 1 1\n<size=16 fill=0 int>\n")
        told = subprocess.run(["oclgrind-kernel", "--data-races", "race.sim"], cwd=self.folder, capture_output=True, text=True)
        self.assertIn("data race", told.stdout + told.stderr)


if __name__ == "__main__":
    unittest.main()
