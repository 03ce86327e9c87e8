"""Code for AArch64: cross-compiled, run by qemu, and compared with the interpreter in every bit.

Needs g++-aarch64-linux-gnu and qemu-user; without, its exit status 77 tells CTest that it is skipped. clang++ is asked too, without OpenMP,
whose library it lacks for this processor.
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from command import CommandTest

GCC, QEMU = shutil.which("aarch64-linux-gnu-g++"), shutil.which("qemu-aarch64")
STEPS = 5
# As the emitted CMakeLists.txt has them. Bits do not depend on -O.
FLAGS = ["-std=c++17", "-O1", "-march=armv8-a", "-ffp-contract=off", "-fno-math-errno",
         "-fno-trapping-math"]
COMPILERS = {
    "g++": [GCC, "-fopenmp"],
    "clang++": [shutil.which("clang++"), "--target=aarch64-linux-gnu", "-Wno-unknown-pragmas",
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
  for (int step = 0; step < STEPS; ++step) solver.proceed();
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


class Aarch64(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.supports = tempfile.mkdtemp()  # objects that all programs have in common
        cls.addClassCleanup(shutil.rmtree, cls.supports, ignore_errors=True)

    def checkpoint(self, machine, size, steps):
        """The bytes of all statics, as the interpreter has them after so many steps."""
        self.succeed("run", *machine, "--size", size, "--steps", steps, "--backend", "interpreter",
                     "--checkpoint", "checkpoint", "--quiet")
        data = self.bytes_of("checkpoint")
        magic = b"paraiso checkpoint 2\n"
        self.assertTrue(data.startswith(magic))
        length, _, rest = data[len(magic):].partition(b"\n")
        header = json.loads(rest[:int(length)])
        return header["statics"], rest[int(length):-32]

    def build(self, name, compiler):
        def run(*more):
            done = subprocess.run([*COMPILERS[compiler], *FLAGS, *more], cwd=self.path("out"),
                                  capture_output=True, text=True, timeout=500)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

        support = os.path.join(self.supports, compiler + ".o")
        if not os.path.exists(support):
            run("-c", "paraiso_support.cpp", "-o", support)
        run("-static", name + ".cpp", "../main.cpp", "-I.", support, "-o", "program")

    def first_difference(self, statics, size, expected, got):
        """In words; empty where there is none."""
        place, sizes = 0, {"bool": 1, "i32": 4, "i64": 8, "f32": 4, "f64": 8}
        cells = 1
        for extent in size:
            cells *= extent
        for name, realm, element in statics:
            width = sizes[element]
            for cell in range(cells if realm == "local" else 1):
                here = slice(place + cell * width, place + (cell + 1) * width)
                if expected[here] != got[here]:
                    return (f"`{name}` ({element}) at {cell} is {got[here].hex()} and the "
                            f"interpreter says {expected[here].hex()}")
            place += width * (cells if realm == "local" else 1)
        return ""

    def assert_same_bits(self, name, *more, size, diagnostics=""):
        extents = [int(extent) for extent in size.split("x")]
        for numbers in ("strict", "fma"):
            machine = [name, *more, "--numbers", numbers]
            _, start = self.checkpoint(machine, size, 0)
            statics, expected = self.checkpoint(machine, size, STEPS)
            self.assertNotEqual(start, expected)
            with open(self.path("start"), "wb") as file:
                file.write(struct.pack(f"<{len(extents)}q", *extents) + start)
            self.succeed("emit", *machine, "--output", "out", "--target", "aarch64")
            solver = name.removesuffix(".om")
            self.write("main.cpp", MAIN.replace("NAME", solver).replace("STEPS", str(STEPS))
                       .replace("SIZE", ", ".join(map(str, extents)))
                       .replace("DIAGNOSTICS", diagnostics))
            compilers = [one for one, call in COMPILERS.items() if call[0]]
            for compiler in compilers if numbers == "fma" else compilers[:1]:
                with self.subTest(machine=name, numbers=numbers, compiler=compiler):
                    self.build(solver, compiler)
                    done = subprocess.run([QEMU, "out/program"], cwd=self.folder, timeout=500,
                                          capture_output=True, text=True,
                                          env={**os.environ, "OMP_WAIT_POLICY": "passive"})
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    got = self.bytes_of("state")[8 * len(extents):]
                    self.assertEqual(len(got), len(expected))
                    self.assertEqual(
                        self.first_difference(statics, extents, expected, got), "")
            shutil.rmtree(self.path("out"))

    def test_wave(self):
        self.assert_same_bits("wave", "--dim", 2, size="19x7", diagnostics="solver.error();")

    def test_heat(self):
        self.assert_same_bits("heat", "--dim", 2, size="33x6", diagnostics="solver.error();")

    def test_hydro_1d(self):
        self.assert_same_bits("hydro", "--dim", 1, "--problem", "sod", size="67",
                              diagnostics="solver.totals(); solver.error();")

    def test_hydro_2d(self):
        self.assert_same_bits("hydro", "--dim", 2, "--problem", "jet", size="13x9",
                              diagnostics="solver.totals();")

    def test_life(self):
        self.assert_same_bits("life", size="67x12")

    def test_integers_truths_and_casts(self):
        self.write("mixture.om", MIXTURE)
        self.assert_same_bits("mixture.om", size="37x8")


if __name__ == "__main__":
    if not GCC or not QEMU:
        print("SKIP: no aarch64-linux-gnu-g++ or no qemu-aarch64: no code for AArch64 is tested")
        sys.exit(77)
    unittest.main()
