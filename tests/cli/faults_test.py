"""`tune` with real workers, among programs that crash, hang, are wrong or print garbage, and among
kills: all that was finished is kept, each failure has its reason, and the champion is no faulty one.
PARAISO_KILLS sets how many workers and compilers are killed (50)."""
import os
import random
import re
import signal
import sqlite3
import time
import unittest

from command import CommandTest

TUNE = ("tune", "wave", "--dim", 1, "--size", 1000, "--threads", 1, "--database", "t.sqlite",
        "--repeat", 2, "--compiler", "g++")


class Faults(CommandTest):
    def rows(self, query):
        if not os.path.exists(self.path("t.sqlite")):
            return []
        return sqlite3.connect(self.path("t.sqlite")).execute(query).fetchall()

    def individuals(self):
        try:
            return self.rows("select count(*) from individual")[0][0]
        except (sqlite3.OperationalError, IndexError):
            return 0  # it is being made

    def assert_whole(self):
        self.assertEqual(self.rows("pragma integrity_check"), [("ok",)])
        self.assertEqual(
            self.rows("select count(distinct genome_hash) - count(*) from individual"), [(0,)]
        )


class SpoiledPrograms(Faults):
    REASONS = {
        "crash": r"^it was ended by signal (4|5) ",
        "wrong": r"^wrong answer: ",
        "hang": r"^checking it took more than 20 seconds$",
        "garbage": r"^its worker ended with status 0 and said `\(\*\)&\^%`$",
        "refusal": r"^`g\+\+` fails on `wave.cpp` with status 1:\nwave.cpp:1:2: error: #error not today",
    }

    # The first one is the default schedule: whatever is sound is to win against it.
    FAULTS = "slow crash none wrong hang none garbage refusal slow"

    def test_end_with_the_right_champion(self):
        environment = self.faulty_compiler(self.FAULTS)
        result = self.succeed_json(
            *TUNE, "--budget", 12, "--strategy", "random", "--time-limit", 20, env=environment)
        done = [line.split()[1] for line in self.read("faults").splitlines()]
        rows = self.rows("select genome, score, reason, code_hash from individual")
        self.assertEqual(len(rows), 12)
        for fault, pattern in self.REASONS.items():
            with self.subTest(fault):
                self.assertEqual(done.count(fault), 1)
                failed = [row for row in rows if row[2] and self.matches(pattern, row[2])]
                self.assertEqual([row[1] for row in failed], [0])
        failures = [row for row in rows if row[1] == 0]
        self.assertEqual(len(failures), 5, failures)
        sound = {row[0] for row in rows if row[1] > 0}
        self.assertIn(result["genome"], sound)
        self.assertIs(result["faster"], True)
        self.assert_only_hopeless_ones_are_given_up()
        self.assert_whole()
        said = self.succeed(*TUNE, "--contest", env=environment).splitlines()
        self.assertRegex(said[0], r"^side by side: best .*/s, default .*/s: \d+\.\d{3} times$")
        self.assertEqual(said[1], "`run` takes it from now on: wave near 1000, 1 thread, g++; kept in "
                                  "`t.sqlite`")
        letters = re.match("anywhere else: --schedule (genome:[0-9a-f]{16}:[A-Za-z]+)$", said[2])
        bench = ("bench", *TUNE[1:-4], "--steps", 1, "--repeat", 1, "--compiler", "g++")
        taken = self.succeed_json(*bench, env=environment)
        self.assertEqual(taken["schedule"], "tuned")
        given = self.succeed_json(*bench, "--schedule", letters.group(1), env=environment)
        self.assertEqual(given["genome"], taken["genome"])

    def assert_only_hopeless_ones_are_given_up(self):
        best, given_up = 0, 0
        scored = "select score, samples from individual where score > 0 order by id"
        for score, samples in self.rows(scored):
            if len(samples.split()) == 1:
                self.assertLess(3 * score, best)
                given_up += 1
            best = max(best, score)
        self.assertGreater(given_up, 0)

    def matches(self, pattern, reason):
        try:
            self.assertRegex(reason, pattern)
        except AssertionError:
            return False
        return True


def family(process):
    """All that descend from a process, by number and name."""
    children = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                name, fields = file.read().split("(", 1)[1].rsplit(") ", 1)
        except (FileNotFoundError, ProcessLookupError):
            continue
        children.setdefault(int(fields.split()[1]), []).append((int(entry), name))
    found, waiting = [], [process]
    while waiting:
        for child in children.get(waiting.pop(), []):
            found.append(child)
            waiting.append(child[0])
    return found


# Sleeps over the solver as long as the file $SLOW is there, in a process of its own as compilers do.
SLEEPY_COMPILER = """#!/bin/sh
case "$*" in *wave.cpp*) [ -e "$SLOW" ] && sleep 97;; esac
exec "$REAL_COMPILER" "$@"
"""


def lives(process, name):
    try:
        with open(f"/proc/{process}/stat") as file:
            found, fields = file.read().split("(", 1)[1].rsplit(") ", 1)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return found == name and fields[0] != "Z"


class KilledTuner(Faults):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("bin"))
        os.mkdir(self.path("cache"), 0o700)
        self.write("bin/g++", SLEEPY_COMPILER)
        os.chmod(self.path("bin/g++"), 0o700)
        self.environment = {
            "PATH": self.path("bin") + ":" + os.environ["PATH"],
            "REAL_COMPILER": shutil.which("g++"),
            "SLOW": self.path("slow"),
            "PARAISO_CACHE": self.path("cache"),
        }

    def assert_takes_its_compiler_with_it(self, tuner):
        while "sleep" not in [name for _, name in family(tuner.pid)]:
            self.assertIsNone(tuner.poll())
            time.sleep(0.05)
        left = family(tuner.pid)
        tuner.kill()
        tuner.communicate()
        end = time.monotonic() + 20
        while left and time.monotonic() < end:
            time.sleep(0.05)
            left = [one for one in left if lives(*one)]
        self.assertEqual(left, [])

    def test_ends_with_its_compilers(self):
        self.write("slow", "")
        with self.subTest("of the default schedule"):
            self.assert_takes_its_compiler_with_it(
                self.start(*TUNE, "--budget", 9, env=self.environment))
        os.remove(self.path("slow"))
        with self.subTest("of an individual"):
            tuner = self.start(*TUNE, "--budget", 9, env=self.environment)
            while self.individuals() == 0:
                time.sleep(0.05)
            self.write("slow", "")
            self.assert_takes_its_compiler_with_it(tuner)

    def test_has_no_workers(self):
        self.assert_fails(
            "error: the process that has called this one has ended\n",
            "worker", "wave", "--phase", "build", "--answer", "answer.json", "--tuner", 1,
        )
        self.assertFalse(os.path.exists(self.path("answer.json")))


class Kills(Faults):
    KILLS = int(os.environ.get("PARAISO_KILLS", 50))

    def test_of_workers_and_compilers_cost_one_individual_each(self):
        moments = random.Random(1)
        os.mkdir(self.path("cache"), 0o700)
        os.environ["PARAISO_CACHE"], before = self.path("cache"), os.environ["PARAISO_CACHE"]
        self.addCleanup(os.environ.update, PARAISO_CACHE=before)
        tuner = self.start(*TUNE, "--budget", 1000)
        while self.individuals() == 0:
            time.sleep(0.1)
        killed = []
        while len(killed) < self.KILLS:
            time.sleep(moments.random())
            victims = family(tuner.pid)
            if not victims:
                continue
            process, name = moments.choice(victims)
            try:
                os.kill(process, signal.SIGKILL)
                killed.append(name)
            except ProcessLookupError:
                pass
        tuner.send_signal(signal.SIGINT)
        output, errors = tuner.communicate(timeout=200)
        self.assertEqual((tuner.returncode, output), (1, ""), errors)
        failures = self.rows("select reason from individual where score = 0")
        self.assertLessEqual(len(failures), self.KILLS)
        self.assertGreater(len(failures), 0)
        for (reason,) in failures:
            self.assertRegex(reason, r"[Kk]illed", killed)
        self.assertGreater(self.rows("select count(*) from individual where score > 0")[0][0], 0)
        self.assert_whole()
        known = self.individuals()
        self.assertEqual(self.succeed_json(*TUNE, "--budget", 1)["individuals"], known + 1)


if __name__ == "__main__":
    unittest.main()
