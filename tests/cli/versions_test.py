"""Versions of a kernel, among which the size chooses: `--versions`, `--tuning`, and what `emit` makes of them."""
import os
import platform
import re
import shutil
import subprocess
import tempfile
import unittest

from command import CommandTest, devices
from emit_test import EmitTest

HEAT = ("heat", "--dim", 2)
VERSIONS = """large default@4096x4096 when 1000000 <= state_bytes  # past the caches
rows  genome:CBA           when 500 <= cells_per_thread
base  default@32x32
"""
ASKED = ("--versions", "heat.versions")
LOOPS = "heat.least_shared (threshold ())\nheat.streaming (threshold ())\n"
# Of any program: nothing is stored, everything is, and the default. A gene takes a letter, and those beyond the last are ignored.
EVERY = "nothing genome:A when 40 <= cells\neverything genome:" + 2000 * "D" + " when 9 <= cells\nbase default\n"

# Writes the state after each of three steps, by versions that change as the arguments say: in which way thresholds
# are set, then a version each step.
USER = """#include <fstream>
#include <iostream>
#include <string>

#include "out/heat.hpp"

// So many steps on 32x32 cells by one version, chosen by the switch or called by its name.
int steps(bool chosen, int count) {
  paraiso_solver::heat solver({32, 32}, 1, {{"heat.proceed.large", INT64_MAX}, {"heat.proceed.rows", 0}});
  for (int step = 0; step < count; ++step) chosen ? solver.proceed() : solver.proceed_rows();
  return 0;
}

// Prints what is wrong, if it is a T.
template <class T, class Work>
void refused(Work&& work) {
  try {
    work();
    std::cout << "taken\\n";
  } catch (const T& error) {
    std::cout << error.what() << '\\n';
  }
}

int main(int argc, char** argv) {
  const std::string way = argv[1];
  if (way == "chosen" || way == "named") return steps(way == "chosen", std::stoi(argv[2]));
  const std::int64_t never = INT64_MAX;
  const auto value = [&](const std::string& wanted, const char* version) { return wanted == version ? 0 : never; };
  paraiso_support::Tuning first{{"heat.proceed.large", value(argv[2], "large")},
                                {"heat.proceed.rows", value(argv[2], "rows")}};
  paraiso_solver::heat solver({33, 17}, 2, way == "constructor" ? first : paraiso_support::Tuning());
  solver.decay();
  for (int a = 2; a < argc; ++a) {
    const paraiso_support::Tuning tuning{{"heat.proceed.large", value(argv[a], "large")},
                                         {"heat.proceed.rows", value(argv[a], "rows")}};
    if (way == "setter")
      for (const auto& [name, least] : tuning) solver.set_threshold(name, least);
    if (way == "file") {
      std::ofstream file("user.tuning");
      for (const auto& [name, least] : tuning) file << name << '=' << least << '\\n';
      file.close();
      solver.load_tuning("user.tuning");
    }
    solver.save("before");
    paraiso_solver::heat other({33, 17});
    other.load("before");  // whatever version wrote it
    solver.proceed();
    other.proceed();
    solver.save(("after" + std::to_string(a - 2)).c_str());
    other.save(("other" + std::to_string(a - 2)).c_str());
  }
  std::cout << solver.comparisons() << paraiso_solver::heat::threshold_tree();
  solver.set_threads(2, 700);
  std::cout << (solver.comparisons() == paraiso_solver::heat({33, 17}, 2).comparisons()) << '\\n';
  for (const char* wrong : {"heat.proceed.none", "heat.proceed.rows"}) {
    refused<std::invalid_argument>([&] { solver.set_threshold(wrong, -1); });
    refused<std::invalid_argument>([&] { paraiso_solver::heat({33, 17}, 2, {{"heat.streaming", 1}, {wrong, -1}}); });
  }
  for (const char* line : {"heat.proceed.large", "heat.proceed.large=9223372036854775808", "heat.proceed.large=-1"}) {
    std::ofstream("user.tuning") << "heat.proceed.rows=1\\n" << line << '\\n';
    refused<std::runtime_error>([&] { solver.load_tuning("user.tuning"); });
  }
  std::ofstream("user.tuning") << "wave.proceed.rows=1\\n";  // another program's
  refused<std::invalid_argument>([&] { solver.load_tuning("user.tuning"); });
  refused<std::runtime_error>([&] { solver.load_tuning("none.tuning"); });
  std::cout << (solver.comparisons() == paraiso_solver::heat({33, 17}, 2).comparisons()) << '\\n';
}
"""
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES CXX)
add_subdirectory(out)
add_executable(user user.cpp)
target_link_libraries(user heat)
set_target_properties(user PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_SOURCE_DIR})
"""


class Versions(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("heat.versions", VERSIONS)

    def run_it(self, size, *options):
        return self.succeed_json("run", *HEAT, "--size", size, "--steps", 3, "--quiet", *options)

    def test_the_size_chooses_and_bits_are_the_same(self):
        for size, version in (("33x17", "base"), ("64x32", "rows"), ("400x400", "large")):
            found = self.run_it(size, *ASKED, "--threads", 2)
            self.assertEqual(found["version"], version)
            plain = self.run_it(size, "--schedule", "default")
            self.assertEqual(plain["version"], "")
            self.assertEqual(found["fields"], plain["fields"])
        # Four threads have fewer cells each.
        self.assertEqual(self.run_it("64x32", *ASKED, "--threads", 8)["version"], "base")

    def test_thresholds_of_a_file(self):
        self.write("heat.tuning", "heat.proceed.rows=1\n")
        self.assertEqual(self.run_it("33x17", *ASKED, "--tuning", "heat.tuning")["version"], "rows")

    def test_what_is_compared_is_told(self):
        # At the second size the first guard holds, and the other one is not reached.
        for size, large, rows in (("33x17", "4488", "280"), ("400x400", "1280000", "80000")):
            result = self.command("bench", *HEAT, "--size", size, "--steps", 1, "--repeat", 1, "--threads", 2, *ASKED,
                                  "--log-thresholds")
            self.assertEqual(re.findall(r"Compared ([^ ]+) <= (-?[0-9]+)", result.stderr),
                             [("heat.proceed.large", large), ("heat.proceed.rows", rows), *self.loops(result.stderr)])
        self.assertIn("schedule: versions, `large`, `rows`, `base` of `proceed`, from `heat.versions`\n",
                      result.stdout)
        self.assertEqual(self.succeed("show", *HEAT, *ASKED, "--thresholds"),
                         "heat.proceed.large (threshold ())\nheat.proceed.rows (threshold (!heat.proceed.large))\n" + LOOPS)

    def loops(self, said):
        """What loops compare, which depends on the cost model and on how arrays lie."""
        return [(name, re.search(f"Compared {re.escape(name)} <= ([1-9][0-9]*)[.]", said)[1])
                for name in ("heat.least_shared", "heat.streaming")]

    def test_parts_of_a_grid_run_the_version_of_the_largest(self):
        whole = self.run_it("400x400", *ASKED, "--threads", 1)
        self.assertEqual(whole["version"], "large")
        for ranks, version in ((2, "rows"), (400, "base")):
            parts = self.run_it("400x400", *ASKED, "--threads", 1, "--ranks", ranks)
            self.assertEqual(parts["version"], version)
            self.assertEqual(parts["fields"], whole["fields"])

    def test_each_version_is_verified(self):
        said = self.succeed("verify", *HEAT, *ASKED, "--compiler", "g++")
        self.assertIn("3 schedules, 1 libraries", said)
        self.succeed("verify", *HEAT, *ASKED, "--compiler", "g++", "--fuse", 3, "--size", "19x11")

    def verify_every_version(self, *options):
        self.write("every.versions", EVERY)
        self.assertIn(", 3 schedules, 1 libraries", self.succeed("verify", *options, "--versions", "every.versions", "--compiler",
                                                                 "g++"))

    def test_of_any_program_are_verified(self):
        self.verify_every_version("hydro", "--dim", 1)
        self.verify_every_version("life")

    def test_on_devices_are_verified(self):
        self.verify_every_version("hello", "--backend", "cuda", "--device", "emulated")
        if devices("opencl"):
            self.verify_every_version("hello", "--backend", "opencl", "--size", 37)

    def test_planned_for_sizes_from_cache_to_memory(self):
        self.succeed("verify", *HEAT, "--versions", "auto", "--compiler", "g++", "--size", "9x33")

    def test_wrong_calls(self):
        def refused(said, *options):
            self.assert_refused(said, "run", *HEAT, *options)

        refused("error: `--versions none`: no such file; or say `auto`\n", "--versions", "none")
        refused("error: `--versions` is for generated code: the interpreter has no schedule\n", *ASKED, "--backend",
                "interpreter")
        refused("error: `--schedule` is for generated code: the interpreter has no schedule\n", "--schedule", "tuned",
                "--backend", "interpreter")
        self.write("wave.tuning", "wave.proceed.rows=1\n")
        refused("error: `wave.tuning` is not for `heat`: it sets `wave.proceed.rows`\n", *ASKED, "--tuning",
                "wave.tuning")
        refused("error: `--tuning` is for generated code: the interpreter has no thresholds\n", "--tuning", "wave.tuning",
                "--backend", "interpreter")
        refused("error: `--threads` is for generated code: the interpreter has one thread\n", "--threads", 2, "--backend",
                "interpreter")
        self.write("rows.tuning", "heat.proceed.rows=1\n")
        refused("error: `rows.tuning`: `heat` has no versions here, and so no threshold `heat.proceed.rows`\n", "--tuning",
                "rows.tuning")
        self.write("loops.tuning", "heat.least_shared=1\n")
        refused("error: `loops.tuning`: `heat` has no versions here, and so no threshold `heat.least_shared`\n", "--tuning",
                "loops.tuning", "--backend", "cuda", "--device", "emulated")
        self.write("bad.versions", "a default when 1 <= planes\nb default\n")
        refused("error: `bad.versions`, line 1: no measure `planes`: there are `cells`, `cells_per_thread`, "
                "`tiles_per_thread`, `state_bytes`, `row_bytes`, `plane_bytes`, `live_bytes`\n", "--versions", "bad.versions")
        self.write("bad.versions", "a default@5 when 1 <= cells\nb default\n")
        refused("error: `default@5` has 1 axis and the machine has 2: write it like `64x64`\n"
                "note: at `bad.versions`, line 1\n", "--versions", "bad.versions")
        self.write("bad.versions", "a default when 1 <= cells\n\nb nowhere.schedule\n")
        refused("error: `nowhere.schedule`: no such file; or say `default`\nnote: at `bad.versions`, line 3\n",
                "--versions", "bad.versions")
        self.write("bad.schedule", "proceed/beads = 7\n")
        self.write("bad.versions", "a default when 1 <= cells\nb bad.schedule\n")
        told = self.command("run", *HEAT, "--versions", "bad.versions")
        self.assertIn("bad.schedule:1: error: there is no gene `proceed/beads`\n", told.stderr)
        self.assertIn("note: at `bad.versions`, line 2\n", told.stderr)


class LoopThresholds(CommandTest):
    """Those that every program has whose loops are threads'."""

    def test_are_told_and_set(self):
        self.assertEqual(self.succeed("show", *HEAT, "--thresholds"), LOOPS)
        states = []
        for shared, streamed in ((0, 0), (10**18, 10**18)):
            self.write("loops.tuning", f"heat.least_shared={shared}\nheat.streaming={streamed}\n")
            result = self.command("bench", *HEAT, "--size", "33x17", "--steps", 1, "--repeat", 1, "--threads", 2, "--tuning",
                                  "loops.tuning", "--log-thresholds", "--schedule", "default")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual([name for name, _ in re.findall(r"Compared ([^ ]+) <= (-?[0-9]+)[.]", result.stderr)],
                             ["heat.least_shared", "heat.streaming"])
            states.append(self.succeed_json("run", *HEAT, "--size", "33x17", "--steps", 3, "--quiet", "--tuning",
                                            "loops.tuning", "--schedule", "default")["fields"])
        self.assertEqual(*states)

    def test_thresholds_that_cannot_be_written(self):
        """It says so before anything is built."""
        for option in (["--list"], ["--versions", "no.versions", "--output"]):
            self.assert_fails("error: can't write `no/it`: No such file or directory\n", "thresholds", *HEAT, *option, "no/it")

    def test_a_split_is_a_guard_of_hardware(self):
        self.write("split", "".join(f"proceed_2/{gene}\n" for gene in (
            "form = split", "tile_x = all", "tile_y = 32", "grouping = joined", "add(u,sum).storage = rolling")))
        self.assertEqual(self.succeed("show", *HEAT, "--fuse", 2, "--schedule", "split", "--thresholds"),
                         LOOPS + "heat.proceed_2.split (fits)\n")


with open("/proc/cpuinfo") as file:
    CPU = file.read()


class EmittedVersions(EmitTest):
    # The longest vectors that valgrind knows: steps are shortest.
    TARGET = ("--target", "x86-64-v3" if "avx2" in CPU else "x86-64-v2") if platform.machine() == "x86_64" else ()

    @classmethod
    def setUpClass(cls):
        cls.built = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.built, ignore_errors=True)

    def build_user(self):
        """Once for all tests: the program needs nothing beside it."""
        if not os.path.exists(self.built + "/user"):
            self.build_by_cmake()
            shutil.copy(self.path("user"), self.built)
        else:
            shutil.copy(self.built + "/user", self.folder)

    def build_by_cmake(self):
        self.write("heat.versions", VERSIONS)
        self.succeed("emit", *HEAT, *ASKED, "--output", "out", *self.TARGET)
        self.write("user.cpp", USER)
        self.write("CMakeLists.txt", CMAKE)
        self.run_alone(".", "cmake", "-S", ".", "-B", "build", "-DCMAKE_CXX_FLAGS=-O1 -Wall -Wextra -Werror")
        self.run_alone(".", "cmake", "--build", "build")

    def test_take_thresholds_from_constructor_setter_and_file(self):
        self.build_user()
        states = None
        for way, versions in (("constructor", ("base", "base", "base")), ("constructor", ("large", "", "")),
                              ("setter", ("large", "rows", "base")), ("setter", ("rows", "base", "large")),
                              ("file", ("base", "large", "rows"))):
            said = self.run_alone(".", "./user", way, *versions)
            found = [self.bytes_of(f"after{step}") for step in range(3)]
            self.assertEqual(found, [self.bytes_of(f"other{step}") for step in range(3)])
            self.assertEqual(found, states or found)
            states = found
        self.assertEqual(re.sub("<= [1-9][0-9]*[.]", "<= .", said), """Compared heat.proceed.large <= .
Compared heat.proceed.rows <= .
Compared heat.least_shared <= .
Compared heat.streaming <= .
heat.proceed.large (threshold ())
heat.proceed.rows (threshold (!heat.proceed.large))
heat.least_shared (threshold ())
heat.streaming (threshold ())
1
no threshold `heat.proceed.none`
no threshold `heat.proceed.none`
the threshold `heat.proceed.rows` is at least 0
the threshold `heat.proceed.rows` is at least 0
`user.tuning`, line 2: expected `name=value`, a threshold and its number
`user.tuning`, line 2: `heat.proceed.large` needs a whole number from 0 to 9223372036854775807, not `9223372036854775808`
`user.tuning`, line 2: `heat.proceed.large` needs a whole number from 0 to 9223372036854775807, not `-1`
no threshold `wave.proceed.rows`
can't read `none.tuning`: No such file or directory
1
""")
        self.assert_environment_is_ignored(("file", "base", "large", "rows"), said, states)

    def assert_environment_is_ignored(self, arguments, said, states):
        names = ["heat.proceed.large", "heat.proceed.rows", "heat_proceed_large", "PARAISO_TUNING", "HEAT_TUNING"]
        found = subprocess.run(["./user", *arguments], cwd=self.path("."), capture_output=True, text=True,
                               env={"PATH": "/usr/bin:/bin", **{name: "0" for name in names}})
        self.assertEqual(found.stdout, said)
        self.assertEqual([self.bytes_of(f"after{step}") for step in range(3)], states)

    def instructions(self, way, steps):
        found = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "./user", way, str(steps)],
                               cwd=self.path("."), capture_output=True, text=True)
        self.assertEqual(found.returncode, 0, found.stderr)
        return int(re.search(r"Collected : (\d+)", found.stderr)[1])

    @unittest.skipUnless(shutil.which("valgrind"), "SKIP: no valgrind here (Debian's package)")
    def test_choose_at_little_cost(self):
        """Under 0.2 % of a step of 32x32 cells."""
        self.build_user()
        named, chosen = (self.instructions(way, 300) - self.instructions(way, 0) for way in ("named", "chosen"))
        self.assertLess(chosen / named, 1.002)

    def test_sources_grow_with_the_number_of_versions(self):
        self.write("heat.versions", VERSIONS)

        def size(*options):
            self.succeed("emit", *HEAT, *options, "--output", "out")
            return os.path.getsize(self.path("out/heat.cpp")) + os.path.getsize(self.path("out/heat.hpp"))

        self.assertLess(size(*ASKED), 1.1 * 3 * size("--schedule", "default"))


if __name__ == "__main__":
    unittest.main()
