"""How tests start several processes by an MPI's launcher, and look at what they leave behind.

PARAISO_MPI_ALL=1 (scripts/test-long.sh): what no MPI has a part in is asked of each, and not of one and another in turn.
"""
import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time

from command import PARAISO, CommandTest

LIBRARIES = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(PARAISO))), "lib/paraiso")
LAUNCHERS = {
    "openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"],
    "mpich": ["mpirun.mpich"],
}
HERE = [kind for kind, words in LAUNCHERS.items()
        if shutil.which(words[0]) and os.path.exists(f"{LIBRARIES}/libparaiso_mpi_{kind}.so")]
NOT_HERE = "SKIP: neither Open MPI nor MPICH is here: scripts/setup.sh installs them"
HOST = socket.gethostname()
LONGEST = 30  # seconds from a failure to its end
HANGS = 300  # that one may run in all: compilers of a slow machine, too
EVERYTHING = os.environ.get("PARAISO_MPI_ALL")
TURNS = itertools.count()


def finished(words, **options):
    """The process, when it has ended; it also knows the seconds that were left to it after it first told of an error."""
    with tempfile.TemporaryFile("w+") as printed:
        run = subprocess.Popen(words, stdout=printed, stderr=subprocess.PIPE, text=True, **options)
        clock = threading.Timer(HANGS, run.kill)
        clock.start()
        told, failed = [], None
        try:
            for line in run.stderr:
                told.append(line)
                if failed is None and "error: " in line:
                    failed = time.monotonic()
            status = run.wait()
        finally:
            run.kill()
            clock.cancel()
        printed.seek(0)
        result = subprocess.CompletedProcess(words, status, printed.read(), "".join(told))
    result.seconds = time.monotonic() - failed if failed else 0
    return result


def each_mpi(test):
    def run(self):
        for kind in HERE:
            with self.subTest(mpi=kind):
                self.kind = kind
                test(self)
    return run


def an_mpi_in_turn(test):
    """For what Paraiso does by itself, whoever carries its messages."""
    if EVERYTHING or not HERE:
        return each_mpi(test)
    kind = HERE[next(TURNS) % len(HERE)]

    def run(self):
        self.kind = kind
        test(self)
    return run


class Mpi(CommandTest):
    programs = (PARAISO,)  # what ranks are

    def words(self, *parts):
        """Of a call of the launcher: each part is a number of processes and their arguments."""
        call = list(LAUNCHERS[self.kind])
        for ranks, *arguments in parts:
            if len(call) > len(LAUNCHERS[self.kind]):
                call.append(":")
            call += ["-n", str(ranks), *map(str, arguments)]
        return call

    def environment(self):
        """With a folder for Open MPI's own files, which is there: its processes fail when two make it at once."""
        os.makedirs(self.path(f"ompi.{HOST}.{os.getuid()}"), mode=0o700, exist_ok=True)
        return {**os.environ, "OMPI_MCA_orte_tmpdir_base": self.folder}

    def launch_parts(self, *parts, env=None):
        return finished(self.words(*parts), cwd=self.folder, env={**self.environment(), **(env or {})})

    def launch(self, ranks, *arguments, env=None):
        return self.launch_parts((ranks, PARAISO, *arguments), env=env)

    def launch_json(self, ranks, *arguments):
        result = self.launch(ranks, *arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def start_ranks(self, ranks, *arguments):
        """Their launcher, whose processes work in this test's folder."""
        run = subprocess.Popen(self.words((ranks, PARAISO, *arguments)), cwd=self.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=self.environment())
        self.addCleanup(lambda: run.poll() is None and run.kill())
        return run

    def assert_tells(self, result, status, text):
        """Once, whatever the launcher says besides; in time, and nobody stays."""
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(result.stderr.count(text), 1, result.stderr)
        self.assertEqual(result.stderr.count("error: "), 1, result.stderr)
        self.assertNotIn("finished", result.stdout)
        self.assertLess(result.seconds, LONGEST)
        self.assert_none_left()

    def assert_same(self, several, one):
        for what in ("fields", "scalars", "errors", "steps", "time", "end"):
            self.assertEqual(several[what], one[what])

    def assert_none_left(self):
        until = time.monotonic() + 5  # a launcher need not wait for those that it has ended
        while self.ranks() and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(self.ranks(), [])

    def ranks(self):
        """The processes of this test: those that work in its folder."""
        programs = [os.path.realpath(program) for program in self.programs]
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{pid}/cwd") == self.folder and os.readlink(f"/proc/{pid}/exe") in programs:
                    found.append(int(pid))
            except OSError:
                pass  # it has ended
        return sorted(found)

    def rank_of(self, pid):
        with open(f"/proc/{pid}/environ") as file:
            variables = dict(line.split("=", 1) for line in file.read().split("\0") if "=" in line)
        return int(variables.get("OMPI_COMM_WORLD_RANK") or variables.get("PMI_RANK"))

    def wait_for_steps(self, run):
        """The ranks of a run that is not quiet, by rank, when it has told of a step."""
        for line in run.stderr:
            if line.startswith("step "):
                return sorted(self.ranks(), key=self.rank_of)
        self.fail("the run ended without a step")
