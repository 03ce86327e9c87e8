"""`emit --mpi`: a program that any number of processes run, with the bits of one, and nothing of Paraiso in sight.

Skipped where neither Open MPI nor MPICH is installed. PARAISO_MPI_ALL=1: more apps, on more processes, all by both.
"""
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from command import CommandTest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

LAUNCHERS = {
    "openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"],
    "mpich": ["mpirun.mpich"],
}
HERE = [kind for kind, words in LAUNCHERS.items()
        if shutil.which(words[0]) and shutil.which("mpicxx." + kind)]
EVERYTHING = os.environ.get("PARAISO_MPI_ALL")
FLAGS = ["-std=c++17", "-O1" if EVERYTHING else "-O0", "-ffp-contract=off", "-fopenmp"]
# Tiny grids, thinner than some halos when they are cut.
APPS = {
    "heat": (["--dim", 2, "--problem", "walls", "--fuse", 3], (12, 10)),  # one exchange for three steps
    "hydro": (["--dim", 2], (24, 18)),
}
MORE_APPS = {
    "heat 2-D": (["--dim", 2], (12, 10)),
    "heat 3-D": (["--dim", 3], (9, 8, 7)),
    "hello": ([], (700,)),
    "life": ([], (20, 11)),
    "wave": (["--dim", 2], (16, 10)),
    "wave 1-D": (["--dim", 1], (600,)),
    "hydro 1-D": (["--dim", 1], (40,)),
    "acoustic": (["--dim", 2], (24, 20)),
    "himeno": ([], (10, 9, 8)),
}
# Names that the emitted class and its base have, too.
NAMES = """paraiso 1
machine Part dimension 1

static solver local f32
  boundary 0 kernel rules outflow
static hash global f32

boundary_kernel rules
  %0: local f32 = load solver
  %1: local f32 = shift %0 (-1)
  result %1
end

kernel run initial
  %0: local i64 = load_index 0
  %1: local f32 = cast %0 f32
  store solver %1
end

kernel rank step
  %0: local f32 = load solver
  %1: local f32 = shift %0 (1)
  %2: local f32 = shift %0 (-1)
  %3: local f32 = add %1 %2
  store solver %3
  %4: global f32 = reduce sum %3
  store hash %4
end

end machine
"""


class EmitMpi(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.supports = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.supports, ignore_errors=True)

    def emit(self, app, *options):
        self.succeed("emit", app, *options, "--mpi", "--output", "out")

    def call(self, *words):
        result = subprocess.run([*map(str, words)], cwd=self.path("out"), capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def support(self, *flags):
        """The object of the support, which programs have in common, by its text."""
        text = self.read("out/paraiso_support.cpp") + self.read("out/paraiso_support.hpp")
        made = os.path.join(self.supports, hashlib.sha256(text.encode()).hexdigest() + ".o")
        if not os.path.exists(made):
            self.call(*flags, "-c", "paraiso_support.cpp", "-o", made)
        return made

    def build(self, name, main="main_mpi.cpp", kinds=HERE):
        """The solver, and a program for each of these MPIs, which is compiled as a user's own is."""
        sources = [file for file in (name + ".cpp", name + "_late.cpp") if os.path.exists(self.path("out/" + file))]
        compiler = ("g++", *FLAGS, "-march=native", "-Wall", "-Wextra", "-Werror")
        self.call(*compiler, "-c", *sources)
        objects = [*(file.replace(".cpp", ".o") for file in sources), self.support(*compiler)]
        for kind in kinds:
            self.call("mpicxx." + kind, "-std=c++17", "-O0", "-fopenmp", "-march=native", "-I.", "-Wall", "-Wextra",
                      "-Werror", main, *objects, "-o", "example." + kind)

    def words(self, kind, ranks, *arguments):
        return [*LAUNCHERS[kind], "-n", str(ranks), "./example." + kind, *map(str, arguments)]

    def launch(self, kind, ranks, *arguments):
        return subprocess.run(self.words(kind, ranks, *arguments), cwd=self.path("out"), capture_output=True, text=True,
                              timeout=300)

    def assert_as_run(self, app, options, size, ranks, kinds, *schedule):
        steps = 5
        self.emit(app, *options, *schedule)
        name = re.search(r'#include "(\w+)_part.hpp"', self.read("out/main_mpi.cpp"))[1]
        self.build(name, kinds=kinds)
        expected = self.succeed_json("run", app, *options, "--size", "x".join(map(str, size)), "--steps", steps,
                                     "--backend", "interpreter", "--quiet")
        for number in ranks:
            for kind in kinds:
                with self.subTest(app=app, ranks=number, mpi=kind):
                    result = self.launch(kind, number, steps, *size)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    first, *lines = result.stdout.splitlines()
                    self.assertRegex(first, rf"^5 steps by {number} processes in \S+ s$")
                    told = dict(line.split(": ") for line in lines)
                    for field, summary in expected["fields"].items():
                        self.assertEqual(told[field], "hash " + summary["hash"], field)
                    for scalar, value in expected["scalars"].items():
                        if value is not None:  # an infinite time limit, which JSON can't say
                            self.assertEqual(float(told[scalar]), value, scalar)

    def test_has_the_bits_of_run(self):
        for app, (options, size) in APPS.items():
            self.assert_as_run(app, options, size, (1, 2, 3, 5, 8) if EVERYTHING else (2, 3), HERE)
            wide = "rules.steps = 3;" in self.read(f"out/{app}_part.hpp")
            self.assertEqual(wide, "--fuse" in options)

    def test_a_host_of_ones_own(self):
        """Scalars, cells, boxes, files; the bits of one process, and sums that are awaited only when asked for."""
        self.emit(os.path.join(SOURCE, "tests/mpi/flow.om"))
        self.build("flow", os.path.join(SOURCE, "tests/mpi/host.cpp"))
        told, files = {}, {}
        for kind in HERE:
            for ranks in (1, 2, 3):
                with self.subTest(mpi=kind, ranks=ranks):
                    state = f"{kind}.{ranks}"
                    result = self.launch(kind, ranks, state, next(iter(files), state))
                    self.assertEqual(result.returncode, 0, result.stderr)
                    told[state], files[state] = result.stdout, self.bytes_of("out/" + state)
                    self.assertEqual(files[state], self.bytes_of(f"out/{state}.whole"))
                    self.assertFalse(os.path.exists(self.path(f"out/{state}.part")))
        self.assertEqual(len(set(files.values())), 1)
        self.assertEqual(len(set(told.values())), 1, told)
        lines = told.popitem()[1].splitlines()
        for line in ("three steps: 0 collectives", "their sums: 1 collectives",
                     "a kernel that reads one, and awaits another: 2 collectives", "cells outside the grid",
                     "cannot read `/dev/null`", "cannot read `no/such/folder`", "cannot write `no/such/folder`"):
            self.assertIn(line, lines)
        first = lines.index(next(line for line in lines if line.startswith("saved: ")))
        self.assertEqual([line.replace("loaded", "saved") for line in lines[first + 6:first + 12]], lines[first:first + 6])

    def test_may_compute_while_messages_travel(self):
        self.write("overlapped", self.succeed("show", "heat", "--dim", 2, "--genes") + "proceed/exchange = overlapped\n")
        self.assert_as_run("heat", ["--dim", 2], (60, 50), (3,), HERE if EVERYTHING else HERE[:1], "--schedule", "overlapped")
        self.assertIn("{&Solver::proceed, true,", self.read("out/heat_part.hpp"))

    def test_each_part_chooses_its_version(self):
        """By its own cells: of 10 rows on three processes, the part of four rows runs another version than the others."""
        self.write("heat.versions", "many genome:" + 2000 * "D" + " when 48 <= cells\nfew default\n")
        self.assert_as_run("heat", ["--dim", 2], (12, 10), (1, 3), HERE if EVERYTHING else HERE[-1:], "--versions",
                           "heat.versions")
        self.assertIn("thresholds_[0].measure = grid_.cells();", self.read("out/heat.cpp"))

    @unittest.skipUnless(EVERYTHING, "PARAISO_MPI_ALL=1")
    def test_more_have_the_bits_of_run(self):
        for app, (options, size) in MORE_APPS.items():
            self.assert_as_run(app.split()[0], options, size, (1, 2, 3, 5, 8), HERE)

    def test_is_built_by_cmake(self):
        """With names that the emitted classes have themselves; only one file knows MPI."""
        self.write("names.om", NAMES)
        self.emit("names.om", "--target", "native")
        for name in os.listdir(self.path("out")):
            text = self.read("out/" + name)
            self.assertEqual("#include <mpi.h>" in text, name == "paraiso_mpi.hpp", name)
            self.assertNotIn('#include "paraiso/', text)
        for name in filter(lambda name: name.startswith("paraiso_"), os.listdir(self.path("out"))):
            if "support" in name:
                continue
            self.assertLessEqual(self.read("out/" + name).count("\n"), 400)
        self.call("cmake", "-S", ".", "-B", "build", f"-DMPI_CXX_COMPILER=mpicxx.{HERE[0]}",
                  "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
        self.call("cmake", "--build", "build")
        shutil.copy(self.path("out/build/example_mpi"), self.path("out/example." + HERE[0]))
        told = {self.launch(HERE[0], ranks, 3, 700).stdout.split(" s\n")[1] for ranks in (1, 3)}
        self.assertEqual(len(told), 1, told)
        self.assertIn("hash: ", told.pop())

    def test_wrong_calls_and_stops(self):
        self.emit("life")
        self.build("life")
        for kind in HERE:
            for arguments, text in (((4, "ten", 8), "`ten` is no number of steps or cells"),
                                    ((4, 9 * 10**19, 8), "`90000000000000000000` is no number of steps or cells"),
                                    ((4, 10, 0, 8), "a grid has 1 to 2^62 cells"),
                                    ((4, 10, 1, 3), "a grid of 3 cells can't be divided among 4 processes")):
                result = self.launch(kind, *arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertEqual(result.stderr.count("error: "), 1, result.stderr)
                self.assertIn(f"error: {text}\n", result.stderr)
            self.assert_all_stop(kind)
            self.assert_refuses_threads(kind)

    def assert_refuses_threads(self, kind):
        """Where MPI grants less than is asked for."""
        self.write("out/single.cpp", "#include <mpi.h>\nextern \"C\" int MPI_Init_thread(int* c, char*** v, int r, int* given) {\n"
                                     "  const int status = PMPI_Init_thread(c, v, r, given);\n"
                                     "  *given = MPI_THREAD_SINGLE;\n  return status;\n}\n")
        self.call("mpicxx." + kind, "-shared", "-fPIC", "single.cpp", "-o", "single.so")
        result = subprocess.run(["env", "LD_PRELOAD=" + self.path("out/single.so"), *self.words(kind, 2, 4, 10, 8)],
                                cwd=self.path("out"), capture_output=True, text=True, timeout=300)
        self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
        self.assertEqual(result.stderr.count("error: this MPI can't be used by programs with threads\n"), 1, result.stderr)

    def assert_all_stop(self, kind):
        """One process alone is told to."""
        run = subprocess.Popen(self.words(kind, 3, 10 ** 9, 60, 60), cwd=self.path("out"), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 30
        while len(self.ranks()) < 3 and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(1)  # so that each has begun
        os.kill(self.ranks()[-1], signal.SIGTERM)
        printed, told = run.communicate(timeout=30)
        self.assertEqual(run.returncode, 0, told)
        self.assertEqual(int(printed.split()[0]) % 16, 0)
        self.assertEqual(self.ranks(), [])

    def ranks(self):
        """The processes that run the example."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{pid}/exe").startswith(os.path.realpath(self.path("out/example."))):
                    found.append(int(pid))
            except OSError:
                pass  # it has ended
        return sorted(found)

    def test_devices_have_the_whole_grid(self):
        self.assert_refused("error: `--mpi` needs `--backend openmp`: `opencl` has the whole grid\n",
                            "emit", "life", "--mpi", "--backend", "opencl", "--output", "out")


if __name__ == "__main__":
    if not HERE:
        print("SKIP: neither Open MPI nor MPICH is here: scripts/setup.sh installs them")
        sys.exit(77)
    unittest.main()
