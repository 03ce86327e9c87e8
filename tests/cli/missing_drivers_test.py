"""Libraries of drivers that can't be loaded, or lack functions, since they are too old: each back end says so in one sentence."""
import shutil
import subprocess
import unittest

from command import CommandTest

HEAT = ["run", "heat", "--dim", 1, "--size", 12, "--steps", 3]
EMULATED = "; the device `emulated` runs the same kernels on the processor"


class MissingDrivers(CommandTest):
    def told(self):
        """By runs on each back end; `doctor` has the same words for it."""
        env, errors = {"LD_LIBRARY_PATH": self.folder}, []
        for backend, why in self.succeed_json("doctor", env=env)["missing_devices"].items():
            result = self.command(*HEAT, "--backend", backend, env=env)
            self.assertEqual(result.returncode, 1)
            error, = [line for line in result.stderr.splitlines() if line.startswith(("error", "note", "hint"))]
            self.assertIn(why, error)
            errors.append(error)
        return errors

    def test_no_library(self):
        for name in "libOpenCL.so.1", "libcuda.so.1", *("libamdhip64.so" + end for end in ("", ".7", ".6", ".5")):
            self.write(name, "no library\n")
        self.assertEqual(self.told(), [
            "error: no OpenCL on this machine: there is no `libOpenCL.so.1`, which `ocl-icd-libopencl1` has",
            "error: no CUDA device on this machine: there is no `libcuda.so.1`, which the driver of a graphics card has" + EMULATED,
            "error: no HIP device on this machine: there is no `libamdhip64.so`, which ROCm has" + EMULATED])

    def test_a_library_that_lacks_functions(self):
        self.write("few.cpp", 'extern "C" int clGetPlatformIDs() { return 0; }\n')
        subprocess.run(["g++", "-shared", "-fPIC", "few.cpp", "-o", "libOpenCL.so.1"], cwd=self.folder, check=True)
        for name in "libcuda.so.1", "libamdhip64.so":
            shutil.copy(self.path("libOpenCL.so.1"), self.path(name))
        opencl, cuda, hip = self.told()
        self.assertEqual(opencl, "error: `libOpenCL.so.1` is older than OpenCL 1.2: it lacks `clGetPlatformInfo`")
        self.assertRegex(cuda, "^error: no CUDA device on this machine: its driver is too old: `libcuda.so.1` lacks `cu[A-Z]\\w+`"
                         + EMULATED + "$")
        self.assertRegex(hip, "^error: no HIP device on this machine: ROCm is too old: `libamdhip64.so` lacks `hip[A-Z]\\w+`"
                         + EMULATED + "$")


if __name__ == "__main__":
    unittest.main()
