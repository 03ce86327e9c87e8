"""`--backend opencl`: the command on a device; and where there is none, what it says."""
import os
import sqlite3
import subprocess
import unittest

from command import CommandTest, devices

HEAT = ["heat", "--dim", 1, "--size", 12, "--steps", 3]


class Device(CommandTest):
    def setUp(self):
        super().setUp()
        if not devices("opencl"):
            self.skipTest("SKIP: no OpenCL device with f64")

    def test_runs_with_the_bits_of_openmp(self):
        states = [self.succeed_json("run", *HEAT, "--backend", backend)["fields"]
                  for backend in ("openmp", "opencl")]
        self.assertEqual(*states)

    def test_restarts_across_back_ends(self):
        self.assert_restarts_with_the_same_bits(HEAT[:-1], ["--backend", "opencl"])

    def test_ends_and_writes_at_the_same_steps_without_the_host(self):
        self.assert_ends_and_writes_at_the_same_steps(["--backend", "opencl"])

    def test_tells_of_nan_and_of_time_that_stands_still_at_the_same_step(self):
        self.assert_tells_of_nan_and_of_time_at_the_same_step(["--backend", "opencl"])

    def test_verifies_and_benches(self):
        report = self.succeed_json("verify", *HEAT[:3], "--backend", "opencl", "--schedules", 1, "--compiler", "g++", "--size", 5)
        self.assertTrue(report["passed"])
        self.assertEqual(report["backend"], "opencl")
        self.succeed("bench", *HEAT[:5], "--backend", "opencl")

    def test_writes_nothing_beyond_its_arrays(self):
        if os.environ.get("PARAISO_SANITIZE"):
            self.skipTest("SKIP: sanitizers have an allocator of their own")
        programs = os.path.join(os.path.dirname(__file__), "../differential/programs")
        checked = {"LD_PRELOAD": "libc_malloc_debug.so.0", "GLIBC_TUNABLES": "glibc.malloc.check=3"}
        self.succeed("verify", f"{programs}/waits_1d.om", "--schedule", f"{programs}/waits_1d.schedule", "--schedules", 1,
                     "--backend", "opencl", env=checked)

    def test_says_which_device_it_is(self):
        device = self.succeed_json("run", *HEAT, "--backend", "opencl")["device"]
        self.assertIn(device, [found["name"] for found in devices("opencl")])
        self.assertIn(f"; opencl on `{device}`\n", self.succeed("run", *HEAT, "--backend", "opencl"))
        self.assertEqual(self.succeed_json("run", *HEAT)["device"], "")

    def test_tunes(self):
        self.succeed("tune", *HEAT[:3], "--size", 64, "--backend", "opencl", "--budget", 1, "--repeat", 2, "--rounds", 6,
                     "--database", "tuned.sqlite", "--compiler", "g++")
        self.assert_reports_and_replays("tuned.sqlite", "a thread a cell, in blocks of 256x1\n")  # whatever the device
        (kind,), = sqlite3.connect(self.path("tuned.sqlite")).execute("select host_fingerprint from problem").fetchall()
        device = self.succeed_json("run", *HEAT, "--backend", "opencl")["device"]
        self.assertTrue(kind.endswith(f"; {device}"), kind)

    def test_emits_what_needs_no_paraiso(self):
        self.succeed("emit", *HEAT[:3], "--backend", "opencl", "--output", "out")
        self.assertIn("ocl-icd-libopencl1", self.read("out/README.md"))
        subprocess.run(["g++", "-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "heat.cpp",
                        "paraiso_support.cpp", "main.cpp", "-ldl", "-o", "example"], cwd=self.path("out"), check=True)
        shown = subprocess.run(["./example", "3"], cwd=self.path("out"), check=True, capture_output=True, text=True)
        self.assertRegex(shown.stdout, r"^u\[0\] = 0\.[0-9]+\n")

    def test_no_device_of_that_name(self):
        result = self.command("run", *HEAT, "--backend", "opencl", env={"PARAISO_DEVICE": "abacus"})
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"error: no device `abacus`: this machine has 0 `")

    def test_no_driver(self):
        result = self.command("run", *HEAT, "--backend", "opencl", env={"OCL_ICD_VENDORS": self.folder})
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: no OpenCL driver on this machine: that of a GPU's maker, or `pocl-opencl-icd` for the "
                      "processor, brings one\n", result.stderr)


if __name__ == "__main__":
    unittest.main()
