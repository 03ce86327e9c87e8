"""Files of several processes that an MPI's launcher started: those of one; and what is left on disk when a process can't go on.

Skipped where neither Open MPI nor MPICH is installed.
"""
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

from command import PARAISO
from launching import HERE, HOST, LONGEST, NOT_HERE, Mpi, an_mpi_in_turn, each_mpi

HEAT = ("run", "heat", "--dim", 2, "--size", "12x10", "--quiet", "--threads", 1)
LARGE = ("run", "heat", "--dim", 2, "--size", "2000x1200", "--quiet", "--threads", 1)  # writing it takes a while


def can_mount():
    """A small disk of one's own: needs root."""
    return shutil.which("unshare") and subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=64k", "none", "/mnt"],
                                                      capture_output=True).returncode == 0


class Files(Mpi):
    @an_mpi_in_turn
    def test_are_those_of_one_process(self):
        """By their bytes: pictures, XDMF, scalars and HDF5 files, which are read back, too."""
        call = (*HEAT, "--steps", 6, "--plot", "u", "--every", 0.002, "--output", "several", "--json")
        shutil.rmtree(self.path("one"), ignore_errors=True)
        expected = json.loads(self.succeed(*call))["fields"]
        os.rename(self.path("several"), self.path("one"))
        self.assertEqual(self.launch(3, *call).returncode, 0)
        names = sorted(os.listdir(self.path("one")))
        self.assertEqual(sorted(os.listdir(self.path("several"))), names)
        kinds = {os.path.splitext(name)[1] for name in names}
        self.assertEqual(kinds, {".png", ".h5", ".csv", ".xdmf"})
        for name in names:
            self.assertTrue(self.bytes_of("several/" + name) == self.bytes_of("one/" + name), name)
        self.assertEqual(self.fields_in("several/heat_00000006.h5", *HEAT[1:6]), expected)
        shutil.rmtree(self.path("several"))

    @an_mpi_in_turn
    def test_a_damaged_checkpoint_is_refused(self):
        self.launch_json(2, *HEAT, "--steps", 3, "--checkpoint", "whole")
        whole = self.bytes_of("whole")
        flipped = bytearray(whole)
        flipped[-100] ^= 1
        for name, content, why in (("cut", whole[:-40], f"it is cut, {len(whole) - 40} of {len(whole)} bytes are there\n"),
                                   ("flipped", bytes(flipped), "its bytes do not match their checksum\n")):
            with open(self.path(name), "wb") as file:
                file.write(content)
            result = self.launch(3, *HEAT, "--steps", 6, "--restart", name, "--checkpoint", name)
            self.assert_tells(result, 1, f"error: the checkpoint `{name}` is damaged: {why}")
            self.assertEqual(self.bytes_of(name), content)
        self.assert_tells(self.launch(3, *HEAT, "--steps", 6, "--restart", "none"), 1,
                          "error: can't read the checkpoint `none`: there is no such file\n")


class FullDisks(Mpi):
    """A small disk on one rank alone, by real processes: each has its own mounts."""

    def setUp(self):
        super().setUp()
        if not can_mount():
            self.skipTest("SKIP: no disk can be mounted here")
        os.mkdir(self.path("out"))

    def on_small_disk(self, *arguments):
        mount = f"mount -t tmpfs -o size=64k none {self.path('out')} && exec \"$0\" \"$@\""
        return ("unshare", "-m", "sh", "-c", mount, PARAISO, *arguments)

    @an_mpi_in_turn
    def test_of_the_first_rank(self):
        """It writes what the others send."""
        call = ("run", "heat", "--dim", 2, "--size", "200x100", "--quiet", "--threads", 1, "--steps", 3)
        for files, name in (("--checkpoint", "out/check"), ("--output", "out")):
            result = self.launch_parts((1, *self.on_small_disk(*call, files, name)), (1, PARAISO, *call, files, name))
            self.assert_tells(result, 1, ": the disk is full\n")
            self.assertRegex(result.stderr, f"(?m)^error: rank 0 of 2 on {HOST}: can't write `out/[^`]*`: the disk is full$")
            self.assertEqual(os.listdir(self.path("out")), [])

    @each_mpi
    def test_of_another_rank_that_writes_its_own_cells(self):
        """It may not write so far into the file that both see."""
        run = self.start_ranks(2, "run", "heat", "--dim", 2, "--size", "200x100", "--quiet", "--threads", 1, "--steps", 10 ** 9,
                               "--output", "out", "--every", 0.0001, "--wall-time", 90)
        while not os.path.exists(self.path("out/heat_00000000.h5")):
            self.assertIsNone(run.poll())
            time.sleep(0.0005)
        ranks = sorted(self.ranks(), key=self.rank_of)
        resource.prlimit(ranks[1], resource.RLIMIT_FSIZE, (20000, 20000))
        _, told = run.communicate(timeout=LONGEST)
        self.assertEqual(run.returncode, 1)
        [(name, why)] = re.findall(rf"error: rank 1 of 2 on {HOST}: can't write `out/(heat_[0-9]+\.h5)`: (.*)", told)
        self.assertEqual(why, "it would exceed the file size limit (`ulimit -f`)")
        self.assertEqual(told.count("error: "), 1, told)
        self.assertNotIn(name, os.listdir(self.path("out")))
        self.assertEqual([name for name in os.listdir(self.path("out")) if name.endswith(".part")], [])
        self.assert_none_left()
        shutil.rmtree(self.path("out"))
        os.mkdir(self.path("out"))

    @an_mpi_in_turn
    def test_of_another_rank(self):
        """Whose disk holds other files of these names: it sends its cells, and nothing is written there."""
        call = ("run", "heat", "--dim", 2, "--size", "200x100", "--quiet", "--threads", 1, "--steps", 3, "--output", "out",
                "--checkpoint", "out/check")
        self.launch_json(1, *call)
        expected = self.bytes_of("out/check")
        shutil.rmtree(self.path("out"))
        os.mkdir(self.path("out"))
        result = self.launch_parts((1, PARAISO, *call), (1, *self.on_small_disk(*call)))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.bytes_of("out/check"), expected)
        self.assert_none_left()


class KilledInAWrite(Mpi):
    def kill_amid(self, rank, new_file, *arguments):
        """A rank, while `new_file` is written. False if that had been finished before."""
        for earlier in self.begun(new_file):
            os.remove(earlier)
        run = self.start_ranks(2, *arguments)
        try:
            while not self.begun(new_file) and run.poll() is None:
                time.sleep(0.0005)
            ranks = self.ranks()
            for pid in ranks:  # so that the file stays as it is
                os.kill(pid, signal.SIGSTOP)
            amid = self.begun(new_file) != []
            for pid in ranks:
                os.kill(pid, signal.SIGKILL if self.rank_of(pid) == rank else signal.SIGCONT)
            run.communicate(timeout=LONGEST)
        finally:
            run.kill()
        self.assert_none_left()
        self.assertFalse(amid and run.returncode == 0)
        return amid

    def begun(self, name):
        """The files that are written and are to have that name."""
        folder, name = os.path.split(self.path(name))
        return [os.path.join(folder, found) for found in (os.listdir(folder) if os.path.isdir(folder) else ())
                if found.startswith(f".{name}.") and found.endswith(".part")]

    @each_mpi
    def test_leaves_what_was_there(self):
        """Whoever is killed: the old checkpoint has its bytes, and a run from it ends as one that nobody disturbed."""
        self.succeed(*LARGE, "--steps", 2, "--checkpoint", "old")
        whole = self.succeed_json(*LARGE, "--steps", 4)
        go_on = (*LARGE, "--restart", "check", "--steps", 4)
        for rank, new_file, more in ((0, "check", ("--checkpoint", "check")), (1, "out/heat_00000004.h5", ("--output", "out"))):
            with self.subTest(rank=rank):
                shutil.copy(self.path("old"), self.path("check"))
                amid = any(self.kill_amid(rank, new_file, *go_on, *more) for _ in range(5))
                self.assertTrue(amid, "no process was killed while it wrote")
                self.assertEqual(self.hash_of("check"), self.hash_of("old"))
                self.assertFalse(os.path.exists(self.path("out/heat_00000004.h5")))
                self.assertEqual(self.launch_json(2, *go_on)["fields"], whole["fields"])

    def hash_of(self, name):
        return hashlib.sha256(self.bytes_of(name)).hexdigest()


if __name__ == "__main__":
    if not HERE:
        print(NOT_HERE)
        sys.exit(77)
    unittest.main()
