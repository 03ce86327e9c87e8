"""`emit`: a library that builds and runs with nothing of Paraiso in sight, and overwrites nothing."""
import json
import os
import platform
import re
import struct
import subprocess
import unittest

from command import CommandTest

EMIT = ["emit", "heat", "--dim", 2, "--output", "out"]


class EmitTest(CommandTest):
    def run_alone(self, folder, *arguments):
        """In a clean environment: no variable and no path that knows Paraiso."""
        result = subprocess.run([*map(str, arguments)], cwd=self.path(folder), capture_output=True,
                                text=True, env={"PATH": "/usr/bin:/bin"}, timeout=500)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout


class Emit(EmitTest):
    def build_and_run(self, folder):
        def run(*arguments):
            return self.run_alone(folder, *arguments)

        run("cmake", "-S", ".", "-B", "build", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
        run("cmake", "--build", "build")
        programs = [
            os.path.join("build", name) for name in os.listdir(self.path(folder + "/build"))
            if os.access(self.path(f"{folder}/build/{name}"), os.X_OK)
            and os.path.isfile(self.path(f"{folder}/build/{name}"))
        ]
        self.assertEqual(len(programs), 1, programs)
        run("./" + programs[0])

    def test_builds_and_runs_alone(self):
        self.succeed(*EMIT)
        for name in os.listdir(self.path("out")):
            self.assertNotIn("#include \"paraiso/", self.read("out/" + name))
        self.build_and_run("out")

    def test_for_a_target(self):
        self.assert_made_for("native", ["processor\" ON)", "(native -march=native)\n", "PRIVATE ${native})\n", "\n  endif()\nendif()\n"])
        self.assert_made_for("x86-64-v3", ["processor\" OFF)", "-march=x86-64-v3)\n",
                                           "  set(more_flags -mmove-max=256 -mstore-max=256)\nendif()"])
        self.assert_made_for("x86-64-v4", ["processor\" OFF)", "-march=x86-64-v4)\n",
                                           "  set(more_flags -mprefer-vector-width=512)\nendif()"])
        self.assert_made_for("aarch64", ["processor\" OFF)", "-march=armv8-a)\nendif()"])

    def assert_made_for(self, target, texts):
        self.succeed(*EMIT, "--target", target)
        for text in texts:
            self.assertIn(text, self.read("out/CMakeLists.txt"))
        self.assertEqual(json.loads(self.read("out/paraiso-emit.json"))["target"], target)

    @unittest.skipUnless(platform.machine() == "x86_64", "no machine of these levels")
    def test_a_library_for_another_level_builds(self):
        for target, flags in [("x86-64-v2", ["-march=x86-64-v2"]),
                              ("x86-64-v3", ["-march=x86-64-v3", "-mmove-max=256"])]:
            self.succeed(*EMIT, "--target", target)
            self.run_alone("out", "cmake", "-S", ".", "-B", "build", "-DCMAKE_CXX_COMPILER=g++",
                           "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_BUILD_TYPE=Debug",
                           "-DCMAKE_CXX_FLAGS=-O0 -Wall -Wextra -Werror")
            commands = self.read("out/build/compile_commands.json")
            for flag in flags:
                self.assertIn(flag, commands)
            self.run_alone("out", "cmake", "--build", "build")

    @unittest.skipUnless(platform.machine() == "x86_64", "no machine with flags of these kinds")
    def test_this_machines_processor_has_the_flags_of_its_level(self):
        self.succeed(*EMIT, "--target", "native")
        wide, moves = "-mprefer-vector-width=512", "-mmove-max=256 -mstore-max=256"
        for without in ["", "-mno-avx512f", "-mno-avx"]:
            has = self.run_alone("out", "g++", "-march=native", *without.split(), "-dM", "-E", "-x", "c++", os.devnull)
            wanted = wide if "__AVX512F__" in has else moves if "__AVX__" in has else ""
            self.run_alone("out", "cmake", "-S", ".", "-B", "build" + without, "-DCMAKE_CXX_COMPILER=g++",
                           "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", f"-DCMAKE_CXX_FLAGS={without}")
            commands = self.read(f"out/build{without}/compile_commands.json")
            for flags in wide, moves:
                self.assertEqual(f"-march=native {flags} " in commands, flags == wanted, without)

    def test_choices_are_recorded(self):
        sod = ["emit", "hydro", "--dim", 1, "--problem", "sod", "--output", "out"]
        self.succeed(*sod)
        usual = json.loads(self.read("out/paraiso-emit.json"))
        self.assertEqual(usual["problem"], "sod")
        self.assertEqual(usual["choices"], {"riemann": "hllc", "limiter": "minmod",
                                            "integrator": "midpoint", "turned": "0"})
        readme = self.read("out/README.md")
        self.succeed(*sod, "--choose", "limiter=mc,riemann=hll")
        chosen = json.loads(self.read("out/paraiso-emit.json"))
        self.assertEqual(chosen["choices"], {**usual["choices"], "limiter": "mc", "riemann": "hll"})
        self.assertNotEqual(chosen["program_hash"], usual["program_hash"])
        self.assertEqual(
            self.read("out/README.md"),
            readme + "\nMade from Paraiso's `hydro`, problem `sod`, with the options riemann=hll, limiter=mc.\n")

    def test_again_over_its_own(self):
        first = self.succeed(*EMIT)
        self.assertEqual(self.succeed(*EMIT), first)

    def test_another_program_in_its_place_is_told(self):
        self.succeed(*EMIT)
        again = self.command(*EMIT)
        self.assertEqual((again.returncode, again.stderr), (0, ""))
        again = self.command(*EMIT, "--precision", "f32")
        self.assertEqual((again.returncode, again.stderr), (0, "note: `out` held the project of another program, of "
                                                               "other options perhaps; it is replaced\n"))

    def test_another_app_leaves_no_stale_file(self):
        self.succeed(*EMIT)
        self.succeed("emit", "hello", "--output", "out")
        self.assertFalse([name for name in os.listdir(self.path("out")) if "heat" in name])

    def test_refuses_a_folder_that_it_did_not_write(self):
        os.mkdir(self.path("out"))
        self.write("out/thesis.tex", "precious")
        self.assert_refused(
            "error: `--output out` is not empty and was not written by `emit`: "
            "choose another folder\n", *EMIT,
        )
        self.assertEqual(os.listdir(self.path("out")), ["thesis.tex"])

    def test_refuses_to_overwrite_what_the_user_changed(self):
        self.succeed(*EMIT)
        self.write("out/heat.cpp", "my own\n")
        self.assert_fails(
            "error: `out/heat.cpp` was changed since it was emitted: move it away, or choose "
            "another `--output` folder\n", *EMIT,
        )
        self.assertEqual(self.read("out/heat.cpp"), "my own\n")

    def test_refuses_a_file(self):
        self.write("out", "")
        self.assert_refused("error: `--output out` is no folder\n", *EMIT)

    def test_damaged_record(self):
        self.succeed(*EMIT)
        self.write("out/paraiso-emit.json", "{")
        self.assert_fails(
            "error: `out/paraiso-emit.json` is damaged: choose another `--output` folder\n", *EMIT
        )
        self.write("mine", "")
        self.write("out/paraiso-emit.json", '{"files": {"../mine": "cbf29ce484222325"}}')
        self.assert_fails(
            "error: `out/paraiso-emit.json` is damaged: choose another `--output` folder\n", *EMIT
        )
        self.assertTrue(os.path.exists(self.path("mine")))


# A user's own project around an emitted library, and a user's own program.
PROJECT = """cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES CXX)
add_subdirectory(out)
add_executable(user user.cpp)
target_link_libraries(user PRIVATE NAME)
"""
# What one instance saves another one loads, and goes on in the same way.
PROGRAM = """#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "NAME.hpp"

template <class Try>
void expect_failure(const Try& attempt) {
  try {
    attempt();
    std::puts("does not fail");
  } catch (const std::runtime_error& error) {
    std::puts(error.what());
  }
}

int main() {
  paraiso_solver::NAME solver({64, 64}, 2), other({64, 64}, 1);
  solver.PROBLEM();
  for (int step = 0; step < STEPS; ++step) solver.proceed();
  DIAGNOSTICS
  solver.save("state");
  other.load("state");
  other.save("loaded");
  solver.proceed();
  other.proceed();
  solver.save("next");
  other.save("next_of_loaded");

  std::filesystem::copy("state", "short");
  std::filesystem::resize_file("short", std::filesystem::file_size("state") - 1);
  expect_failure([&] { other.load("short"); });
  expect_failure([&] { other.load("missing"); });
  other.save("after_failures");
  std::filesystem::copy("state", "replaced");
  std::filesystem::create_symlink("replaced", "link");
  other.save("link");
  std::filesystem::copy("state", "kept");
  std::filesystem::create_directory("kept.part");
  expect_failure([&] { other.save("kept"); });
  expect_failure([&] { other.save("/dev/full"); });
}
"""
FORMATS = {"bool": "?", "i32": "i", "i64": "q", "f32": "f", "f64": "d"}


def mixed(i, bits):
    z = (bits + (i + 1) * 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def field_hash(cells, form):
    """As docs/files.md defines it; of numbers none of which is NaN."""
    width = struct.calcsize("=" + form)
    bits = [int.from_bytes(cells[i:i + width], "little") for i in range(0, len(cells), width)]
    return f"{sum(mixed(i, b) for i, b in enumerate(bits)) % 2**64:016x}"


class EmittedSolver(EmitTest):
    """Has, after some steps, the interpreter's bits."""

    STEPS = 7

    def build(self, name, problem, diagnostics):
        self.write("CMakeLists.txt", PROJECT.replace("NAME", name))
        self.write("user.cpp", PROGRAM.replace("NAME", name).replace("PROBLEM", problem)
                   .replace("STEPS", str(self.STEPS)).replace("DIAGNOSTICS", diagnostics))
        self.run_alone(".", "cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=None",
                       "-DCMAKE_CXX_FLAGS=-O1 -Wall -Wextra -Werror")
        self.run_alone(".", "cmake", "--build", "build")

    def saved_state(self, text):
        """By name, the bytes and the values of each static in the file `state`: the size, then the
        statics in their order, of a Local the core cells."""
        data = self.bytes_of("state")
        self.assertEqual(struct.unpack_from("2q", data), (64, 64))
        place, statics = 16, {}
        for name, realm, element in re.findall(r"^static (\w+) (\w+) (\w+)", text, re.MULTILINE):
            count = 64 * 64 if realm == "local" else 1
            form = f"={count}{FORMATS[element]}"
            length = struct.calcsize(form)
            cells = data[place:place + length]
            statics[name] = (cells, struct.unpack(form, cells), FORMATS[element])
            place += length
        self.assertEqual(place, len(data))
        return statics

    def assert_as_run(self, machine, name, problem, diagnostics=""):
        self.succeed("emit", *machine, "--output", "out")
        self.build(name, problem, diagnostics)
        told = self.run_alone(".", "build/user")
        self.assertEqual(self.bytes_of("loaded"), self.bytes_of("state"))
        self.assertEqual(self.bytes_of("next_of_loaded"), self.bytes_of("next"))
        self.assertNotEqual(self.bytes_of("next"), self.bytes_of("state"))
        self.assertEqual(told, "`short` holds a grid of another size, or another program's\n"
                               "cannot read `missing`\ncannot write `kept`\ncannot write `/dev/full`\n")
        self.assertEqual(self.bytes_of("after_failures"), self.bytes_of("next"))
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertEqual(self.bytes_of("replaced"), self.bytes_of("next"))
        self.assertFalse(os.path.exists(self.path("replaced.part")))
        self.assertEqual(self.bytes_of("kept"), self.bytes_of("state"))

        expected = self.succeed_json("run", *machine, "--size", "64x64", "--steps", self.STEPS,
                                     "--backend", "interpreter", "--quiet")
        state = self.saved_state(self.succeed("show", *machine))
        for field, summary in expected["fields"].items():
            self.assertEqual(field_hash(state[field][0], state[field][2]), summary["hash"], field)
        for scalar, value in expected["scalars"].items():
            if scalar != "time_limit":  # infinite, which JSON can't say
                self.assertEqual(state[scalar][1][0], value, scalar)

        # The example prints six digits of each field's first cell and of each scalar.
        printed = dict(line.split(" = ") for line in
                       self.run_alone(".", "build/out/example", self.STEPS).splitlines())
        for field in expected["fields"]:
            self.assertEqual(float(printed[f"{field}[0]"]), float(f"{state[field][1][0]:.6g}"))
        return printed

    def test_of_an_app_with_boundary_kernels(self):
        machine = ["hydro", "--dim", 2, "--problem", "jet"]
        self.assertIn("\nboundary_kernel ", self.succeed("show", *machine))
        printed = self.assert_as_run(machine, "hydro", "jet", "solver.totals();")
        self.assertGreater(float(printed["total_mass"]), 2)  # not the start's
        self.assertGreater(float(printed["density[0]"]), 0)

    def test_of_a_file(self):
        self.write("life.om", self.succeed("show", "life"))
        self.assert_as_run(["life.om"], "life", "glider")

    def test_with_those_of_another_back_end_in_one_program(self):
        self.succeed("emit", "heat", "--dim", 1, "--output", "heat")
        for name in ("life", "hydro"):
            self.succeed("emit", name, *(["--dim", 1] if name == "hydro" else []), "--backend", "opencl",
                         "--output", name)
        os.utime(self.path("life/paraiso_device.hpp"), (0, 0))  # the same text in another file
        self.write("both.cpp", '#include "heat/heat.hpp"\n#include "life/life.hpp"\n#include "hydro/hydro.hpp"\n'
                               "int main() { return paraiso_solver::heat({4}).size(0) != 4; }\n")
        sources = ["heat/heat.cpp", "life/life.cpp"]
        self.run_alone(".", "g++", "-std=c++17", "-O0", "-fopenmp", "both.cpp", *sources,
                       "heat/paraiso_support.cpp", "life/paraiso_support.cpp", "-ldl", "-o", "both")
        self.run_alone(".", "./both")


if __name__ == "__main__":
    unittest.main()
