"""Two processes that time on one host or device take turns: the second says once for whom it waits, and then goes on."""
import fcntl
import glob
import os
import signal
import time
import unittest

from command import CommandTest
from versions_test import ASKED, VERSIONS

HEAT = ["heat", "--dim", 1, "--size", 64, "--backend", "cuda", "--device", "emulated", "--compiler", "g++"]
BENCH = ["bench", *HEAT, "--steps", 3, "--repeat", 1]


class Turns(CommandTest):
    """The locks are in a folder of their own, so that no other test holds them."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("locks"))
        self.own = {"PARAISO_LOCKS": self.path("locks")}
        self.succeed(*BENCH, env=self.own)  # compiles it
        self.lock, = glob.glob(self.path("locks/*.emulated.lock"))

    def wait_for(self, condition):
        for _ in range(10000):
            if condition():
                return
            time.sleep(0.01)
        self.fail("it takes too long")

    def test_a_bench_waits_for_the_one_before(self):
        first = self.start("bench", *HEAT, "--steps", 20000, "--repeat", 3, env=self.own)
        self.wait_for(lambda: self.read(self.lock) == f"{first.pid} paraiso bench\n")
        first.send_signal(signal.SIGSTOP)
        second = self.start(*BENCH, env=self.own)
        self.assertEqual(second.stderr.readline(),
                         f"waits until process {first.pid} (`paraiso bench`) is done with this host\n")
        time.sleep(0.2)
        self.assertIsNone(second.poll())
        first.send_signal(signal.SIGCONT)
        for process in first, second:
            _, errors = process.communicate(timeout=300)
            self.assertEqual((process.returncode, errors), (0, ""))

    def test_a_tuning_says_so_once(self):
        with open(self.lock, "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.write(f"{os.getpid()} abacus\n")
            lock.flush()
            tune = self.start("tune", *HEAT, "--budget", 1, "--repeat", 2, "--rounds", 6, "--database", "tuned.sqlite",
                              env=self.own)
            told = f"waits until process {os.getpid()} (`abacus`) is done with device `emulated`\n"
            self.assertEqual(tune.stderr.readline(), told)
        _, errors = tune.communicate(timeout=300)
        self.assertEqual(tune.returncode, 0, errors)
        self.assertNotIn("waits until", errors)

    def test_what_is_verified_runs_alone(self):
        with open(self.lock, "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            verify = self.start("verify", "heat", "--dim", 1, "--size", 8, "--backend", "cuda", "--device", "emulated",
                                "--compiler", "g++", "--schedules", 1, env=self.own)
            self.assertEqual(verify.stderr.readline(), "waits until another process is done with device `emulated`\n")
        self.assertEqual(verify.communicate(timeout=300)[1], "")

    def test_a_host_that_is_in_use_is_waited_for(self):
        """By what shares it, too: a tuning that compiles."""
        host, = set(glob.glob(self.path("locks/*.lock"))) - {self.lock}
        self.write("heat.versions", VERSIONS)
        for call in (["bench", "heat", "--dim", 1, "--size", 64, "--steps", 3, "--repeat", 1],
                     ["thresholds", "heat", "--dim", 2, *ASKED, "--size", "64x32", "--sizes", 3, "--rounds", 1, "--threads", 1]):
            with self.subTest(call[0]), open(host, "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH)
                lock.write(f"{os.getpid()} abacus\n")
                lock.flush()
                waiting = self.start(*call, env=self.own)
                self.assertEqual(waiting.stderr.readline(),
                                 f"waits until process {os.getpid()} (`abacus`) is done with this host\n")
                time.sleep(0.2)
                self.assertIsNone(waiting.poll())
                fcntl.flock(lock, fcntl.LOCK_UN)
                _, errors = waiting.communicate(timeout=300)
                self.assertEqual((waiting.returncode, errors), (0, ""))

    def test_who_is_gone_is_not_named(self):
        with open(self.lock, "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            bench = self.start(*BENCH, env=self.own)
            self.assertEqual(bench.stderr.readline(), "waits until another process is done with device `emulated`\n")
        self.assertEqual(bench.communicate(timeout=300)[1], "")


if __name__ == "__main__":
    unittest.main()
