"""Drives the command as a user does: runs it, and looks at status, standard output and standard error.

Given by CTest: PARAISO (the executable), PARAISO_CACHE (kept between tests, so that each program is
compiled once), PARAISO_MACHINE (the machine that is planned for: nothing is measured).
"""
import json
import os
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

    def assert_refused(self, text, *arguments, **options):
        self.expect(2, text, *arguments, **options)

    def assert_fails(self, text, *arguments, **options):
        self.expect(1, text, *arguments, **options)
