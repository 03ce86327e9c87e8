"""Versions of a kernel on devices: which of them runs, that all give the same bits, and what `emit` writes for them. On CUDA's
emulation, and on an OpenCL device if there is one."""
import os
import re
import subprocess
import unittest

import fake_devices_test
from command import GAS, CommandTest, devices
from nvcc_test import write_roomy_chain
from versions_test import EVERY, HEAT, VERSIONS

EMULATED = ("--backend", "cuda", "--device", "emulated")
NAMES = ("nothing", "everything", "base")
ROOMY_FIRST = "roomy roomy.txt when 0 <= cells\nsmall default\n"
ROOMY_LAST = "small default when 1000000 <= cells\nroomy roomy.txt\n"

# Three steps of a shock tube, each by another version; thresholds are set in the way that the first argument says. Writes the
# state after each of them. On a device, all steps but the first are also taken without the host.
USER = """#include <fstream>
#include <iostream>
#include <string>

#include "hydro.hpp"

using Solver = paraiso_solver::hydro;
const std::int64_t size[] = {40};

paraiso_support::Tuning forcing(const std::string& version) {
  paraiso_support::Tuning tuning;
  for (const char* name : {"nothing", "everything"})
    tuning.emplace_back(std::string("hydro.proceed.") + name, version == name ? 0 : INT64_MAX);
  return tuning;
}

void start(Solver& solver) {
  solver.time_limit() = 1e30;
  solver.jet();
}

int main(int argc, char** argv) {
  const std::string way = argv[1];
  const paraiso_support::Tuning first = way == "constructor" ? forcing(argv[2]) : paraiso_support::Tuning();
#ifdef ON_DEVICE
  Solver solver(size, "emulated", first);
#else
  Solver solver(size, 1, first);
#endif
  start(solver);
  for (int a = 2; a < argc; ++a) {
    if (way == "setter")
      for (const auto& [name, least] : forcing(argv[a])) solver.set_threshold(name, least);
    if (way == "file") {
      std::ofstream file("user.tuning");
      for (const auto& [name, least] : forcing(argv[a])) file << name << '=' << least << '\\n';
      file.close();
      solver.load_tuning("user.tuning");
    }
#ifdef ON_DEVICE
    bool stands_still = false;
    if (a > 2 && solver.take_steps(1, 1e30, stands_still) != 1) return 1;
    if (a == 2) solver.proceed();
#else
    solver.proceed();
#endif
    solver.save(("after" + std::to_string(a - 2)).c_str());
  }
  std::cout << solver.comparisons() << Solver::threshold_tree();
  for (const char* wrong : {"hydro.proceed.none", "hydro.proceed.nothing"}) try {
      solver.set_threshold(wrong, -1);
    } catch (const std::invalid_argument& error) {
      std::cout << error.what() << '\\n';
    }
}
"""


class DeviceVersions(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("heat.versions", VERSIONS)
        self.write("every.versions", EVERY)

    def backends(self):
        found = [EMULATED]
        if devices("opencl"):
            found.append(("--backend", "opencl"))
        return found

    def force(self, program, version):
        """The file of thresholds with which that version of EVERY runs."""
        return self.write(version + ".tuning", "".join(f"{program}.proceed.{name}={0 if name == version else 10**18}\n"
                                                       for name in NAMES[:-1]))

    def test_the_size_chooses_whatever_threads_the_host_has(self):
        """A device's cells are not divided among these."""
        for size, version in (("22x22", "base"), ("33x17", "rows"), ("400x400", "large")):
            compared = self.command("bench", *HEAT, "--size", size, "--steps", 1, "--repeat", 1, "--threads", 2, "--versions",
                                    "heat.versions", "--log-thresholds", *EMULATED)
            self.assertEqual(compared.returncode, 0, compared.stderr)
            x, y = map(int, size.split("x"))
            self.assertEqual(re.findall(r"Compared ([^ ]+) <= (-?[0-9]+)[.]", compared.stderr),
                             [("heat.proceed.large", str(8 * x * y)), ("heat.proceed.rows", str(x * y))])
            self.assertIn(f"version: `{version}`\n", compared.stdout)

    def test_tiles_of_threads_are_for_processors(self):
        self.write("tiles.versions", "rows default when 3 <= tiles_per_thread\nbase genome:CBA\n")
        for command in (["run", *HEAT, "--size", "9x9"], ["verify", *HEAT], ["show", *HEAT, "--thresholds"],
                        ["emit", *HEAT, "--output", "out"], ["thresholds", *HEAT, "--size", "9x9"]):
            device = EMULATED if command[0] in ("run", "verify", "thresholds") else EMULATED[:2]
            self.assert_refused("error: `tiles_per_thread` is for processors: a device has no tiles of threads\n", *command,
                                "--versions", "tiles.versions", *device)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_every_version_of_gas_dynamics_is_verified(self):
        for backend in self.backends():
            said = self.succeed("verify", "hydro", "--dim", 1, "--versions", "every.versions", "--compiler", "g++", "--problem",
                                "sod", "--size", 21, *backend)
            self.assertIn(", 3 schedules, 1 libraries", said)

    def test_runs_end_at_the_same_step_with_the_bits_of_openmp(self):
        """Steps of gas dynamics are counted on the device, by whichever version takes them."""
        plain = self.succeed_json("run", *GAS, "--until", 0.05, "--every", 0.01, "--output", "plain")
        for backend in self.backends():
            for version in NAMES:
                output = backend[1] + "-" + version
                found = self.succeed_json("run", *GAS, "--until", 0.05, "--every", 0.01, "--output", output, "--versions",
                                          "every.versions", "--tuning", self.force("hydro", version), *backend)
                self.assertEqual(found["version"], version)
                self.assertEqual(found["fields"], plain["fields"])
                self.assertEqual(self.read(output + "/scalars.csv"), self.read("plain/scalars.csv"))

    def test_a_run_goes_on_with_another_version_elsewhere(self):
        """From a checkpoint that another version wrote, on another back end."""
        straight = self.succeed_json("run", *GAS, "--steps", 6)["fields"]
        for first, then, backend in (("nothing", "everything", EMULATED), ("everything", "base", ())):
            self.succeed("run", *GAS, "--steps", 3, "--checkpoint", "state", "--versions", "every.versions", "--tuning",
                         self.force("hydro", first), *(() if backend else EMULATED))
            found = self.succeed_json("run", *GAS, "--steps", 6, "--restart", "state", "--versions", "every.versions", "--tuning",
                                      self.force("hydro", then), *backend)
            self.assertEqual((found["version"], found["fields"]), (then, straight))

    def test_thresholds_are_found(self):
        """From versions by hand to a file with which `run` chooses by the size."""
        for backend in self.backends():
            found = self.succeed_json("thresholds", *HEAT, "--versions", "heat.versions", "--size", "24x24", "--sizes", 2, "--rounds", 1,
                                      "--threads", 2, "--output", "heat.tuning", *backend)
            self.assertEqual(found["versions"], ["large", "rows", "base"])
            for size in found["tuned"] + found["judged"]:
                x, y = map(int, size["size"].split("x"))
                self.assertEqual(size["compared"], [8 * x * y, x * y])
                self.assertGreater(min(size["seconds"]), 0)
            for size, version in zip(found["judged"], found["chosen"]):
                ran = self.succeed_json("run", *HEAT, "--versions", "heat.versions", "--tuning", "heat.tuning", "--size", size["size"],
                                        "--steps", 1, *backend)
                self.assertEqual(ran["version"], version)


class EmittedDeviceVersions(CommandTest):
    def build(self, folder, *flags):
        files = ["hydro.cpp", "paraiso_support.cpp", "../user.cpp", "-ldl"]
        if "-DON_DEVICE" in flags:
            files = ["-x", "c++", "hydro.cu", "-x", "none", *files]
        subprocess.run(["g++", "-std=c++17", "-O1", "-ffp-contract=off", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-I.", *flags,
                        *files, "-o", "user"], cwd=self.path(folder), check=True)

    def run_user(self, folder, *arguments):
        found = subprocess.run(["./user", *arguments], cwd=self.path(folder), capture_output=True, text=True)
        self.assertEqual(found.returncode, 0, found.stderr)
        return found.stdout, [self.bytes_of(f"{folder}/after{step}") for step in range(3)]

    def test_take_thresholds_from_constructor_setter_and_file(self):
        self.write("user.cpp", USER)
        self.write("every.versions", EVERY)
        for folder, options in ("processor", ()), ("device", EMULATED[:2]):
            self.succeed("emit", "hydro", "--dim", 1, "--versions", "every.versions", "--output", folder, *options)
        self.build("processor")
        self.build("device", "-DPARAISO_EMULATED", "-DON_DEVICE")
        wanted = self.run_user("processor", "constructor", "base", "base", "base")[1]
        self.assertEqual(len(set(wanted)), 3)
        for way, *versions in (("constructor", "base", "base", "base"), ("constructor", "everything", "", ""),
                               ("setter", "everything", "nothing", "base"), ("setter", "nothing", "base", "everything"),
                               ("file", "base", "everything", "nothing")):
            said, states = self.run_user("device", way, *versions)
            self.assertEqual(states, wanted, (way, versions))
        self.assertEqual(said, """Compared hydro.proceed.nothing <= 40.
Compared hydro.proceed.everything <= 40.
hydro.proceed.nothing (threshold ())
hydro.proceed.everything (threshold (!hydro.proceed.nothing))
no threshold `hydro.proceed.none`
the threshold `hydro.proceed.nothing` is at least 0
""")


class FakeVersions(fake_devices_test.FakeDevices):
    """On stand-ins for drivers, which tell what they were asked to do."""

    def run_versions(self, words, lines):
        """The version that runs, by what is printed, and what the driver was told; of a sweep with much shared memory,
        `roomy.txt`, and of the default schedule."""
        write_roomy_chain(self)
        self.write("two.versions", lines)
        if os.path.exists(self.path("log")):
            os.remove(self.path("log"))
        report = self.succeed_json("run", "chain.om", "--size", "40x20x9", "--steps", 2, "--versions", "two.versions", "--backend",
                                   self.backend, env=self.env(words))
        return report["version"], self.read("log").splitlines()

    def assert_a_version_that_does_not_fit_is_passed_over(self, asks):
        """`asks(log)`: kernels that the driver was asked for."""
        for words, lines, version, kernel in (
                ("", ROOMY_FIRST, "roomy", "chain_proceed_roomy_1"), ("least_shared", ROOMY_FIRST, "small", "chain_proceed_1"),
                ("", ROOMY_LAST, "roomy", "chain_proceed_1"), ("least_shared", ROOMY_LAST, "small", "chain_proceed_small_1")):
            ran, log = self.run_versions(words, lines)
            self.assertEqual(ran, version)
            self.assertIn(kernel, asks(log))
        self.write("two.versions", "more roomy.txt when 0 <= cells\nroomy roomy.txt\n")
        call = ["chain.om", "--versions", "two.versions", "--backend", self.backend]
        lacks = (r"a block of kernel `(chain_)?proceed(_roomy)?(_1)?` has [\d.]+ kB of shared memory, and device `Abacus \d+` gives a block "
                 r"49\.2 kB: another schedule takes less \(gene `shared`\)")
        self.assertRegex(self.told("least_shared", "run", *call, "--size", "40x20x9", "--steps", 2), f"^error: {lacks}$")
        self.write("two.versions", ROOMY_FIRST)
        for command in ["thresholds", "--size", "8x8x8", "--sizes", 2], ["verify"]:
            self.assertRegex(self.told("least_shared", command[0], *call, *command[1:]), f"^error: {lacks}$")


class FakeOpenClVersions(FakeVersions):
    library, source, variable, backend = "libOpenCL.so.1", "opencl.cpp", "FAKE_OPENCL", "opencl"

    def test_a_version_that_does_not_fit_is_passed_over(self):
        """The driver is not even asked to build it."""
        self.assert_a_version_that_does_not_fit_is_passed_over(
            lambda log: [line.split()[1] for line in log if line.startswith("kernel")])
        log = self.run_versions("least_shared", ROOMY_FIRST)[1]
        self.assertNotIn("kernel chain_proceed_roomy_1", log)
        self.assertIn(" -DBLOCK_SHARED=49152", *(line for line in log if line.startswith("build")))


class FakeCudaVersions(FakeVersions):
    library, source, variable, backend = "libcuda.so.1", "cuda.cpp", "FAKE_CUDA", "cuda"

    def test_a_version_that_does_not_fit_is_passed_over(self):
        def launched(log):
            names = {line.split()[1] for line in log if line.startswith("launch")}
            return [name for name in names if "proceed" in name]

        self.assert_a_version_that_does_not_fit_is_passed_over(launched)
        for name in launched(self.run_versions("least_shared", ROOMY_FIRST)[1]):
            self.assertRegex(name, "^chain_proceed_[0-9]+$")

    def test_the_version_that_is_told_runs(self):
        """A card's cells are not divided among the threads of the host."""
        self.write("rows.versions", "rows genome:CBA when 500 <= cells_per_thread\nbase default\n")
        report = self.succeed_json("run", "heat", "--dim", 2, "--size", "33x17", "--steps", 3, "--threads", 2, "--versions",
                                   "rows.versions", "--backend", "cuda", env=self.env())
        self.assertEqual(report["version"], "rows")
        log = self.read("log")
        self.assertIn("launch heat_proceed_rows_1 ", log)
        self.assertNotIn("launch heat_proceed_1 ", log)


if __name__ == "__main__":
    unittest.main()
