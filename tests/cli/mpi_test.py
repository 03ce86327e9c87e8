"""`paraiso run` by several processes, which an MPI's launcher starts: the bits, files and messages of one.

Skipped where neither Open MPI nor MPICH is installed.
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

from command import DOUBLING, PARAISO, CommandTest

HEAT = ("run", "heat", "--dim", 2, "--size", "12x10", "--quiet", "--threads", 1)
# Tiny grids, thinner than some halos when they are cut.
APPS = {
    "hello": ("--size", "30"),
    "life": ("--size", "20x11"),
    "wave": ("--dim", 2, "--size", "16x10"),
    "heat": ("--dim", 3, "--size", "9x8x7"),
    "hydro": ("--dim", 2, "--size", "24x18"),
    "acoustic": ("--dim", 2, "--size", "24x20"),
    "himeno": ("--size", "10x9x8"),
}
LIBRARIES = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(PARAISO))), "lib/paraiso")
LAUNCHERS = {
    "openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"],
    "mpich": ["mpirun.mpich"],
}
HERE = [kind for kind, words in LAUNCHERS.items()
        if shutil.which(words[0]) and os.path.exists(f"{LIBRARIES}/libparaiso_mpi_{kind}.so")]
HOST = socket.gethostname()
MPI_RANKS = os.environ["MPI_RANKS"]


def each_mpi(test):
    def run(self):
        for kind in HERE:
            with self.subTest(mpi=kind):
                self.kind = kind
                test(self)
    return run


class Mpi(CommandTest):
    def words(self, *parts):
        """Of a call of the launcher: each part is a number of processes and their arguments."""
        call = list(LAUNCHERS[self.kind])
        for ranks, *arguments in parts:
            if len(call) > len(LAUNCHERS[self.kind]):
                call.append(":")
            call += ["-n", str(ranks), *map(str, arguments)]
        return call

    def launch_parts(self, *parts, env=None):
        return subprocess.run(self.words(*parts), cwd=self.folder, capture_output=True, text=True, timeout=100,
                              env={**os.environ, **(env or {})})

    def launch(self, ranks, *arguments, env=None):
        return self.launch_parts((ranks, PARAISO, *arguments), env=env)

    def launch_json(self, ranks, *arguments):
        result = self.launch(ranks, *arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def assert_tells(self, result, status, text):
        """Once, whatever the launcher says besides."""
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(result.stderr.count(text), 1, result.stderr)
        self.assertEqual(result.stderr.count("error: "), 1, result.stderr)
        self.assertNotIn("finished", result.stdout)

    def assert_same(self, several, one):
        for what in ("fields", "scalars", "errors", "steps", "time", "end"):
            self.assertEqual(several[what], one[what])


class Results(Mpi):
    def test_every_app_on_any_number_of_ranks(self):
        """By one MPI and the other in turns; PARAISO_MPI_ALL=1: all by both, and on 8 and 16 ranks."""
        everything = os.environ.get("PARAISO_MPI_ALL")
        for number, (app, options) in enumerate(APPS.items()):
            call = ("run", app, *options, "--steps", 5, "--quiet", "--threads", 1)
            one = self.succeed_json(*call)
            for ranks in (2, 3, 5, 8, 16) if everything else (2, 3, 5):
                for kind in HERE if everything else [HERE[(number + ranks) % len(HERE)]]:
                    self.kind = kind
                    with self.subTest(mpi=kind, app=app, ranks=ranks):
                        several = self.launch_json(ranks, *call)
                        self.assertEqual(several["ranks"], ranks)
                        self.assert_same(several, one)

    @each_mpi
    def test_one_process_is_one_process(self):
        self.assert_same(self.launch_json(1, *HEAT, "--steps", 6), self.succeed_json(*HEAT, "--steps", 6))

    @each_mpi
    def test_text_is_that_of_one_process(self):
        def without_speed(text):
            return [line for line in text.splitlines() if not line.startswith(("speed", "processes")) and "takes" not in line]

        call = (*HEAT, "--steps", 6, "--output", "out", "--plot", "u", "--divide", "2x2")
        here = self.succeed(*call)
        pictures = self.bytes_of("out/scalars.csv")
        shutil.rmtree(self.path("out"))
        result = self.launch(4, *call)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(without_speed(result.stdout), without_speed(here))
        self.assertEqual(self.bytes_of("out/scalars.csv"), pictures)

    @each_mpi
    def test_checkpoints_go_on_with_other_numbers_of_processes(self):
        self.succeed(*HEAT, "--steps", 6, "--checkpoint", "whole")
        for before, after in ((3, None), (None, 2)):
            for ranks, steps, more in ((before, 4, ()), (after, 6, ("--restart", "part"))):
                call = (*HEAT, "--steps", steps, "--checkpoint", "part", *more)
                if ranks:
                    self.launch_json(ranks, *call, "--ranks", ranks)
                else:
                    self.succeed(*call)
            self.assertEqual(self.bytes_of("part"), self.bytes_of("whole"))

    @each_mpi
    def test_cuts_move_before_every_step(self):
        for ranks in (2, 3):
            told = self.launch_parts((ranks, MPI_RANKS, "moves"))
            self.assertRegex(told.stdout, r"^(1[5-9]\d|200) moves, 0 wrong\n$", told.stderr)

    @each_mpi
    def test_balanced_is_that_of_one_process(self):
        self.write("parts", "divide 1 at 5 leaf divide 1 at 119 leaf leaf")
        run = ("run", "heat", "--dim", 2, "--size", "100x120", "--steps", 300, "--quiet", "--threads", 1, "--json")
        result = self.launch(3, *run, "--divide", "parts", "--balance")
        self.assert_same(json.loads(result.stdout), self.succeed_json(*run[:-1]))
        self.assertRegex(result.stderr, r"(?m)^balanced after \d+ steps: ")

    @each_mpi
    def test_bench_is_of_all(self):
        result = self.launch(3, "bench", *HEAT[1:6], "--steps", 40, "--repeat", 2, "--threads", 1, "--json")
        found = json.loads(result.stdout)
        self.assertEqual((found["ranks"], found["messages_per_step"], found["bytes_sent_per_step"]), (3, 6, 576))

    def test_no_process_holds_a_whole_field(self):
        """At its peak, with files written: less than one field of 250 MiB, of which there are two; and what was said."""
        if os.environ.get("PARAISO_SANITIZE"):
            self.skipTest("sanitizers take memory of their own")
        self.kind = HERE[0]
        self.write("peak.py", "import os, resource, subprocess, sys\n"
                              "status = subprocess.run(sys.argv[1:]).returncode\n"
                              "rank = os.environ.get('OMPI_COMM_WORLD_RANK') or os.environ['PMI_RANK']\n"
                              "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
                              "open('peak.' + rank, 'w').write(str(peak))\nsys.exit(status)\n")
        call = ("run", "heat", "--dim", 2, "--size", "5000x6554", "--steps", 2, "--quiet", "--threads", 1, "--json")
        self.launch(2, *call)  # compiles it: compilers take memory, too
        result = self.launch_parts((8, sys.executable, "peak.py", PARAISO, *call, "--output", "out", "--checkpoint", "check"))
        self.assertEqual(result.returncode, 0, result.stderr)
        peaks = [int(self.read(f"peak.{rank}")) for rank in range(8)]
        self.assertLess(max(peaks) * 1024, 5000 * 6554 * 8, peaks)
        said = json.loads(result.stdout)["process_bytes"]
        for peak, bytes_said in zip(peaks, said, strict=True):
            self.assertLess(abs(peak * 1024 / bytes_said - 1), 0.05, (peaks, said))

    def test_code_is_compiled_once(self):
        self.kind = HERE[0]
        os.mkdir(self.path("bin"))
        os.mkdir(self.path("cache"), 0o700)
        self.write("bin/g++", f'#!/bin/sh\necho "$PWD" "$@" >>{self.path("calls")}\nexec {shutil.which("g++")} "$@"\n')
        os.chmod(self.path("bin/g++"), 0o755)
        env = {"PATH": self.path("bin") + ":" + os.environ["PATH"], "PARAISO_CACHE": self.path("cache")}
        result = self.launch(3, "run", "life", "--size", "12x10", "--steps", 2, "--quiet", "--compiler", "g++", env=env)
        self.assertEqual(result.returncode, 0, result.stderr)
        linked = [call for call in self.read("calls").splitlines() if "/making-" in call and " -shared " in call]
        self.assertEqual(len(linked), 1, linked)

    def test_doctor_knows_them(self):
        found = json.loads(self.command("doctor", "--json").stdout)["mpi"]
        for kind, version in (("openmpi", "Open MPI "), ("mpich", "MPICH Version:")):
            self.assertEqual(found[kind]["version"].startswith(version), kind in HERE, found)

    @each_mpi
    def test_what_ranks_can_not_share_one_process_does(self):
        result = self.launch(3, "show", "hello")
        self.assertEqual(result.stdout, self.succeed("show", "hello"))


class Errors(Mpi):
    @each_mpi
    def test_wrong_calls_are_told_once(self):
        self.assert_tells(self.launch(2, *HEAT, "--ranks", 3), 2,
                          "error: `--ranks 3`, but 2 processes were started\n")
        self.assert_tells(self.launch(3, *HEAT, "--divide", "2x2"), 2,
                          "error: `--divide 2x2` makes 4 parts, but 3 processes were started\n")
        self.assert_tells(self.launch(2, "run", "heat", "--stpes", 3), 2,
                          "error: no option `--stpes`: did you mean `--steps`?\n")

    @each_mpi
    def test_a_nan_is_an_ordinary_verdict(self):
        self.write("overflow.om", DOUBLING.replace(  # 0, 1, 2, ...: 2 overflows in step 1023
            "  store a %1\nend\n\nend machine",
            "  %2: local f64 = sub %1 %1\n  %3: local f64 = add %1 %2\n  store a %3\nend\n\nend machine"))
        self.assert_tells(
            self.launch(3, "run", "overflow.om", "--size", 3, "--quiet", "--threads", 1, "--steps", 5000), 1,
            "error: NaN in field `a` at cell (2) on rank 2 after step 1023; step 1022 was still sound\n")

    @each_mpi
    def test_processes_that_differ(self):
        self.assert_tells(
            self.launch_parts((1, PARAISO, *HEAT, "--steps", 3), (1, PARAISO, "run", "heat", "--dim", 2, "--size", "12x11")),
            1, f"error: rank 1 of 2 on {HOST}: it has another grid: 12x11, and rank 0 12x10\n")
        self.assert_tells(
            self.launch_parts((2, PARAISO, *HEAT, "--steps", 3), (1, PARAISO, *HEAT, "--numbers", "strict")),
            1, f"error: rank 2 of 3 on {HOST}: it has another mode of numbers: strict, and rank 0 fma\n")

    @each_mpi
    def test_one_that_has_no_memory(self):
        little = f"ulimit -v 150000; exec {PARAISO} run heat --dim 2 --size 4000x4000 --steps 1 --quiet --threads 1"
        result = self.launch_parts((1, PARAISO, "run", "heat", "--dim", 2, "--size", "4000x4000", "--steps", 1),
                                   (1, "bash", "-c", little))
        self.assert_tells(result, 1, f"error: rank 1 of 2 on {HOST}: a grid of 4000x4000 cells needs ")

    @each_mpi
    def test_a_launcher_of_another_mpi(self):
        for other in HERE:
            if other != self.kind:
                for _ in range(3):  # Open MPI's processes may all want to make its folder in /tmp at once
                    result = self.launch(3, *HEAT, "--steps", 3, env={"PARAISO_MPI": other})
                    if "orte_session_dir failed" not in result.stderr:
                        break
                self.assertEqual(result.returncode, 1)
                self.assertEqual(result.stderr.count("error: started as one of 3 processes by "), 1, result.stderr)

    def test_a_launcher_of_an_mpi_that_is_missing(self):
        os.mkdir(self.path("bin"))
        shutil.copy(PARAISO, self.path("bin/paraiso"))
        for rank, text in ((0, "error: started as one of 4 processes by Open MPI's mpirun, but Paraiso was built "
                               "without Open MPI\nhint: install libopenmpi-dev openmpi-bin and build Paraiso again\n"),
                           (1, "")):
            result = subprocess.run([self.path("bin/paraiso"), *map(str, HEAT)], capture_output=True, text=True,
                                    env={**os.environ, "OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": str(rank)})
            self.assertEqual((result.returncode, result.stdout, result.stderr), (1, "", text))

    @each_mpi
    def test_one_that_is_killed_leaves_no_other(self):
        self.write("mark", "")
        call = self.words((3, PARAISO, "run", "heat", "--dim", 2, "--size", "300x300", "--steps", 10 ** 9, "--threads", 1,
                           "--checkpoint", "check", "--wall-time", 90))
        run = subprocess.Popen(call, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        ranks = self.wait_for_ranks(3)
        os.kill(ranks[-1], signal.SIGKILL)
        printed, told = run.communicate(timeout=30)
        self.assertNotEqual(run.returncode, 0)
        self.assertRegex(printed + told, "(?i)killed")  # by the launcher, which knows
        self.assertEqual(self.ranks(), [])

    @each_mpi
    def test_a_signal_to_all_stops_the_run(self):
        """As launchers send it. The first process heeds it."""
        call = self.words((2, PARAISO, "run", "heat", "--dim", 2, "--size", "60x60", "--steps", 10 ** 9, "--threads", 1,
                           "--checkpoint", "check", "--wall-time", 90))
        run = subprocess.Popen(call, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for pid in sorted(self.wait_for_ranks(2), key=self.rank_of, reverse=True):
            os.kill(pid, signal.SIGTERM)
        printed, told = run.communicate(timeout=30)
        self.assertEqual(run.returncode, 1)
        self.assertIn("terminated at step ", printed)
        self.assertTrue(os.path.exists(self.path("check")))

    @each_mpi
    def test_a_failure_amid_work_ends_all(self):
        result = self.launch_parts((4, MPI_RANKS, "fails"))
        self.assert_tells(result, 1, f"error: rank 1 of 4 on {HOST}: the disk is full\nhint: make room\n")

    @each_mpi
    def test_long_messages_arrive(self):
        self.assertEqual(self.launch_parts((3, MPI_RANKS, "pieces")).stdout, "0 wrong\n")

    def ranks(self):
        """The processes of this test: those that work in its folder."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{pid}/cwd") == self.folder and os.readlink(f"/proc/{pid}/exe") == os.path.realpath(PARAISO):
                    found.append(int(pid))
            except OSError:
                pass  # it has ended
        return sorted(found)

    def rank_of(self, pid):
        with open(f"/proc/{pid}/environ") as file:
            variables = dict(line.split("=", 1) for line in file.read().split("\0") if "=" in line)
        return variables.get("OMPI_COMM_WORLD_RANK") or variables.get("PMI_RANK")

    def wait_for_ranks(self, number):
        """Until they all compute."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            ranks = self.ranks()
            if len(ranks) == number and all(self.seconds_of(pid) > 1 for pid in ranks):
                return ranks
            time.sleep(0.1)
        self.fail("the ranks don't come")

    def seconds_of(self, pid):
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    if not HERE:
        print("SKIP: neither Open MPI nor MPICH is here: scripts/setup.sh installs them")
        sys.exit(77)
    unittest.main()
