"""`--backend hip`: on the device `emulated`, by a stand-in for ROCm's runtime, and what `emit` writes for it; AMD's compiler
compiles the kernels of every app where it is."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

from command import CommandTest

HEAT = ["heat", "--dim", 2, "--size", "24x24", "--steps", 4]
HIP = ["--backend", "hip", "--device", "emulated"]
HIPCC = shutil.which("hipcc") or next(
    (path for path in (os.path.join(os.environ.get("ROCM_PATH", "/opt/rocm"), "bin/hipcc"),) if os.path.exists(path)), None)
ALL = "PARAISO_HIP_ALL" in os.environ
ROUNDING = ["-ffp-contract=off", "-fhip-fp32-correctly-rounded-divide-sqrt", "-fno-gpu-flush-denormals-to-zero"]
FLAGS = ["-std=c++17", "-O3", *ROUNDING, "-Wall", "-Werror", "-Wno-unused-function", "-Wno-unused-command-line-argument"]
ARCHITECTURES = ["gfx906", "gfx90a", "gfx1030"]
TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEVICE = os.path.join(os.path.dirname(TESTS), "paraiso/support/device")
# A stand-in for hipcc: kernels become a shared object of the processor's code, if it is told to round each operation.
FAKE_HIPCC = """#!/bin/sh
[ "$1" = --version ] && echo 'HIP version: 5.2.21153-0' && exit
for word; do
  case $word in *.hip) source=$word ;; *.fatbin) made=$word ;; --offload-arch=gfx90a) card=yes ;; esac
  case $word in """ + " | ".join(ROUNDING) + """) rounds=$rounds+ ;; esac
done
[ "$card$rounds" = yes+++ ] && exec g++ -std=c++17 -O1 -ffp-contract=off -shared -fPIC -x c++ "$source" -o "$made" \\
  -Wl,--defsym=paraiso_emulated=paraiso_emulated_${source%.hip}
"""


class Emulated(CommandTest):
    def test_computes_what_other_back_ends_do(self):
        states = [self.succeed_json("run", *HEAT, *backend)["fields"] for backend in ([], HIP)]
        self.assertEqual(states[0], states[1])
        report = self.succeed_json("verify", *HEAT[:3], *HIP, "--schedules", 1, "--compiler", "g++", "--size", "5x5")
        self.assertEqual(report["backend"], "hip")

    def test_restarts_across_back_ends(self):
        self.assert_restarts_with_the_same_bits(HEAT[:-1], HIP)

    def test_benches(self):
        measured = self.succeed_json("bench", *HEAT[:5], *HIP, "--steps", 3, "--repeat", 1)
        self.assertEqual(len(measured["predicted"]["blocks"]), 1)

    def test_tunes(self):
        self.succeed("tune", *HEAT[:3], "--size", "24x24", *HIP, "--budget", 1, "--repeat", 2, "--rounds", 6, "--database",
                     "tuned.sqlite", "--compiler", "g++")
        self.assert_reports_and_replays("tuned.sqlite")

    def test_emitted_project_builds_by_cmake(self):
        self.succeed("emit", *HEAT[:3], "--backend", "hip", "--output", "out")
        self.assertIn("`hipcc`", self.read("out/README.md"))
        self.assertIn(" ".join(ROUNDING), self.read("out/CMakeLists.txt"))
        for command in (["cmake", "-S", ".", "-B", "build", "-DEMULATED=ON"], ["cmake", "--build", "build"]):
            subprocess.run(command, cwd=self.path("out"), check=True, capture_output=True)
        shown = subprocess.run(["build/example", "3"], cwd=self.path("out"), capture_output=True, text=True,
                               env={**os.environ, "PARAISO_DEVICE": "emulated"})
        self.assertRegex(shown.stdout, r"^u\[0\] = 0\.[0-9]+\n")


class Card(CommandTest):
    """Through ROCm's runtime, which a stand-in plays, with kernels that the emulation runs."""

    @classmethod
    def setUpClass(cls):
        """The stand-ins are the same for all tests, and with them what they compile."""
        cls.rocm = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.rocm, ignore_errors=True)
        cls.install(cls.rocm, FAKE_HIPCC)
        subprocess.run(["g++", "-std=c++17", "-O1", "-shared", "-fPIC", "-I", os.path.dirname(TESTS),
                        os.path.join(TESTS, "cli/fakes/hip.cpp"), os.path.join(DEVICE, "emulated_driver.cpp"),
                        os.path.join(DEVICE, "emulated_launch.cpp"), "-o", cls.rocm + "/libamdhip64.so"], check=True)

    @staticmethod
    def install(folder, hipcc):
        with open(folder + "/hipcc", "w") as file:
            file.write(hipcc)
        os.chmod(folder + "/hipcc", 0o755)

    def env(self, words="", folder=None):
        return {"LD_LIBRARY_PATH": self.rocm, "PATH": (folder or self.rocm) + ":/usr/bin:/bin", "FAKE_HIP": words}

    def told(self, words, folder=None, env={}, call=HEAT):
        result = self.command("run", *call, "--backend", "hip", env={**self.env(words, folder), **env})
        self.assertEqual(result.returncode, 1, result.stderr)
        return result.stderr

    def test_doctor_describes_the_card(self):
        report = self.succeed_json("doctor", env=self.env())
        card = report["devices"]["hip"][0]
        self.assertEqual((card["name"], card["platform"], card["version"], card["architecture"], card["usable"]),
                         ("Soroban 27", "HIP", "driver for HIP 5.2", "gfx90a", True))
        compiler, = [one for one in report["kernel_compilers"] if one["name"] == "hipcc"]
        self.assertEqual(compiler["version"], "5.2")

    def test_computes_what_the_processor_does(self):
        for call in (HEAT, ["hydro", "--dim", 1, "--problem", "sod", "--size", 40, "--steps", 3],
                     ["wave", "--dim", 2, "--size", "11x9", "--steps", 3]):
            with self.subTest(call=call):
                here = self.succeed_json("run", *call)["fields"]
                there = self.succeed_json("run", *call, "--backend", "hip", env=self.env())["fields"]
                self.assertEqual(here, there)

    def test_steps_become_graphs(self):
        call = ["run", "wave", "--dim", 2, "--size", "11x9", "--steps", 75]
        here = self.succeed_json(*call)["fields"]
        logs = {}
        for words in "", "no_capture":
            there = self.succeed_json(*call, "--backend", "hip", env={**self.env(words), "FAKE_HIP_LOG": self.path("log")})
            self.assertEqual(here, there["fields"])
            logs[words] = self.read("log").split()
            os.remove(self.path("log"))
        self.assertGreaterEqual(logs[""].count("graph"), 2)
        self.assertLess(logs[""].count("launch"), 0.7 * logs["no_capture"].count("launch"))
        self.assertEqual(logs["no_capture"].count("graph"), 0)

    def test_what_is_amiss(self):
        self.assertIn("error: no HIP device on this machine: its driver finds none; the device `emulated` runs the same",
                      self.told("none"))
        self.assertIn("error: device `Soroban 27` can't be used: its driver is for HIP 4.3, and 5.0 is needed", self.told("old"))
        self.assertRegex(self.told("refused"), r"error: HIP can't run kernel `heat_\w+` on device `Soroban 27` in blocks of ")
        self.assertRegex(self.told("full"), r"error: HIP has no [\d.]+ \w+ left on device `Soroban 27`, whose [\d.]+ GB all processes "
                                             r"share: error 2, hipErrorOfTheTest \(as the test wished\)")

    def test_a_card_that_is_lost_in_mid_run(self):
        """The message names the kernels and what is kept; the checkpoint is whole."""
        self.succeed("run", *HEAT, "--checkpoint", "state")
        before = self.bytes_of("state")
        for sync, kernels in ({}, r"kernels `heat_fill_u`, `heat_proceed_1` \(.*\)"), ({"PARAISO_SYNC": "1"}, "kernel `heat_.*`"):
            told = self.told("lost", env=sync, call=[*HEAT[:-1], 9, "--restart", "state", "--checkpoint", "state"])
            self.assertRegex(told, r"error: HIP .* device `Soroban 27`, after " + kernels + r": error 719, hipErrorOfTheTest \(as the "
                                   r"test wished\)\nnote: its schedule, [0-9a-f]{16}, is kept in ")
            self.assertIn("\nhint: the checkpoint `state`, from which this run began, is of step 4", told)
            self.assertEqual(self.bytes_of("state"), before)
            kept = re.search(r"the sources are kept in `(.*)`", told)[1]
            self.addCleanup(shutil.rmtree, kept, ignore_errors=True)
            self.assertIn("heat_proceed_1", self.read(os.path.join(kept, "heat.hip")))

    def test_too_little_memory_is_told_before_anything_is_compiled(self):
        result = self.command("run", "heat", "--dim", 2, "--size", "200000x200000", "--backend", "hip",
                              env=self.env("", self.spoilt_compiler("hipcc", "HIP version: 5.9.21153-0")))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"error: a grid of 200000x200000 cells needs [\d.]+ GiB of memory, and [\d.]+ .iB are left "
                                        r"\(in one array of device `Soroban 27`\)\nhint: a grid of (\d+)x\1 would fit\n$")

    def test_no_hipcc(self):
        self.assertIn("error: no compiler `hipcc` is on PATH, in $ROCM_PATH/bin or in /opt/rocm/bin\nhint: ROCm has it: AMD's own, "
                      "or `apt install hipcc`; `--device emulated` needs none\n",
                      self.told("", env=self.hiding("hipcc", {"ROCM_PATH": "/nowhere"})))

    def test_kernels_that_do_not_compile(self):
        told = self.told("", self.spoilt_compiler("hipcc", "HIP version: 5.9.21153-0"))
        self.assert_refused_by_kernel_compiler(told, "hipcc", "heat.hip")

    def test_an_old_hipcc(self):
        self.install(self.folder, FAKE_HIPCC.replace("5.2.21153-0", "4.3.21300"))
        self.assertRegex(self.told("", self.folder), r"error: `.*/hipcc` is of ROCm 4.3, and 5.0 is needed\nhint: ")


@unittest.skipUnless(HIPCC, "SKIP: no hipcc here")
class Hipcc(CommandTest):
    """AMD's compiler takes every app's kernels, without a warning, and rounds each operation."""

    def programs(self):
        """With PARAISO_HIP_ALL all; without it each app once, in its highest dimension, by turns in each precision and mode."""
        found = self.every_program()
        if ALL:
            return found
        chosen = {}
        for program in found:
            chosen.setdefault(program[0], []).append(program)
        highest = [[one for one in all_ if one[2] == max(other[2] for other in all_)] for all_ in chosen.values()]
        return [all_[number % len(all_)] for number, all_ in enumerate(highest)]

    def test_compiles_every_app(self):
        programs = self.programs()
        self.assertEqual({(program[4], program[6]) for program in programs},
                         {(precision, numbers) for precision in ("f32", "f64") for numbers in ("strict", "fma")})
        with ThreadPoolExecutor(2) as pool:
            for job in [pool.submit(self.compile, program, ARCHITECTURES[number % len(ARCHITECTURES)])
                        for number, program in enumerate(programs)]:
                job.result()

    def own_tmp(self):
        return dict(os.environ, TMPDIR=self.folder)  # clang++ leaves empty folders there

    def compile(self, program, architecture):
        folder = self.path("-".join(map(str, program)))
        self.succeed("emit", *program, "--backend", "hip", "--output", folder)
        name, = [file for file in os.listdir(folder) if file.endswith(".hip")]
        made = subprocess.run([HIPCC, "--genco", *FLAGS, "--offload-arch=" + architecture, name, "-o", "kernels"], cwd=folder,
                              env=self.own_tmp(), capture_output=True, text=True)
        with self.subTest(program=program):
            self.assertEqual((made.returncode, made.stderr), (0, ""))
            self.assertGreater(os.path.getsize(os.path.join(folder, "kernels")), 1000)

    def test_rounds_each_operation(self):
        fused = {}
        for numbers in "strict", "fma":
            self.succeed("emit", "heat", "--dim", 2, "--numbers", numbers, "--backend", "hip", "--output", numbers)
            subprocess.run([HIPCC, "-S", "--cuda-device-only", *FLAGS, "--offload-arch=gfx90a", "heat.hip", "-o", "kernels.s"],
                           cwd=self.path(numbers), env=self.own_tmp(), check=True, capture_output=True)
            step = re.search(r"^heat_proceed_1:.*?^\.Lfunc_end", self.read(numbers + "/kernels.s"), re.S | re.M)[0]
            fused[numbers] = len(re.findall(r"\bv_(?:pk_)?(?:fma|fmac|mac|mad)_f", step))
        self.assertEqual(fused["strict"], 0)
        self.assertGreater(fused["fma"], 0)


if __name__ == "__main__":
    unittest.main()
