"""`--backend cuda --device emulated`: the command with CUDA's kernels on the processor; what `emit` writes for it, under
sanitizers too; and what is said where there is no card and no nvcc."""
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from command import CommandTest
from nvcc_test import ROUNDING

HEAT = ["heat", "--dim", 1, "--size", 12, "--steps", 3]
CUDA = ["--backend", "cuda", "--device", "emulated"]
HAS_CARD = os.path.exists("/dev/nvidia0")
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
# What the address sanitizer says of every program with fibers.
FIBERS = re.compile(r"==\d+==WARNING: ASan doesn't fully support makecontext/swapcontext functions and may produce false "
                    r"positives in some cases!\n|==\d+==WARNING: ASan is ignoring requested __asan_handle_no_return: .*\n"
                    r"False positive error reports may follow\nFor details see .*\n")


class Cuda(CommandTest):
    def test_runs_with_the_bits_of_openmp(self):
        states = [self.succeed_json("run", *HEAT, *backend)["fields"] for backend in ([], CUDA)]
        self.assertEqual(*states)

    def test_restarts_across_back_ends(self):
        self.assert_restarts_with_the_same_bits(HEAT[:-1], CUDA)

    def test_ends_and_writes_at_the_same_steps_without_the_host(self):
        self.assert_ends_and_writes_at_the_same_steps(CUDA)

    def test_tells_of_nan_and_of_time_that_stands_still_at_the_same_step(self):
        self.assert_tells_of_nan_and_of_time_at_the_same_step(CUDA)

    def test_verifies_and_benches(self):
        report = self.succeed_json("verify", *HEAT[:3], *CUDA, "--schedules", 1, "--compiler", "g++", "--size", 5)
        self.assertTrue(report["passed"])
        self.assertEqual(report["backend"], "cuda")
        measured = self.succeed_json("bench", *HEAT[:5], *CUDA, "--steps", 3, "--repeat", 2)
        block, = measured["predicted"]["blocks"]
        self.assertEqual(sorted(block), ["occupancy", "registers", "shared_bytes", "spilled"])
        self.assertTrue(block["registers"] > 8 and block["spilled"] == 0 and block["occupancy"] == 1, block)

    def test_tells_what_blocks_take(self):
        self.write("few.txt", "proceed/block_x = 32\nproceed/block_y = 16\nproceed/resident = 4\n")
        plan = self.succeed("show", "hydro", "--dim", 2, "--backend", "cuda", "--plan", "--schedule", "few.txt")
        self.assertRegex(plan, r"about 32 registers a thread, [1-9]\d* more spilled: 100 % of the threads at a time\n")

    def test_tunes(self):
        self.succeed("tune", *HEAT[:3], "--size", 64, *CUDA, "--budget", 2, "--repeat", 2, "--rounds", 6, "--database",
                     "tuned.sqlite", "--compiler", "g++")
        self.assert_reports_and_replays("tuned.sqlite")

    def test_shows_kernels_and_genes(self):
        self.assertIn("extern \"C\" __global__ __launch_bounds__(256) void heat_proceed_1(", self.succeed("show", *HEAT[:3], "--source", "cuda"))
        self.assertIn("proceed/", self.succeed("show", *HEAT[:3], "--backend", "cuda", "--genes"))

    def test_takes_a_device_by_its_number(self):
        devices = self.succeed_json("doctor")["devices"]["cuda"]
        self.assertEqual(devices[-1]["name"], "emulated")
        self.succeed("run", *HEAT, "--backend", "cuda", "--device", len(devices) - 1)

    def test_names_the_nearest_device(self):
        result = self.command("run", *HEAT, "--backend", "cuda", "--device", "emulation")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"error: no device `emulation`: did you mean `emulated`\?\n"
                                        r"hint: there is (.*, )?emulated\n")

    def test_a_device_needs_a_back_end_that_has_some(self):
        result = self.command("run", *HEAT, "--device", "emulated")
        self.assertEqual(result.returncode, 2)
        self.assertIn("error: `--device` needs `--backend` opencl, cuda or hip: `openmp` runs on this processor\n", result.stderr)

    @unittest.skipIf(HAS_CARD, "SKIP: there is a card here")
    def test_no_card(self):
        result = self.command("run", *HEAT, "--backend", "cuda")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"error: no CUDA device on this machine: .*; the device `emulated` runs the same "
                                        r"kernels on the processor\n")

    def test_blocks_sum_what_they_make_where_that_is_much_faster(self):
        """The cells alive are counted in each step of life, and a time step is found in each of hydro's, which does far more."""
        for app, size, sums in ("life", "8192x8192", "fused"), ("hydro", "4096x4096", "array"):
            genes = self.succeed("show", app, "--size", size, "--backend", "cuda", "--genes")
            self.assertRegex(genes, f"proceed/sums = {sums}\n")

    def test_the_order_of_threads_is_chosen(self):
        for order in "ascending", "descending", "random:7":
            result = self.command("run", *HEAT, *CUDA, env={"PARAISO_EMULATION": order})
            self.assertEqual(result.returncode, 0, result.stderr)
        result = self.command("run", *HEAT, *CUDA, env={"PARAISO_EMULATION": "sideways"})
        self.assertEqual(result.returncode, 1)
        self.assertIn("$PARAISO_EMULATION is `turns`, `ascending`, `descending` or `random`", result.stderr)


class Emitted(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.supports = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.supports, ignore_errors=True)

    def support(self, common):
        """The object of the support, which all programs have in common."""
        made = os.path.join(self.supports, hashlib.sha256(repr(common).encode()).hexdigest() + ".o")
        if not os.path.exists(made):
            subprocess.run([*common, "-Wall", "-Wextra", "-Werror", "-c", "paraiso_support.cpp", "-o", made],
                           cwd=self.path("out"), check=True)
        return made

    def build(self, *flags):
        """By a C++ compiler alone, for the device `emulated`."""
        folder = self.path("out")
        name, = [file[:-3] for file in os.listdir(folder) if file.endswith(".cu")]
        common = ["g++", "-std=c++17", "-O1", "-ffp-contract=off", "-DPARAISO_EMULATED", *flags]
        subprocess.run([*common, "-Wall", "-Wextra", "-Werror", "-x", "c++", name + ".cu", "-x", "none", name + ".cpp",
                        "main.cpp", self.support(common), "-ldl", "-o", "example"], cwd=folder, check=True)
        return subprocess.run(["./example", "3"], cwd=folder, capture_output=True, text=True,
                              env={**os.environ, "PARAISO_DEVICE": "emulated"})

    def test_needs_no_paraiso_and_no_cuda(self):
        self.succeed("emit", *HEAT[:3], "--backend", "cuda", "--output", "out")
        self.assertIn("`nvcc`", self.read("out/README.md"))
        self.assertIn(" ".join(ROUNDING), self.read("out/CMakeLists.txt"))
        shown = self.build("-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2")  # as some distributions do; fibers go to other stacks
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertRegex(shown.stdout, r"^u\[0\] = 0\.[0-9]+\n")

    def test_builds_by_cmake(self):
        self.succeed("emit", *HEAT[:3], "--backend", "cuda", "--output", "out")
        for command in (["cmake", "-S", ".", "-B", "build", "-DEMULATED=ON"], ["cmake", "--build", "build"]):
            subprocess.run(command, cwd=self.path("out"), check=True, capture_output=True)
        shown = subprocess.run(["build/example", "3"], cwd=self.path("out"), capture_output=True, text=True,
                               env={**os.environ, "PARAISO_DEVICE": "emulated"})
        self.assertRegex(shown.stdout, r"^u\[0\] = 0\.[0-9]+\n")

    def test_whose_example_says_why_it_ends(self):
        self.succeed("emit", *HEAT[:3], "--backend", "cuda", "--output", "out")
        self.assertEqual(self.build().returncode, 0)
        for device, steps, why in ("abacus", "3", "no device `abacus`"), ("emulated", "3x", "`3x` is no number of steps or cells"):
            ended = subprocess.run(["./example", steps], cwd=self.path("out"), capture_output=True, text=True,
                                   env={**os.environ, "PARAISO_DEVICE": device})
            self.assertEqual(ended.returncode, 1)
            self.assertRegex(ended.stderr, f"^error: {why}")

    def test_does_nothing_undefined(self):
        """PARAISO_SANITIZE_ALL (scripts/test-long.sh) asks every app and dimension."""
        apps = [["life", "--dim", 2], ["hydro", "--dim", 1], ["acoustic", "--dim", 2]]
        if "PARAISO_SANITIZE_ALL" in os.environ:
            apps = [[app["name"], "--dim", dimension] for app in self.succeed_json("apps")["apps"] for dimension in app["dimensions"]]
        for app in apps:
            with self.subTest(app=app):
                self.assert_nothing_undefined(*app)

    def test_does_nothing_undefined_where_blocks_share_memory(self):
        """In sweeps that fetch first, and in sums that blocks make: what no default has in two dimensions."""
        for app, shared in ("heat", "u -> a buffer of each thread"), ("hydro", "min of crossing_time"):
            with self.subTest(app=app):
                genes = self.succeed("show", app, "--dim", 2, "--backend", "cuda", "--genes")
                for gene, allele in ("march", "on"), ("stage", "on"), ("sums", "fused"):
                    genes = re.sub(rf"(?m)/{gene} = \w+$", f"/{gene} = {allele}", genes)
                self.write("sharing", genes)
                call = [app, "--dim", 2, "--schedule", "sharing"]
                plan = self.succeed("show", *call, "--backend", "cuda", "--plan").split("kernel `proceed`\n")[1]
                self.assertRegex(plan.split("\nkernel `")[0], f"swept along y(?s:.*) KiB of shared memory(?s:.*) {shared}")
                self.assert_nothing_undefined(*call)

    def assert_nothing_undefined(self, *call):
        subprocess.run(["rm", "-rf", self.path("out")], check=True)
        self.succeed("emit", *call, "--backend", "cuda", "--output", "out")
        shown = self.build(*SANITIZERS)
        self.assertEqual((shown.returncode, FIBERS.sub("", shown.stderr)), (0, ""))


if __name__ == "__main__":
    unittest.main()
