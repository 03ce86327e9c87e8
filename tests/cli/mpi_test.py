"""`paraiso run` by several processes, which an MPI's launcher starts: the bits, files and messages of one.

Skipped where neither Open MPI nor MPICH is installed.
"""
import glob
import itertools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import unittest

from command import DOUBLING, PARAISO
from launching import HERE, HOST, LIBRARIES, LONGEST, NOT_HERE, Mpi, an_mpi_in_turn, each_mpi

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
    "mhd": ("--size", "20x15"),
    "training": ("--size", "9x8x7", "--choose", "order=3"),
    "stencil": ("--size", "12x11x10", "--choose", "program=wave25"),
}
MPI_RANKS = os.environ["MPI_RANKS"]
not_sanitized = unittest.skipIf(os.environ.get("PARAISO_SANITIZE"), "sanitizers take memory of their own")


class Results(Mpi):
    def test_every_app_on_any_number_of_ranks(self):
        """As the interpreter. By one MPI and the other in turns, on one thread and on two, by one compiler and the other, on
        two of three numbers of ranks; PARAISO_MPI_ALL=1: all of them, and on 8 and 16 ranks."""
        everything = os.environ.get("PARAISO_MPI_ALL")
        compilers = [name for name in ("g++", "clang++") if shutil.which(name)]
        listed = [app["name"] for app in self.succeed_json("apps")["apps"]]
        self.assertEqual(sorted(APPS), sorted(listed))
        for number, (app, options) in enumerate(APPS.items()):
            call = ("run", app, *options, "--steps", 5, "--quiet")
            one = self.succeed_json(*call, "--backend", "interpreter")
            for ranks in (2, 3, 5, 8, 16) if everything else ((2, 3), (3, 5), (5, 2))[number % 3]:
                turn = number + ranks
                ways = itertools.product(HERE, (1, 2), compilers)
                some = [(HERE[turn % len(HERE)], 1 + (number + turn // 2) % 2, compilers[number % len(compilers)])]
                for kind, threads, compiler in ways if everything else some:
                    self.kind = kind
                    with self.subTest(mpi=kind, app=app, ranks=ranks, threads=threads, compiler=compiler):
                        several = self.launch_json(ranks, *call, "--threads", threads, "--compiler", compiler)
                        self.assertEqual((several["ranks"], several["threads"]), (ranks, threads))
                        self.assert_same(several, one)

    @an_mpi_in_turn
    def test_one_process_is_one_process(self):
        self.assert_same(self.launch_json(1, *HEAT, "--steps", 6), self.succeed_json(*HEAT, "--steps", 6))

    @an_mpi_in_turn
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

    @an_mpi_in_turn
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

    @an_mpi_in_turn
    def test_the_wall_time_ends_all_after_one_step(self):
        """One clock decides; what there is then is what as many steps of one process give."""
        call = (*HEAT, "--checkpoint", "check")
        several = self.launch_json(3, *call, "--steps", 10 ** 12, "--wall-time", 1)
        checkpoint = self.bytes_of("check")
        one = self.succeed_json(*call, "--steps", several["steps"])
        self.assertGreater(several["steps"], 10)
        self.assert_same(several, {**one, "end": "stopped at the wall time"})
        self.assertTrue(checkpoint == self.bytes_of("check"))

    @an_mpi_in_turn
    def test_cuts_move_before_every_step(self):
        for ranks in (2, 3):
            told = self.launch_parts((ranks, MPI_RANKS, "moves"))
            self.assertRegex(told.stdout, r"^(1[5-9]\d|200) moves, 0 wrong\n$", told.stderr)

    @an_mpi_in_turn
    def test_balanced_is_that_of_one_process(self):
        self.write("parts", "divide 1 at 5 leaf divide 1 at 119 leaf leaf")
        # So many that two windows of fifty agree on a busy machine, too.
        run = ("run", "heat", "--dim", 2, "--size", "100x120", "--steps", 2000, "--quiet", "--threads", 1, "--json")
        result = self.launch(3, *run, "--divide", "parts", "--balance")
        self.assert_same(json.loads(result.stdout), self.succeed_json(*run[:-1]))
        self.assertRegex(result.stderr, r"(?m)^balanced after \d+ steps: ")

    @an_mpi_in_turn
    def test_bench_is_of_all(self):
        result = self.launch(3, "bench", *HEAT[1:6], "--steps", 40, "--repeat", 2, "--threads", 1, "--json")
        found = json.loads(result.stdout)
        self.assertEqual((found["ranks"], found["messages_per_step"], found["bytes_sent_per_step"]), (3, 6, 576))

    def peaks(self, ranks, *call):
        """Of each process, in bytes, with what the run said of it."""
        self.write("peak.py", "import os, resource, subprocess, sys\n"
                              "status = subprocess.run(sys.argv[1:], close_fds=False).returncode\n"
                              "rank = os.environ.get('OMPI_COMM_WORLD_RANK') or os.environ['PMI_RANK']\n"
                              "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss\n"
                              "open('peak.' + rank, 'w').write(str(peak))\nsys.exit(status)\n")
        result = self.launch_parts((ranks, sys.executable, "peak.py", PARAISO, *call))
        self.assertEqual(result.returncode, 0, result.stderr)
        return [int(self.read(f"peak.{rank}")) * 1024 for rank in range(ranks)], json.loads(result.stdout)["process_bytes"]

    def assert_as_said(self, peaks, said):
        for peak, bytes_said in zip(peaks, said, strict=True):
            self.assertLess(abs(peak / bytes_said - 1), 0.05, (peaks, said))

    @not_sanitized
    def test_no_process_holds_a_whole_field(self):
        """At its peak, with files written: less than one field of 250 MiB, of which there are two; and what was said.
        In one dimension, too, where a field is one row and two sums are taken."""
        self.kind = HERE[0]
        for app, size, ranks in (("heat", "5000x6554", 8), ("wave", "32770000", 10)):
            with self.subTest(app=app):
                call = ("run", app, "--dim", size.count("x") + 1, "--size", size, "--steps", 2, "--quiet", "--threads", 1, "--json")
                self.launch(ranks, *call)  # compiles it: compilers take memory, too
                peaks, said = self.peaks(ranks, *call, "--output", "out", "--checkpoint", "check")
                self.assertLess(max(peaks), 5000 * 6554 * 8, peaks)
                self.assert_as_said(peaks, said)

    @not_sanitized
    @each_mpi
    def test_messages_do_not_pile_up(self):
        """Whole faces are sent, forty times: what that takes was said, too."""
        call = ("run", "heat", "--dim", 3, "--size", "160x160x200", "--steps", 40, "--quiet", "--threads", 1, "--json")
        self.launch(4, *call[:7], 1, *call[8:])
        self.assert_as_said(*self.peaks(4, *call))

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

    def test_the_command_is_linked_to_no_mpi(self):
        def libraries(file):
            return subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout

        self.assertNotRegex(libraries(PARAISO), "(?i)mpi|pmix|hydra")
        self.assertRegex(libraries(f"{LIBRARIES}/libparaiso_mpi_{HERE[0]}.so"), "(?i)mpi")

    def test_doctor_knows_them(self):
        found = json.loads(self.command("doctor", "--json").stdout)["mpi"]
        for kind, version in (("openmpi", "Open MPI "), ("mpich", "MPICH Version:")):
            self.assertEqual(found[kind]["version"].startswith(version), kind in HERE, found)

    @an_mpi_in_turn
    def test_what_ranks_can_not_share_one_process_does(self):
        result = self.launch(3, "show", "hello")
        self.assertEqual(result.stdout, self.succeed("show", "hello"))


class Errors(Mpi):
    programs = (PARAISO, MPI_RANKS)

    @an_mpi_in_turn
    def test_wrong_calls_are_told_once(self):
        self.assert_tells(self.launch(2, *HEAT, "--ranks", 3), 2,
                          "error: `--ranks 3`, but 2 processes were started\n")
        self.assert_tells(self.launch(3, *HEAT, "--divide", "2x2"), 2,
                          "error: `--divide 2x2` makes 4 parts, but 3 processes were started\n")
        self.assert_tells(self.launch(2, "run", "heat", "--stpes", 3), 2,
                          "error: no option `--stpes`: did you mean `--steps`?\n")

    @an_mpi_in_turn
    def test_more_ranks_than_cells(self):
        self.assert_tells(self.launch(4, "run", "heat", "--dim", 1, "--size", 3), 2,
                          "error: a grid of 3 cells can't be divided into 4 parts\n")
        self.assert_tells(self.launch(3, *HEAT[:5], "12x2", "--divide", "1x3"), 2,
                          "error: axis 1 of 2 cells can't be cut into 3 parts\n")

    @an_mpi_in_turn
    def test_a_nan_is_an_ordinary_verdict(self):
        self.write("overflow.om", DOUBLING.replace(  # 0, 1, 2, ...: 2 overflows in step 1023
            "  store a %1\nend\n\nend machine",
            "  %2: local f64 = sub %1 %1\n  %3: local f64 = add %1 %2\n  store a %3\nend\n\nend machine"))
        self.assert_tells(
            self.launch(3, "run", "overflow.om", "--size", 3, "--quiet", "--threads", 1, "--steps", 5000), 1,
            f"error: NaN in field `a` at cell (2) on rank 2 of 3 on {HOST} after step 1023; step 1022 was still sound\n")

    @an_mpi_in_turn
    def test_processes_that_differ(self):
        self.assert_tells(
            self.launch_parts((1, PARAISO, *HEAT, "--steps", 3), (1, PARAISO, "run", "heat", "--dim", 2, "--size", "12x11")),
            1, f"error: rank 1 of 2 on {HOST}: it has another grid: 12x11, and rank 0 12x10\n")
        self.assert_tells(
            self.launch_parts((2, PARAISO, *HEAT, "--steps", 3), (1, PARAISO, *HEAT, "--numbers", "strict")),
            1, f"error: rank 2 of 3 on {HOST}: it has another mode of numbers: strict, and rank 0 fma\n")
        life, hexadecimal = ("run", "life", "--size", "12x10", "--quiet", "--threads", 1), "[0-9a-f]{16}"
        for mine, other, what in (
                ((), life, f"program: life {hexadecimal}, and rank 0 heat {hexadecimal}"),
                ((), (*HEAT, "--problem", "walls"), f"program: heat {hexadecimal}, and rank 0 heat {hexadecimal}"),
                ((), (*HEAT, "--schedule", "genome:A"), f"schedule: {hexadecimal}, and rank 0 {hexadecimal}"),
                ((), (*HEAT, "--fuse", 2), "number of fused steps: 2, and rank 0 1"),
                (("--divide", "1x2"), (*HEAT, "--divide", "2x1"), r"division: divide 0 at 6 .*, and rank 0 divide 1 at 5 .*")):
            with self.subTest(what):
                result = self.launch_parts((1, PARAISO, *HEAT, "--steps", 3, *mine), (1, PARAISO, *other))
                self.assert_tells(result, 1, "error: ")
                self.assertRegex(result.stderr, f"(?m)^error: rank 1 of 2 on {HOST}: it has another {what}$")

    def test_another_version(self):
        """A copy of the command, changed in the one place where its version is."""
        version = self.succeed("--version").split()[-1]
        with open(PARAISO, "rb") as file:
            command = file.read()
        text = b"\0" + version.encode() + b"\0"
        self.assertIn(text, command)
        os.makedirs(self.path("other/bin"))
        os.symlink(os.path.dirname(LIBRARIES), self.path("other/lib"))
        with open(self.path("other/bin/paraiso"), "wb") as file:
            file.write(command.replace(text, b"\0" + b"9" * len(version) + b"\0"))
        os.chmod(self.path("other/bin/paraiso"), 0o755)
        self.programs = (*self.programs, self.path("other/bin/paraiso"))
        for self.kind in HERE:
            with self.subTest(mpi=self.kind):
                result = self.launch_parts((1, PARAISO, *HEAT, "--steps", 3), (1, "other/bin/paraiso", *HEAT, "--steps", 3))
                self.assert_tells(result, 1, f"error: rank 1 of 2 on {HOST}: it has another version of Paraiso: "
                                             f"{'9' * len(version)}, and rank 0 {version}\n")

    def test_a_stale_cache_of_one_rank(self):
        """In which another program has the name of what the rank needs: that is made again."""
        self.kind = HERE[0]
        for cache, problem in (("stale", "decay"), ("other", "walls")):
            os.mkdir(self.path(cache), 0o700)
            self.succeed(*HEAT, "--problem", problem, "--steps", 1, env={"PARAISO_CACHE": self.path(cache)})
        stale, other = (os.path.dirname(*glob.glob(self.path(cache + "/*/library.so"))) for cache in ("stale", "other"))
        shutil.rmtree(stale)
        os.rename(other, stale)
        call = (PARAISO, *HEAT, "--steps", 3, "--json")
        result = self.launch_parts((1, *call), (1, "env", "PARAISO_CACHE=" + self.path("stale"), *call))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_same(json.loads(result.stdout), self.succeed_json(*HEAT, "--steps", 3))

    @an_mpi_in_turn
    def test_one_that_has_no_memory(self):
        little = f"ulimit -v 150000; exec {PARAISO} run heat --dim 2 --size 4000x4000 --steps 1 --quiet --threads 1"
        result = self.launch_parts((1, PARAISO, "run", "heat", "--dim", 2, "--size", "4000x4000", "--steps", 1),
                                   (1, "bash", "-c", little))
        self.assert_tells(result, 1, f"error: rank 1 of 2 on {HOST}: a grid of 4000x4000 cells needs ")

    @each_mpi
    def test_a_launcher_of_another_mpi(self):
        for other in HERE:
            if other != self.kind:
                # The launcher ends all when one has ended: the first tells, however late it is.
                call = (*HEAT, "--steps", 3)
                late = shlex.join(map(str, ("exec", PARAISO, *call)))
                result = self.launch_parts((1, "bash", "-c", "sleep 3; " + late), (2, PARAISO, *call), env={"PARAISO_MPI": other})
                self.assertEqual(result.returncode, 1)
                self.assertEqual(result.stderr.count("error: started as one of 3 processes by "), 1, result.stderr)

    def test_a_launcher_of_an_mpi_that_is_missing(self):
        os.mkdir(self.path("bin"))
        shutil.copy(PARAISO, self.path("bin/paraiso"))
        beside = re.escape(self.path("lib/paraiso"))
        # Where no launcher ends it, a later one tells, too: its host may be the only one that lacks the library.
        for rank, who in (0, ""), (1, f"rank 1 of 4 on {HOST}: "):
            text = (f"error: {who}started as one of 4 processes by Open MPI's mpirun, but `libparaiso_mpi_openmpi.so` is not "
                    f"in `{beside}`, `/.*/lib/paraiso`\nhint: install libopenmpi-dev openmpi-bin and build Paraiso "
                    "again; where it has been installed elsewhere, set LD_LIBRARY_PATH to its `lib/paraiso`\n")
            result = subprocess.run([self.path("bin/paraiso"), *map(str, HEAT)], capture_output=True, text=True,
                                    env={**os.environ, "OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": str(rank)})
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertRegex(result.stderr, f"^{text}$")
        found = subprocess.run([self.path("bin/paraiso"), "doctor", "--json"], capture_output=True, text=True,
                               env={**os.environ, "LD_LIBRARY_PATH": LIBRARIES})
        for kind in HERE:
            self.assertEqual(json.loads(found.stdout)["mpi"][kind]["library"], f"{LIBRARIES}/libparaiso_mpi_{kind}.so")

    @each_mpi
    def test_one_that_is_killed_leaves_no_other(self):
        """The launcher, which knows, tells it. The old checkpoint has its bytes, and a run from it ends as one that nobody
        disturbed."""
        call = ("run", "heat", "--dim", 2, "--size", "300x300", "--threads", 1)
        self.succeed(*call, "--steps", 2, "--quiet", "--checkpoint", "check")
        old = self.bytes_of("check")
        whole = self.succeed_json(*call, "--steps", 5, "--quiet")
        for killed in (0, 2):
            with self.subTest(rank=killed):
                run = self.start_ranks(3, *call, "--steps", 10 ** 9, "--restart", "check", "--checkpoint", "check",
                                       "--wall-time", 90)
                pids = self.wait_for_steps(run)
                self.assertEqual(len(pids), 3)
                os.kill(pids[killed], signal.SIGKILL)
                self.assert_launcher_tells(run, killed, pids)
                self.assert_none_left()
                self.assertTrue(self.bytes_of("check") == old)
                again = self.launch_json(3, *call, "--steps", 5, "--quiet", "--restart", "check")
                self.assert_same(again, whole)

    def assert_launcher_tells(self, run, killed, pids):
        """Open MPI names the rank; MPICH a process, but perhaps one of those that it has ended then itself."""
        printed, told = run.communicate(timeout=LONGEST)
        if self.kind == "openmpi":
            self.assertEqual(run.returncode, 128 + signal.SIGKILL)
            self.assertRegex(told, rf"noticed that process rank {killed} with PID \d+ on node {HOST} exited on signal 9 \(Killed\)")
        else:
            self.assertEqual(run.returncode, signal.SIGKILL)
            [pid] = re.findall(rf"PID (\d+) RUNNING AT {HOST}$", printed, re.MULTILINE)
            self.assertIn(int(pid), pids)
            self.assertIn("EXIT STRING: Killed (signal 9)\n", printed)

    @each_mpi
    def test_a_signal_stops_the_run(self):
        """To all, as launchers send it, or to a process other than the first, which heeds it all the same."""
        for told in ([1, 0], [1]):
            with self.subTest(told=told):
                self.assert_stops(told)

    def assert_stops(self, ranks):
        run = self.start_ranks(2, "run", "heat", "--dim", 2, "--size", "60x60", "--steps", 10 ** 9, "--threads", 1,
                               "--checkpoint", "check", "--wall-time", 90)
        pids = self.wait_for_steps(run)
        for rank in ranks:
            os.kill(pids[rank], signal.SIGTERM)
        printed, told = run.communicate(timeout=30)
        self.assertEqual(run.returncode, 1)
        self.assertIn("terminated at step ", printed)
        os.remove(self.path("check"))

    @each_mpi
    def test_a_failure_amid_work_ends_all(self):
        result = self.launch_parts((4, MPI_RANKS, "fails"))
        self.assert_tells(result, 1, f"error: rank 1 of 4 on {HOST}: the disk is full\nhint: make room\n")

    @each_mpi
    def test_long_messages_arrive(self):
        for what in ("pieces", "carried"):
            self.assertEqual(self.launch_parts((3, MPI_RANKS, what)).stdout, "0 wrong\n")


if __name__ == "__main__":
    if not HERE:
        print(NOT_HERE)
        sys.exit(77)
    unittest.main()
