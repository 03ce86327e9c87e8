"""Code for AArch64: cross-compiled, run by qemu, and compared with the interpreter in every bit.

Needs g++-aarch64-linux-gnu and qemu-user; without, its exit status 77 tells CTest that it is skipped. clang++ is asked too,
without OpenMP, whose library it lacks for this processor: of each program the one makes what has multiply-adds and the other
what has none; with PARAISO_EVERY_BUILD=1 (scripts/test-long.sh) both make both.
"""
import itertools
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from command import CommandTest

GCC, QEMU = shutil.which("aarch64-linux-gnu-g++"), shutil.which("qemu-aarch64")
STEPS = 5
# As the emitted CMakeLists.txt has them, but for -O: that is -O3 where it is asked for, and where special values are, which
# compilers have got wrong with it.
FLAGS = ["-std=c++17", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
COMPILERS = {
    "g++": [GCC, "-fopenmp", "-march=armv8-a"],
    "clang++": [shutil.which("clang++"), "--target=aarch64-linux-gnu", "-march=armv8-a", "-Wno-unknown-pragmas",
                "-DWITHOUT_OPENMP"],
}
MAIN = """#include "NAME.hpp"

#ifdef WITHOUT_OPENMP
extern "C" int omp_get_thread_num() { return 0; }
#endif

int main() {
  paraiso_solver::NAME solver({SIZE}, 2);
  solver.set_threads(2, 0);  // share all work
  solver.load("start");
  for (int step = 0; step < STEPS; ++step) KERNELS
  DIAGNOSTICS
  solver.save("state");
}
"""
# Integers, truths and casts between all elements, small and saturating ones.
MIXTURE = """paraiso 1
machine mixture dimension 2

static a local i32
  boundary 0 cyclic cyclic
  boundary 1 outflow reflect +
static b local i64
  boundary 0 cyclic cyclic
  boundary 1 outflow reflect +
static p local bool
  boundary 0 cyclic cyclic
  boundary 1 outflow reflect +
static x local f32
  boundary 0 cyclic cyclic
  boundary 1 outflow reflect +
static y local f64
  boundary 0 cyclic cyclic
  boundary 1 outflow reflect +
static least global f64
static count global i64
static large local i32
  boundary 0 cyclic cyclic
  boundary 1 outflow reflect +
static sign local f32
  boundary 0 cyclic cyclic
  boundary 1 outflow reflect +

kernel begin initial
  %i = load_index 0
  %j = load_index 1
  %7 = imm i64 7
  %l7 = broadcast %7
  %ij = mul %i %j
  %k = sub %ij %l7
  store b %k
  %m = mod %k %l7
  %a = cast %m i32
  store a %a
  %p = lt %i %j
  store p %p
  %y0 = cast %k f64
  %third = imm f64 0.3
  %thirdl = broadcast %third
  %y = mul %y0 %thirdl
  store y %y
  %x = cast %y f32
  store x %x
end

kernel proceed step
  %a = load a
  %b = load b
  %p = load p
  %x = load x
  %y = load y
  %e = shift %a (1,0)
  %n = shift %b (0,-1)
  %q = shift %p (-1,1)
  %xe = shift %x (1,0)
  %yn = shift %y (0,1)
  %a64 = cast %e i64
  %s = add %a64 %n
  %five = imm i64 5
  %fivel = broadcast %five
  %quotient, %rest = divmod %s %fivel
  %m = max %quotient %rest
  %b1 = sub %m %b
  store b %b1
  %r32 = cast %rest i32
  %a1 = xor %r32 %a
  %a2 = abs %a1
  %a3 = select %q %a2 %r32
  store a %a3
  %less = lt %xe %x
  %odd = ne %r32 %a
  %both = and %less %odd
  %p1 = xor %both %q
  store p %p1
  %y32 = cast %yn f32
  %x1 = add %y32 %x
  %half = imm f32 0.5
  %halfl = broadcast %half
  %x2 = mul %x1 %halfl
  %x3 = floor %x2
  %x4 = sub %x2 %x3
  store x %x4
  %root0 = abs %y
  %root = sqrt %root0
  %fm = cast %m f64
  %product = mul %fm %root
  %z = add %product %yn
  %x64 = cast %x4 f64
  %one = imm f64 1
  %onel = broadcast %one
  %d = add %root %onel
  %y1 = div %z %d
  %y2 = min %y1 %fm
  store y %y2
  %minimum = reduce min %y2
  store least %minimum
  %total = reduce sum %b1
  store count %total
  %huge = imm f64 1e9
  %hugel = broadcast %huge
  %wide = mul %y2 %hugel
  %saturated = cast %wide i32
  store large %saturated
  %signum = signum %x4
  %back = cast %saturated f32
  %negative = neg %back
  %sign = mul %signum %negative
  store sign %sign
end

end machine
"""


HERE = ["g++", "-fopenmp"]
CELLS = 37  # of the program of special values
PROGRAMS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "differential/programs")
FORMATS = {"bool": "<?", "i32": "<i", "i64": "<q", "f32": "<f", "f64": "<d"}
SIZES = {element: struct.calcsize(format_) for element, format_ in FORMATS.items()}
MAGIC = b"paraiso checkpoint 2\n"


def special_numbers(element):
    if element == "bool":
        return [False, True]
    if element in ("f32", "f64"):
        least, most = (1e-45, 3.4028234663852886e38) if element == "f32" else (5e-324, sys.float_info.max)
        return [sign * number for number in (0.0, 1.0, least, most, 2.5, math.inf, math.nan) for sign in (1, -1)]
    most = (1 << 8 * SIZES[element] - 1) - 1
    return [0, 1, -1, -most - 1, most, 7, -3]


def special_values(element):
    """The bytes of each."""
    return [struct.pack(FORMATS[element], number) for number in special_numbers(element)]


def all_special_programs():
    """Those that one compiler or the other once got wrong, as one program with a kernel for each; the names of its kernels."""
    statics, kernels, names = "", "", []
    for file_name in sorted(os.listdir(PROGRAMS)):
        if re.search(r"(?<!_\dd)\.om$", file_name) and file_name != "split_twice.om":
            name = file_name.removesuffix(".om")
            with open(os.path.join(PROGRAMS, file_name)) as file:
                text = re.sub(r"\b(static|load|store) (?=\w)", rf"\1 {name}_", file.read())
            statics += "".join(re.findall(r"^static .*\n(?:  .*\n)*", text, re.M))
            kernels += "kernel " + name + re.search(r"^kernel \w+(?: step)?(\n.*?^end\n)", text, re.M | re.S)[1]
            names.append(name)
    return f"paraiso 1\nmachine special dimension 1\n{statics}{kernels}end machine\n", names


def start_of(program):
    """The names, realms and elements of a program's statics, and a state: special values in every field, a different one
    beside each of another field; scalars are 0 or what a parameter is by itself."""
    statics, state = [], b""
    for name, realm, element, value in re.findall(r"^static (\w+) (local|global) (\w+)(?: parameter = (\S+))?", program, re.M):
        if realm == "local":
            values = itertools.islice(itertools.cycle(special_values(element)), 3 * len(statics), 3 * len(statics) + CELLS)
            state += b"".join(values)
        else:
            state += struct.pack(FORMATS[element], type(special_numbers(element)[0])(value or 0))
        statics.append((name, realm, element))
    return statics, state


class Aarch64(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.supports = tempfile.mkdtemp()  # objects that all programs have in common
        cls.addClassCleanup(shutil.rmtree, cls.supports, ignore_errors=True)

    def checkpoint(self, machine, size, steps):
        """All statics and their bytes, as the interpreter has them after so many steps."""
        self.succeed("run", *machine, "--size", size, "--steps", steps, "--backend", "interpreter", "--checkpoint", "checkpoint", "--quiet")
        data = self.bytes_of("checkpoint")
        self.assertTrue(data.startswith(MAGIC))
        length, _, rest = data[len(MAGIC):].partition(b"\n")
        return json.loads(rest[:int(length)])["statics"], rest[int(length):-32]

    def build(self, name, call, optimization):
        def run(*more):
            done = subprocess.run([*call, *FLAGS, optimization, *more], cwd=self.path("out"), capture_output=True, text=True,
                                  timeout=500)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

        support = os.path.join(self.supports, "-".join(map(os.path.basename, call)) + ".o")
        if not os.path.exists(support):
            run("-c", "paraiso_support.cpp", "-o", support)
        run("-static", name + ".cpp", "../main.cpp", "-I.", support, "-o", "program")

    def first_difference(self, statics, size, expected, got):
        """In words; empty where there is none."""
        place = 0
        for name, realm, element in statics:
            width = SIZES[element]
            cells = math.prod(size) if realm == "local" else 1
            for cell in range(cells):
                here = slice(place + cell * width, place + (cell + 1) * width)
                if expected[here] != got[here] and not self.are_nan(element, expected[here], got[here]):
                    return (f"`{name}` ({element}) at {cell} is {got[here].hex()} and the "
                            f"truth is {expected[here].hex()}")
            place += width * cells
        return ""

    @staticmethod
    def are_nan(element, *values):
        """Whose sign and payload are the processor's."""
        return element in ("f32", "f64") and all(math.isnan(*struct.unpack(FORMATS[element], value)) for value in values)

    def emit(self, machine, target, extents, kernels, diagnostics=""):
        """The solver's name; main.cpp takes all steps."""
        shutil.rmtree(self.path("out"), ignore_errors=True)
        self.succeed("emit", *machine, "--output", "out", "--target", target)
        name = os.path.basename(machine[0]).removesuffix(".om")
        self.write("main.cpp", MAIN.replace("NAME", name).replace("STEPS", str(STEPS)).replace("KERNELS", kernels)
                   .replace("SIZE", ", ".join(map(str, extents))).replace("DIAGNOSTICS", diagnostics))
        return name

    def state_after(self, *call):
        done = subprocess.run([*call, "out/program"], cwd=self.folder, timeout=500, capture_output=True, text=True,
                              env={**os.environ, "OMP_WAIT_POLICY": "passive"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return self.bytes_of("state")

    def write_start(self, extents, state):
        with open(self.path("start"), "wb") as file:
            file.write(struct.pack(f"<{len(extents)}q", *extents) + state)

    def assert_same_bits(self, name, *more, size, diagnostics="", optimization="-O1", fused_by="g++"):
        extents = [int(extent) for extent in size.split("x")]
        for numbers in ("strict", "fma"):
            machine = [name, *more, "--numbers", numbers]
            _, start = self.checkpoint(machine, size, 0)
            statics, expected = self.checkpoint(machine, size, STEPS)
            self.assertNotEqual(start, expected)
            self.write_start(extents, start)
            solver = self.emit(machine, "aarch64", extents, "solver.proceed();", diagnostics)
            compilers = [one for one, call in COMPILERS.items() if call[0]]
            if "PARAISO_EVERY_BUILD" not in os.environ and len(compilers) > 1:
                compilers = [one for one in compilers if (one == fused_by) == (numbers == "fma")]
            for compiler in compilers:
                with self.subTest(machine=name, numbers=numbers, compiler=compiler):
                    self.build(solver, COMPILERS[compiler], optimization)
                    got = self.state_after(QEMU)[8 * len(extents):]
                    self.assertEqual(len(got), len(expected))
                    self.assertEqual(self.first_difference(statics, extents, expected, got), "")

    def test_a_machine_s_own_processor_is_asked_for_as_in_our_own_compiles(self):
        """The flags of the build files alone: no cross compiler knows what machine its code will run on."""
        self.succeed("emit", "hello", "--target", "native", "--output", "out")
        configure = ["cmake", "-S", "out", "-B", "out/build", "-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64",
                     "-DCMAKE_CXX_COMPILER=" + GCC, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
        done = subprocess.run(configure, cwd=self.folder, timeout=500, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        commands = self.read("out/build/compile_commands.json")
        self.assertIn(" -mcpu=native ", commands)
        self.assertNotIn("-march=", commands)

    def test_wave(self):
        self.assert_same_bits("wave", "--dim", 2, size="19x7", diagnostics="solver.error();", fused_by="clang++")

    def test_heat_in_single_precision(self):
        self.assert_same_bits("heat", "--dim", 3, "--precision", "f32", size="37x6x5", diagnostics="solver.error();",
                              optimization="-O3")

    def test_hydro_1d_in_single_precision(self):
        self.assert_same_bits("hydro", "--dim", 1, "--problem", "sod", "--precision", "f32", size="67",
                              diagnostics="solver.totals(); solver.error();", optimization="-O3", fused_by="clang++")

    def test_hydro_2d(self):
        self.assert_same_bits("hydro", "--dim", 2, "--problem", "jet", size="13x9",
                              diagnostics="solver.totals();")

    def test_special_values(self):
        """Those of this machine's code, which the interpreter is compared with elsewhere: `run` stops at a NaN."""
        program, kernels = all_special_programs()
        self.assertGreater(len(kernels), 12)
        self.write("special.om", program)
        statics, start = start_of(program)
        self.write_start([CELLS], start)
        calls, states = "".join(f"solver.{kernel}(); " for kernel in kernels), []
        for target, call, optimization in ("x86-64-v2", HERE, "-O0"), *(("aarch64", call, "-O3") for call in COMPILERS.values()):
            if call[0]:
                solver = self.emit(["special.om", "--numbers", "fma"], target, [CELLS], "{ " + calls + "}")
                self.build(solver, call, optimization)
                states.append(self.state_after(*[QEMU] * (target == "aarch64"))[8:])
                self.assertNotEqual(states[-1], start)
                self.assertEqual(self.first_difference(statics, [CELLS], states[0], states[-1]), "")
        self.assertGreater(len(states), 1)

    def test_life(self):
        self.assert_same_bits("life", size="67x12")

    def test_integers_truths_and_casts(self):
        self.write("mixture.om", MIXTURE)
        self.assert_same_bits("mixture.om", size="37x8", fused_by="clang++")


if __name__ == "__main__":
    if not GCC or not QEMU:
        print("SKIP: no aarch64-linux-gnu-g++ or no qemu-aarch64: no code for AArch64 is tested")
        sys.exit(77)
    unittest.main()
