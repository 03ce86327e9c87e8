"""Drives the command as a user does: runs it, and looks at status, standard output and standard error.

Given by CTest: PARAISO (the executable), PARAISO_CACHE (kept between tests, so that each program is
compiled once), PARAISO_MACHINE (the machine that is planned for: nothing is measured).
"""
import functools
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

PARAISO = os.environ["PARAISO"]
TARGET = os.environ.get("PARAISO_TARGET") or "native"

# Not long, and nothing to wait for: the equations of the smallest app, on paper.
DOUBLING = """paraiso 1
machine doubling dimension 1

static a local f64
  boundary 0 cyclic cyclic

kernel begin initial
  %0: local i64 = load_index 0
  %1: local f64 = cast %0 f64
  store a %1
end

kernel proceed step
  %0: local f64 = load a
  %1: local f64 = add %0 %0
  store a %1
end

end machine
"""

GAS = ["hydro", "--dim", 1, "--size", 40]



def program_of(app, dimension, precision, numbers):
    """Of `emit` or `show`."""
    return [app, "--dim", int(dimension), "--precision", precision, "--numbers", numbers]


@functools.cache
def devices(backend):
    """What `doctor` finds here, asked once."""
    told = subprocess.run([PARAISO, "doctor", "--json"], capture_output=True, text=True, check=True)
    return json.loads(told.stdout)["devices"][backend]


class CommandTest(unittest.TestCase):
    """Each test runs in an empty folder of its own."""

    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return name

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def command(self, *arguments, env=None, preexec_fn=None, input=None):
        return subprocess.run(
            [PARAISO, *map(str, arguments)],
            cwd=self.folder,
            env={**os.environ, **(env or {})},
            preexec_fn=preexec_fn,
            input=input,
            capture_output=True,
            text=True,
            timeout=500,
        )

    def start(self, *arguments, env=None):
        return subprocess.Popen(
            [PARAISO, *map(str, arguments)],
            cwd=self.folder,
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def assert_restarts_with_the_same_bits(self, call, device):
        """Three steps on a device and three on the processor are six, in this order and in the other one."""
        straight = self.succeed_json("run", *call, 6)["fields"]
        for first, then in ((device, []), ([], device)):
            half = self.succeed_json("run", *call, 3, *first, "--checkpoint", "state")["fields"]
            self.assertNotEqual(half, straight)
            self.assertEqual(self.succeed_json("run", *call, 6, *then, "--restart", "state")["fields"], straight)

    def assert_ends_and_writes_at_the_same_steps(self, device):
        """Of gas dynamics, whose steps the device counts, as on the processor; by outputs, and at the end."""
        series, fields = [], []
        for output, backend in ("here", []), ("there", device):
            result = self.succeed_json("run", *GAS, "--until", 0.05, "--every", 0.01, "--output", output, *backend)
            series.append(self.read(output + "/scalars.csv"))
            snapshots = result["files"]["snapshots"]
            self.assertEqual(len(snapshots), 6)
            fields.append([self.succeed_json("run", *GAS, "--steps", 0, "--fields", snapshot)["fields"] for snapshot in snapshots]
                          + [result["fields"]])
        self.assertEqual(*series)
        self.assertEqual(len(series[0].splitlines()), 7)
        self.assertEqual(*fields)
        for at_one_time in zip(*(fields[0][1:], fields[0][:-2])):
            self.assertNotEqual(*at_one_time)  # they are not all the same

    def assert_tells_of_nan_and_of_time_at_the_same_step(self, device):
        """And of a time that stands still, after steps of which the host sees only the last."""
        self.succeed("run", *GAS, "--until", 0.05, "--checkpoint", "state")
        for more, error in ((["--steps", 50, "--set", "fixed_time_step=0.5"], "NaN in field `density` at cell (0) after step 2"),
                            (["--steps", 90, "--restart", "state", "--set", "fixed_time_step=1e-30"], "time does not advance at ")):
            told = []
            for backend in [], device:
                result = self.command("run", *GAS, *more, *backend)
                self.assertEqual(result.returncode, 1)
                told.append([line for line in result.stderr.splitlines() if line.startswith("error: ")])
            self.assertEqual(*told)
            self.assertIn(error, told[0][0])

    def assert_reports_and_replays(self, database, told=r"about \d+ registers a thread.*: \d+ % of the threads at a time\n"):
        """The tuning of a device: its page tells what blocks take, a recording of it is replayed."""
        self.succeed("report", database, "--output", "page.html")
        self.assertTrue(re.search(told, self.read("page.html")), told)
        self.succeed("replay", database, "--output", "tuned.recording")
        replayed = self.succeed_json("replay", "tuned.recording", "--seeds", 2)
        self.assertGreaterEqual(replayed["individuals"], 1)
        self.assertEqual(self.succeed_json("replay", database, "--seeds", 2), replayed)

    def every_program(self):
        """Of each app: each dimension, precision and mode."""
        return [program_of(app["name"], dimension, precision, numbers)
                for app in self.succeed_json("apps")["apps"] for dimension in app["dimensions"] for precision in app["precisions"]
                for numbers in ("strict", "fma")]

    def hiding(self, name, around):
        """The environment `around`, in which a program seems to be installed nowhere."""
        fakes = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fakes")
        subprocess.run(["g++", "-std=c++17", "-shared", "-fPIC", os.path.join(fakes, "hidden.cpp"), "-o", self.path("hidden.so"),
                        "-ldl"], check=True)
        return {**around, "LD_PRELOAD": self.path("hidden.so"), "HIDDEN_FILES": "/" + name}

    def spoilt_compiler(self, name, version):
        """A compiler of kernels of that version, which refuses what it is given; the folder that it lies in."""
        os.mkdir(self.path("bin"))
        self.write("bin/" + name, f"""#!/bin/sh
[ "$1" = --version ] && echo '{version}' && exit
for line in 1 2 3 4 5 6 7 8 9; do echo "kernels, line $line: beads expected" >&2; done
exit 1
""")
        os.chmod(self.path("bin/" + name), 0o755)
        return self.path("bin")

    def assert_refused_by_kernel_compiler(self, told, name, source):
        """The message has the first lines of what the compiler said, and keeps the kernels."""
        found = re.fullmatch(r"error: (.*)\nnote: the sources are kept in `(.*)`", told.strip(), re.S)
        self.assertIsNotNone(found, told)
        self.assertIn(name, found[1].splitlines()[0])
        self.assertIn("kernels, line 1: beads expected\nkernels, line 2: beads expected\n", found[1])
        self.addCleanup(shutil.rmtree, found[2])
        with open(os.path.join(found[2], source)) as file:
            self.assertIn("heat_proceed_1", file.read())

    def faulty_compiler(self, faults):
        """The environment in which g++ spoils the programs that it is given, see faulty_compiler.py."""
        os.mkdir(self.path("bin"))
        compiler = os.path.join(os.path.dirname(os.path.abspath(__file__)), "faulty_compiler.py")
        os.symlink(compiler, self.path("bin/g++"))
        os.mkdir(self.path("cache"), 0o700)
        return {
            "PATH": self.path("bin") + ":" + os.environ["PATH"],
            "REAL_COMPILER": shutil.which("g++"),
            "FAULTS": faults,
            "FAULT_LOG": self.path("faults"),
            "PARAISO_CACHE": self.path("cache"),
        }

    def succeed(self, *arguments, **options):
        """Standard output of a call that must succeed."""
        result = self.command(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def succeed_json(self, *arguments, **options):
        """The one object that `--json` prints: anything else on standard output is a failure."""
        return json.loads(self.succeed(*arguments, "--json", **options))

    def expect(self, status, text, *arguments, **options):
        """A call that must end with `status`, exactly `text` on standard error and nothing else."""
        result = self.command(*arguments, **options)
        self.assertEqual(result.stderr, text)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.returncode, status)

    def fields_in(self, snapshot, app, *options):
        """What is in an HDF5 file, read back as fields of a run."""
        return self.succeed_json("run", app, *options, "--fields", snapshot, "--steps", 0, "--quiet")["fields"]

    def assert_refused(self, text, *arguments, **options):
        self.expect(2, text, *arguments, **options)

    def assert_fails(self, text, *arguments, **options):
        self.expect(1, text, *arguments, **options)
