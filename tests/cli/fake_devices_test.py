"""Cards and devices that are not there: stand-ins for the libraries of CUDA and OpenCL say what a driver might say, and the
command tells it in one sentence."""
import os
import re
import resource
import shutil
import subprocess
import tempfile
import unittest

from command import CommandTest
from nvcc_test import NVCC, write_roomy_chain

FAKES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fakes")
STAND_IN = os.path.join(FAKES, "bin")  # a stand-in for nvcc, which is found before a real one
HEAT = ["run", "heat", "--dim", 2, "--size", "70x9", "--steps", 3]


class FakeDevices(CommandTest):
    library, source, variable, backend = None, None, None, None

    @classmethod
    def setUpClass(cls):
        if not cls.library:
            raise unittest.SkipTest("what the others have in common")
        cls.lib = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.lib)
        subprocess.run(["g++", "-std=c++17", "-shared", "-fPIC", os.path.join(FAKES, cls.source), "-o",
                        os.path.join(cls.lib, cls.library)], check=True)

    def env(self, words="", **more):
        """Of the command where that is amiss; what the driver is told it writes in `log`."""
        return {"LD_LIBRARY_PATH": self.lib, "PATH": STAND_IN + ":" + os.environ["PATH"], self.variable: words,
                self.variable + "_LOG": self.path("log"), **more}

    def told(self, words, *arguments, status=1, env={}):
        """What the command complains of where that is amiss."""
        result = self.command(*(arguments or (*HEAT, "--backend", self.backend)), env=self.env(words, **env))
        self.assertEqual(result.returncode, status, result.stderr)
        return "\n".join(line for line in result.stderr.splitlines() if not line.startswith("step "))

    def doctor(self, words):
        report = self.succeed_json("doctor", env=self.env(words))
        return report["devices"][self.backend], report["missing_devices"].get(self.backend)

    def lost(self, **more):
        """What is told where the device is lost in mid-run; afterwards the run's checkpoint is as it was."""
        self.succeed(*HEAT, "--checkpoint", "state")
        before = self.bytes_of("state")
        told = self.told("lost", "run", "heat", "--dim", 2, "--size", "70x9", "--steps", 9, "--restart", "state", "--checkpoint",
                         "state", "--backend", self.backend, **more)
        self.assertEqual(self.bytes_of("state"), before)
        self.assertEqual([name for name in os.listdir(self.folder) if "state" in name], ["state"])
        states = [self.succeed_json("run", "heat", "--dim", 2, *start, "--steps", 9)["fields"]
                  for start in (["--restart", "state"], ["--size", "70x9"])]
        self.assertEqual(*states)
        return told

    def assert_looks_bring_little(self):
        """The field is fetched, and brought back, to be set to 0 at first; it is fetched for the final summary. No watch for
        NaN does either."""
        self.told("", *HEAT, "--backend", self.backend, status=0)
        lines = [line.split() for line in self.read("log").splitlines()]
        for way, whole in ("bring", 1), ("fetch", 2):
            copied = [int(count) for what, count, *_ in lines if what == way]
            large = [count for count in copied if count > 8]
            self.assertEqual(large, [7040] * whole)
            self.assertLess(len(copied), 20)

    def assert_bytes_are_those_that_are_allocated(self, *calls):
        """Arrays, partial results of the fixed tree and of blocks, scalars."""
        for call in calls:
            for sums in "array", "fused":
                self.write("sums.txt", f"proceed/sums = {sums}\n")
                report = self.succeed_json("bench", *call, "--schedule", "sums.txt", "--steps", 3, "--repeat", 1, "--backend",
                                           self.backend, env=self.env())
                allocated = [int(line.split()[1]) for line in self.read("log").splitlines() if line.startswith("allocate")]
                os.remove(self.path("log"))
                self.assertEqual(report["bytes"], sum(allocated), (call, sums, allocated))

    def assert_kept(self, told, source):
        """The message's schedule, which can be run, and its sources, with the kernel's."""
        kept = re.search(r"note: its schedule, [0-9a-f]{16}, is kept in `(.*/schedule\.txt)`, and the sources are kept in `(.*)`", told)
        self.assertIsNotNone(kept, told)
        self.addCleanup(shutil.rmtree, kept[2])
        with open(os.path.join(kept[2], source)) as file:
            self.assertIn("heat_proceed_1", file.read())
        self.succeed("show", "heat", "--dim", 2, "--plan", "--backend", self.backend, "--schedule", kept[1])


class FakeOpenCl(FakeDevices):
    library, source, variable, backend = "libOpenCL.so.1", "opencl.cpp", "FAKE_OPENCL", "opencl"

    def compile(self, solver, program, optimization="-O0"):
        """The emitted `solver` in out, with out/main.cpp."""
        subprocess.run(["g++", "-std=c++17", optimization, f"{solver}.cpp", "paraiso_support.cpp", "main.cpp", "-ldl", "-o", program],
                       cwd=self.path("out"), check=True)

    def test_doctor_describes_the_device(self):
        devices, missing = self.doctor("")
        self.assertEqual(devices, [{
            "name": "Abacus 12", "platform": "Counting Frame", "version": "OpenCL 1.2", "architecture": "", "gpu": True,
            "usable": True, "fp64": True, "memory_bytes": 80e9, "largest_bytes": 20e9, "problems": []}])
        self.assertIsNone(missing)
        self.assertEqual(self.doctor("no_fma")[0][0]["problems"], [
            "the bits of f64 are not promised: it has no `CL_FP_FMA`", "the bits of f32 are not promised: it has no `CL_FP_FMA`"])

    def test_no_driver_no_device(self):
        for words, why in (("no_driver", "no OpenCL driver on this machine: that of a GPU's maker, or `pocl-opencl-icd` for "
                                         "the processor, brings one"),
                           ("no_device", "OpenCL's drivers find no device on this machine")):
            self.assertEqual(self.told(words), "error: " + why)
            self.assertEqual(self.doctor(words), ([], why))
            self.assertEqual(self.told(words, *HEAT, "--backend", "opencl", "--device", 0), "error: " + why)

    def test_no_double_precision(self):
        self.assertEqual(self.told("no_fp64"), "error: device `Abacus 12` can't be used: it has no f64 (`cl_khr_fp64`), without "
                                               "which no solver runs")
        self.assertFalse(self.doctor("no_fp64")[0][0]["usable"])

    def test_a_device_that_is_too_old(self):
        why = "it is of OpenCL 1.1 Beads, and 1.2 is needed"
        self.assertEqual(self.told("old"), f"error: device `Abacus 12` can't be used: {why}")
        device, = self.doctor("old")[0]
        self.assertEqual((device["usable"], device["problems"]), (False, [why]))

    def test_a_card_without_double_precision_is_passed_over(self):
        """Unless it is asked for."""
        self.assertEqual([device["name"] for device in self.doctor("beside")[0]], ["Pebbles", "Abacus 12"])
        self.assertEqual(self.told("beside", status=0), "")
        self.assertIn("error: device `Pebbles` can't be used: it has no f64",
                      self.told("beside", *HEAT, "--backend", "opencl", "--device", 0))

    def test_too_little_memory_is_told_before_anything_is_compiled(self):
        self.assertEqual(self.told("", "run", "heat", "--dim", 2, "--size", "80000x40000", "--backend", "opencl", "--compiler", "g++"),
                         "error: a grid of 80000x40000 cells needs 23.8 GiB of memory, and 18.6 GiB are left (in one array of "
                         "device `Abacus 12`)\nhint: a grid of 70703x35351 would fit")

    def test_memory_that_other_processes_have(self):
        self.assertRegex(self.told("full"), r"^error: OpenCL has no [\d.]+ \w+ left on device `Abacus 12`, whose 80 GB all processes "
                                            r"share: error -4$")

    def test_bytes_are_those_that_are_allocated(self):
        self.assert_bytes_are_those_that_are_allocated(["heat", "--dim", 2, "--size", "70x9"], ["life", "--size", "64x64"])

    def test_a_block_that_is_refused(self):
        told = self.told("refused")
        self.assertRegex(told, r"^error: OpenCL can't run kernel `heat_decay_1` on device `Abacus 12` in blocks of 64 x 4 x 1: "
                               r"error -54\nnote: its schedule, ")
        self.assert_kept(told, "heat.cpp")

    def test_a_program_that_can_not_be_built(self):
        told = self.told("broken_build")
        self.assertRegex(told, r"^error: OpenCL can't build `heat` for device `Abacus 12`; its source is `([^`]*)`\n"
                               r"line 1: beads expected$")
        os.remove(re.search("source is `([^`]*)`", told)[1])

    def test_looks_bring_little(self):
        self.assert_looks_bring_little()

    def test_a_look_fetches_one_field(self):
        """Of two that a solver has, and each once."""
        self.succeed("emit", "wave", "--dim", 1, "--backend", "opencl", "--output", "out")
        self.write("out/main.cpp", """#include "wave.hpp"
int main(int count, char**) {
  const paraiso_solver::wave solver({33});
  const double* const cells = solver.f();
  if (count > 1) (void)solver.g();
  return cells != solver.f();
}
""")
        self.compile("wave", "looks")
        for more, fields in ([], 1), (["both"], 2):
            subprocess.run(["./looks", *more], cwd=self.path("out"), check=True,
                           env={**os.environ, **self.env()})
            fetched = [int(line.split()[1]) for line in self.read("log").splitlines() if line.startswith("fetch")]
            os.remove(self.path("log"))
            self.assertEqual(len(fetched), fields)
            self.assertGreaterEqual(min(fetched), 33 * 8)

    def test_solvers_share_what_is_built(self):
        """Until an error of the device: who comes then opens it anew. What is built rounds quotients of f32, and is optimized
        where the host's code is."""
        self.succeed("emit", "wave", "--dim", 1, "--backend", "opencl", "--output", "out")
        self.write("out/main.cpp", """#include <cstdio>
#include <stdexcept>
#include "wave.hpp"
int main() {
  for (int size : {33, 70, 33}) {
    try {
      paraiso_solver::wave solver({size});
      for (int step = 0; step < 9; ++step) solver.proceed();
      (void)solver.f();
    } catch (const std::runtime_error& error) {
      std::puts(error.what());
    }
  }
}
""")
        for words, opened, optimization, more in ("", 1, "-O1", ""), ("lost", 3, "-O0", " -cl-opt-disable"):
            self.compile("wave", "solvers", optimization)
            told = subprocess.run(["./solvers"], cwd=self.path("out"), check=True, capture_output=True, text=True,
                                  env={**os.environ, **self.env(words)}).stdout
            self.assertEqual(told.count("error -5"), 3 if words else 0, told)
            lines = self.read("log").splitlines()
            self.assertEqual(lines.count("open 1"), opened)
            self.assertEqual([line for line in lines if line.startswith("build ")],
                             [f"build -cl-std=CL1.2{more} -cl-fp32-correctly-rounded-divide-sqrt"])
            os.remove(self.path("log"))

    def test_a_device_that_is_lost(self):
        told = self.lost()
        self.assertRegex(told, r"^error: OpenCL (stopped on|can't copy from) device `Abacus 12`, after kernels `heat_fill_u`, "
                               r"`heat_proceed_1` \(with PARAISO_SYNC=1 it is told which of them failed\): error -5\nnote: ")
        self.assertTrue(told.endswith("\nhint: the checkpoint `state`, from which this run began, is of step 3"), told)
        self.assert_kept(told, "heat.cpp")

    def test_a_kernel_that_fails_is_named(self):
        told = self.lost(env={"PARAISO_SYNC": "1"})
        self.assertRegex(told, r"^error: OpenCL stopped on device `Abacus 12`, after kernel `heat_proceed_1`: error -5\n")
        self.assert_kept(told, "heat.cpp")


class FakeCuda(FakeDevices):
    library, source, variable, backend = "libcuda.so.1", "cuda.cpp", "FAKE_CUDA", "cuda"

    def test_doctor_describes_the_card(self):
        devices, missing = self.doctor("")
        self.assertEqual(devices[0], {
            "name": "Abacus 9000", "platform": "CUDA", "version": "driver for CUDA 13.0", "architecture": "sm_90", "gpu": True,
            "usable": True, "fp64": True, "memory_bytes": 80e9, "largest_bytes": 80e9, "problems": []})
        self.assertEqual([device["name"] for device in devices[1:]], ["emulated"])
        self.assertIsNone(missing)
        self.assertEqual(self.doctor("none")[1], "its driver finds none")

    def test_compiles_loads_and_launches(self):
        self.assertEqual(self.told("", status=0), "")
        log = self.read("log").splitlines()
        launches = [line.split()[1] for line in log if line.startswith("launch")]
        self.assertEqual(launches.count("heat_proceed_1"), 3)
        self.assertIn("launch heat_proceed_1 2x3x1 of 64x4x1", log)
        self.assertEqual(len([line for line in log if line.startswith("allocate")]), 4)

    def bench_life(self, words, **env):
        """What the driver was told of two hundred steps and one."""
        report = self.succeed_json("bench", "life", "--size", "64x64", "--steps", 200, "--repeat", 1, "--backend", "cuda",
                                   env=self.env(words, **env))
        log = self.read("log").splitlines()
        os.remove(self.path("log"))
        return report, log

    def test_steps_that_reduce_need_no_host(self):
        report, log = self.bench_life("", PARAISO_GRAPHS="0")
        self.assertEqual(report["graph_launches"], 0)
        steps = [number for number, line in enumerate(log) if line.startswith("launch life_proceed_1 ")]
        self.assertEqual(len(steps), 201)
        copied = [line for line in log[steps[0]:steps[-1]] if line.startswith(("fetch", "bring"))]
        self.assertLess(len(copied), 5, copied)

    def test_ghost_cells_take_one_launch_a_step(self):
        """Of all five fields of the gas, each by a row of blocks."""
        self.succeed("bench", "hydro", "--dim", 3, "--size", "12x8x6", "--steps", 20, "--repeat", 1, "--backend", "cuda",
                     env=self.env(PARAISO_GRAPHS="0"))
        launches = [line.split()[1:] for line in self.read("log").splitlines() if line.startswith("launch")]
        names = [name for name, *_ in launches]
        self.assertEqual(names.count("hydro_proceed_1"), 21)
        self.assertEqual([name for name in names if "_fill_" in name], ["hydro_fill_fields"] * 21)
        self.assertEqual({blocks.split("x")[1] for name, blocks, *_ in launches if name == "hydro_fill_fields"}, {"5"})

    def test_steps_become_graphs(self):
        report, log = self.bench_life("")
        self.assertTrue(report["predicted"]["graph"])
        launches = [line.split()[1] for line in log if line.startswith("launch")]
        graphs = [int(line.split()[2]) for line in log if line.startswith("graph")]
        alone = launches.count("life_proceed_1")
        self.assertEqual(report["graph_launches"], len(graphs))
        self.assertEqual(alone + 12 * len(graphs), 201)
        # The first call; twelve with which ghost cells are filled once, and twelve more; what is left at the end.
        self.assertLessEqual(alone, 1 + 2 * 12 + 11)
        self.assertEqual(len(set(graphs)), 1)

    def test_a_driver_that_captures_nothing(self):
        report, log = self.bench_life("no_capture")
        self.assertEqual(report["graph_launches"], 0)
        self.assertEqual(sum(line.startswith("launch life_proceed_1 ") for line in log), 201)

    def test_kernels_that_do_nothing_are_told(self):
        self.assertEqual(self.told("", "run", "life", "--size", "64x64", "--steps", 3, "--backend", "cuda"),
                         "error: the device takes no step: its kernels do not run")

    def test_too_little_memory_is_told_before_anything_is_compiled(self):
        self.assertEqual(self.told("", "run", "heat", "--dim", 2, "--size", "80000x80000", "--backend", "cuda", "--compiler", "g++"),
                         "error: a grid of 80000x80000 cells needs 95.9 GiB of memory, and 74.5 GiB are left (memory of device "
                         "`Abacus 9000`)\nhint: a grid of 70463x70463 would fit")

    def test_bytes_are_those_that_are_allocated(self):
        self.assert_bytes_are_those_that_are_allocated(
            ["heat", "--dim", 2, "--size", "70x9"], ["life", "--size", "64x64"], ["wave", "--dim", 2, "--size", "33x44"],
            ["hydro", "--dim", 1, "--size", 400])

    def test_memory_of_card_and_host_is_told_and_checked(self):
        call = ["heat", "--dim", 2, "--size", "600x500", "--steps", 1, "--backend", "cuda"]
        said = self.succeed("run", *call, env=self.env())
        self.assertRegex(said, r"takes 4\.\d MiB of 74\.5 GiB memory of device `Abacus 9000`, and 4\.\d MiB of [\d.]+ .iB on the host: ")
        call[4] = "20000x20000"  # the card has room for it

        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

        result = self.command("run", *call, "--compiler", "g++", env=self.env(), preexec_fn=little_memory)
        self.assertEqual(result.returncode, 1)
        found = re.search(r"error: a grid of 20000x20000 cells needs 6\.0 GiB of memory, and ([\d.]+) .iB are left \(on the host: address "
                          r"space limit, `ulimit -v`\)\nhint: a grid of (\d+)x(\d+) would fit\n", result.stderr)
        self.assertIsNotNone(found, result.stderr)

    def test_memory_that_other_processes_have(self):
        self.assertRegex(self.told("busy"), r"^error: device `Abacus 9000` is full: of its 80 GB 1 kB are free, and [\d.]+ \w+ are needed$")
        self.assertRegex(self.told("full"), r"^error: CUDA has no [\d.]+ \w+ left on device `Abacus 9000`, whose 80 GB all processes "
                                            r"share: error 2, CUDA_ERROR \(as the test wished\)$")

    def test_a_driver_that_does_not_start(self):
        why = "its driver does not start, error 803, CUDA_ERROR (as the test wished)"
        self.assertEqual(self.told("broken"), f"error: no CUDA device on this machine: {why}; the device `emulated` runs the same "
                                              "kernels on the processor")
        self.assertEqual(self.doctor("broken")[1], why)

    def test_a_driver_that_is_too_old(self):
        self.assertEqual(self.told("old"), "error: device `Abacus 9000` can't be used: its driver is for CUDA 11.4, and 12.0 is "
                                           "needed")
        self.assertRegex(self.told("too_new"), r"^error: CUDA can't load the kernels of `heat` on device `Abacus 9000`, whose "
                                               r"driver is older than the compiler of the kernels: error 222, ")

    def test_kernels_for_another_card(self):
        self.assertRegex(self.told("other_card"), r"^error: CUDA can't load the kernels of `heat` on device `Abacus 9000`, since "
                                                  r"they are compiled for another card: error 209, ")

    def test_a_block_that_is_refused(self):
        self.assertRegex(self.told("refused"), r"^error: CUDA can't run kernel `heat_decay_1` on device `Abacus 9000` in blocks "
                                               r"of 64 x 4 x 1: error 701, ")

    def test_looks_bring_little(self):
        self.assert_looks_bring_little()

    def test_shared_memory_that_the_card_does_not_give(self):
        """What it says that it has, the plan keeps to; what it then does not give is told."""
        write_roomy_chain(self)
        call = ["run", "chain.om", "--size", "40x20x9", "--steps", 2, "--schedule", "roomy.txt", "--backend", "cuda"]
        self.assertEqual(self.told("little_shared", *call, status=0), "")
        self.assertRegex(self.told("no_shared", *call),
                         r"^error: CUDA gives no [\d.]+ kB of shared memory to kernel `chain_proceed_1` on device `Abacus 9000`: error 1, ")

    def test_a_card_that_is_lost(self):
        told = self.lost()
        self.assertRegex(told, r"^error: CUDA (stopped on|can't copy from) device `Abacus 9000`, after kernels `heat_fill_u`, "
                               r"`heat_proceed_1` \(with PARAISO_SYNC=1 it is told which of them failed\): error 700, "
                               r"CUDA_ERROR_ILLEGAL_ADDRESS \(as the test wished\)\nnote: ")
        self.assertTrue(told.endswith("\nhint: the checkpoint `state`, from which this run began, is of step 3"), told)
        self.assert_kept(told, "heat.cu")

    def test_a_kernel_that_fails_is_named(self):
        told = self.lost(env={"PARAISO_SYNC": "1"})
        self.assertRegex(told, r"^error: CUDA stopped on device `Abacus 9000`, after kernel `heat_proceed_1`: error 700, ")
        self.assert_kept(told, "heat.cu")

    @unittest.skipUnless(NVCC, "SKIP: no nvcc here")
    def test_what_nvcc_compiles_is_loaded(self):
        """And not what the stand-in does."""
        path = os.path.dirname(NVCC) + ":/usr/bin:/bin"
        for words, status in ("", 0), ("too_new", 1):
            self.told(words, status=status, env={"PATH": path})
        compilers = self.succeed_json("doctor", env=self.env(PATH=path))["kernel_compilers"]
        compiler, = [one for one in compilers if one["name"] == "nvcc"]
        self.assertEqual(os.path.realpath(compiler["path"]), os.path.realpath(NVCC))

    @unittest.skipUnless(os.path.exists("/usr/local/cuda/bin/nvcc"), "SKIP: no nvcc in the usual folder")
    def test_nvcc_is_found_without_path(self):
        self.told("", status=0, env={"PATH": "/usr/bin:/bin", "CUDA_PATH": "/nowhere"})


class CudaCompiler(FakeDevices):
    """Of a card whose kernels can't be compiled, whether this machine has nvcc or not."""
    library, source, variable, backend = "libcuda.so.1", "cuda.cpp", "FAKE_CUDA", "cuda"

    def spoilt(self, version):
        folder = self.spoilt_compiler("nvcc", f"Cuda compilation tools, release {version}, V{version}.89")
        return self.told("", env={"PATH": folder + ":/usr/bin:/bin"})

    def test_no_nvcc(self):
        self.assertEqual(self.told("", env=self.hiding("nvcc", {"CUDA_PATH": "/nowhere"})),
                         "error: no compiler `nvcc` is on PATH, in $CUDA_PATH/bin or in /usr/local/cuda/bin\nhint: the CUDA "
                         "toolkit has it: NVIDIA's own, or `apt install nvidia-cuda-toolkit` where that is new enough; `--device "
                         "emulated` needs none")

    def test_nvcc_that_is_too_old(self):
        self.assertIn(f"error: `{self.path('bin/nvcc')}` is of CUDA 11.8, and 12.0 is needed\nhint: ", self.spoilt("11.8"))

    def test_kernels_that_do_not_compile(self):
        self.assert_refused_by_kernel_compiler(self.spoilt("13.9"), "nvcc", "heat.cu")


if __name__ == "__main__":
    unittest.main()
