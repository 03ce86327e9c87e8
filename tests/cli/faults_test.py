"""`tune` with real workers, among programs that crash, hang, are wrong or print garbage, and among
kills: all that was finished is kept, each failure has its reason, and the champion is no faulty one.
PARAISO_KILLS sets how many tuners, and how many workers and compilers, are killed (6; scripts/test-long.sh: 50)."""
import contextlib
import json
import os
import pathlib
import pty
import random
import re
import resource
import select
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from command import PARAISO, TARGET, CommandTest

TUNE = ("tune", "wave", "--dim", 1, "--size", 1000, "--threads", 1, "--database", "t.sqlite",
        "--repeat", 2, "--rounds", 6, "--compiler", "g++")


class Faults(CommandTest):
    def rows(self, query):
        if not os.path.exists(self.path("t.sqlite")):
            return []
        # Who may write would mend what a kill has left.
        only_reading = f"file:{self.path('t.sqlite')}?mode=ro"
        with contextlib.closing(sqlite3.connect(only_reading, uri=True)) as database:
            return database.execute(query).fetchall()

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
    SECONDS = 5  # for checking an individual, and for timing it
    REASONS = {
        "crash": r"^it was ended by signal (4|5) ",
        "wrong": r"^wrong answer: `\w+` at cell \d+ is .* and the interpreter says ",
        "hang": rf"^checking it took more than {SECONDS} seconds$",
        "garbage": r"^its worker ended with status 0 and said `\(\*\)&\^%`$",
        "refusal": r"^`g\+\+` fails on `wave.cpp` with status 1:\nwave.cpp:1:2: error: #error not today",
        "late_wrong": r"^wrong answer: the state is not that of the default schedule$",
        "late_nan": r"^`\w+` is NaN$",
        "late_rest": r"^the state did not move$",
        "late_abort": r"^it was ended by signal 6 \(Aborted\)$",
        "late_silence": rf"^it took more than {SECONDS} seconds$",
        "late_greed": r"^it used more than \d\.\d GiB of memory$",
    }
    if os.environ.get("PARAISO_SANITIZE"):
        del REASONS["late_greed"]  # sanitizers map terabytes: there can be no limit
    # The default schedule is slow, and so are all sound ones but one, which comes in their midst.
    FAULTS = ["slow", *list(REASONS)[:6], "none", *list(REASONS)[6:], *["slow"] * 50]

    def setUp(self):
        super().setUp()
        self.environment = self.faulty_compiler(" ".join(self.FAULTS))

    def limit_memory(self):
        if "late_greed" in self.REASONS:
            resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29))

    def test_end_with_the_right_champion(self):
        call = (*TUNE, "--time-limit", self.SECONDS)
        tuned = self.command(*call, "--budget", 15, "--strategy", "random", "--json",
                             env=self.environment, preexec_fn=self.limit_memory)
        self.assertEqual(tuned.returncode, 0, tuned.stderr)
        self.assert_every_failure_has_its_reason(tuned.stderr)
        self.assert_is_the_sound_one(json.loads(tuned.stdout))
        self.assert_only_hopeless_ones_are_given_up()
        self.assert_whole()
        self.assert_is_taken(self.succeed(*call, "--contest", env=self.environment).splitlines())
        self.assert_slow_parts_are_timed_to_the_end(call)

    def assert_every_failure_has_its_reason(self, said):
        done = [line.split()[1] for line in self.read("faults").splitlines()]
        rows = self.rows("select reason, score, sources from individual where reason <> ''")
        self.assertEqual(len(rows), len(self.REASONS), rows)
        for fault, pattern in self.REASONS.items():
            with self.subTest(fault):
                self.assertEqual(done.count(fault), 1)
                failed = [row for row in rows if re.search(pattern, row[0])]
                self.assertEqual([row[1] for row in failed], [0], rows)
                self.assertIn("void wave::proceed()", self.read(failed[0][2] + "/wave.cpp"))
        self.assertIn("failed: 1 it was ended by signal N (Aborted); the sources of the last one "
                      "are in `t.sqlite-failures/", said)
        self.succeed("report", "t.sqlite", "--output", "report.html")
        self.assertIn("<td>t.sqlite-failures/", self.read("report.html"))

    def assert_is_the_sound_one(self, result):
        sound = [line.split()[2] for line in self.read("faults").splitlines()
                 if line.split()[1] == "none"]
        self.assertEqual(len(sound), 1)
        code = "select code_hash from individual where "
        self.assertEqual(self.rows(code + f"genome = '{result['genome']}'"),
                         self.rows(code + f"schedule_hash = '{sound[0]}'"))
        self.assertIs(result["faster"], True)

    def assert_only_hopeless_ones_are_given_up(self):
        best, given_up = 0, 0
        scored = "select score, samples from individual where score > 0 order by id"
        for score, samples in self.rows(scored):
            if len(samples.split()) == 1:
                self.assertLess(3 * score, best)
                given_up += 1
            best = max(best, score)
        self.assertGreater(given_up, 0)

    def assert_is_taken(self, said):
        self.assertRegex(said[0], r"^side by side: best .*/s, default .*/s: \d+\.\d{3} times$")
        self.assertEqual(said[1], "`run` takes it from now on: wave near 1000, 1 thread, "
                                  f"g++ for {TARGET}; kept in `t.sqlite`")
        letters = re.match("anywhere else: --schedule (genome:[0-9a-f]{16}:[A-Za-z]+)$", said[2])
        bench = ("bench", *TUNE[1:-6], "--steps", 1, "--repeat", 1, "--compiler", "g++")
        taken = self.succeed_json(*bench, env=self.environment)
        self.assertEqual(taken["schedule"], "tuned")
        given = self.succeed_json(*bench, "--schedule", letters.group(1), env=self.environment)
        self.assertEqual(given["genome"], taken["genome"])

    def assert_slow_parts_are_timed_to_the_end(self, call):
        self.succeed(*call, "--parts", "--budget", 3, env=self.environment)
        parts = self.rows("select name, deviation from part where score > 0")
        self.assertIn("nothing", [name for name, _ in parts])  # the default schedule
        for name, deviation in parts:
            self.assertGreater(deviation, 0, name)  # of more samples than one


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


# Compiles once: all schedules of a program do the same.
QUICK_COMPILER = """#!/bin/sh
for last; do :; done
case "$last" in
  *.cpp.o|support.o|library.so)
    if [ -e "$KEPT/$last" ]; then exec cp "$KEPT/$last" "$last"; fi
    "$REAL_COMPILER" "$@" || exit
    cp "$last" "$KEPT/$last.$$" && exec mv "$KEPT/$last.$$" "$KEPT/$last";;
esac
exec "$REAL_COMPILER" "$@"
"""


class KilledTuner(Faults):
    KILLS = int(os.environ.get("PARAISO_KILLS", 6))

    def use_compiler(self, text):
        os.mkdir(self.path("bin"))
        os.mkdir(self.path("cache"), 0o700)
        self.write("bin/g++", text)
        os.chmod(self.path("bin/g++"), 0o700)
        self.environment = {
            "PATH": self.path("bin") + ":" + os.environ["PATH"],
            "REAL_COMPILER": shutil.which("g++"),
            "SLOW": self.path("slow"),
            "KEPT": self.folder,
            "PARAISO_CACHE": self.path("cache"),
        }

    def test_loses_nothing_that_was_finished(self):
        self.use_compiler(QUICK_COMPILER)
        self.succeed(*TUNE, "--budget", 1, env=self.environment)
        moments, seen, kills_amid = random.Random(1), {}, 0
        for seed in range(self.KILLS):
            # Half of them at any moment, the others when some individual has been told of.
            told = self.kill_at(moments.uniform(0, 1.2), seed % 2 == 1, seed, seen)
            kills_amid += told > 0
            found = self.all_individuals()
            self.assertEqual({id: found.get(id) for id in seen}, seen)
            if told > 0:
                last = self.rows("select count(*) from individual where session ="
                                 " (select max(id) from session)")[0][0]
                # One may have been written and not told.
                self.assertIn(last, (told, told + 1))
        self.assertGreaterEqual(5 * kills_amid, 2 * self.KILLS)
        known = self.individuals()
        self.assertGreater(known, 1)
        again = self.succeed_json(*TUNE, "--budget", 1, env=self.environment)
        self.assertEqual(again["individuals"], known + 1)
        self.assert_whole()

    def kill_at(self, moment, amid, seed, seen):
        """Adds to `seen` what is finished while the tuner runs; how many it says it has measured.
        `amid`: the time counts from when it has said so of one."""
        terminal, other_end = pty.openpty()
        tuner = subprocess.Popen(
            [PARAISO, *map(str, TUNE), "--budget", "1000", "--seed", str(seed)],
            cwd=self.folder, env={**os.environ, **self.environment},
            stdout=subprocess.DEVNULL, stderr=other_end)
        os.close(other_end)
        said, end = b"", None if amid else time.monotonic() + moment
        while end is None or time.monotonic() < end:
            if select.select([terminal], [], [], 0.005)[0]:
                said += os.read(terminal, 4096)
            if end is None and self.told(said) > 0:
                end = time.monotonic() + moment
            seen.update(self.all_individuals())
        tuner.kill()
        tuner.wait()
        while select.select([terminal], [], [], 0)[0]:
            try:
                said += os.read(terminal, 4096)
            except OSError:  # the end of a terminal
                break
        os.close(terminal)
        return self.told(said)

    def told(self, said):
        return int(re.findall(rb"(\d+) of 1000 individuals", b"0 of 1000 individuals" + said)[-1])

    def all_individuals(self):
        return {row[0]: row for row in self.rows("select * from individual")}

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
        self.use_compiler(SLEEPY_COMPILER)
        self.write("slow", "")
        with self.subTest("of the default schedule"):
            self.assert_takes_its_compiler_with_it(
                self.start(*TUNE, "--budget", 9, env=self.environment))
        os.remove(self.path("slow"))
        with self.subTest("of an individual"):
            tuner = self.start(*TUNE, "--budget", 9, env=self.environment)
            while self.individuals() == 0:
                self.assertIsNone(tuner.poll())
                time.sleep(0.05)
            self.write("slow", "")
            self.assert_takes_its_compiler_with_it(tuner)

    def test_has_no_workers(self):
        self.use_compiler(SLEEPY_COMPILER)
        self.write("slow", "")
        os.mkdir(self.path("scratch"))
        tuner = self.start(*TUNE, "--budget", 9, env={**self.environment, "TMPDIR": self.path("scratch")})
        while "sleep" not in [name for _, name in family(tuner.pid)]:
            self.assertIsNone(tuner.poll())
            time.sleep(0.05)
        written, = pathlib.Path(self.path("scratch")).rglob("reference.task")
        task = json.loads(written.read_text())
        tuner.kill()
        tuner.communicate()
        task["answer"] = self.path("answer.json")
        for started_by in (tuner.pid, 1):
            task["tuner"] = started_by
            self.write("late.task", json.dumps(task))
            self.assert_fails("error: the process that has called this one has ended\n", "worker", "late.task")
        self.assertFalse(os.path.exists(self.path("answer.json")))


# As the system calls processes: a worker by the path with which the tuner starts it.
WORKERS, COMPILERS = {"exe", "paraiso"}, {"cc1plus", "as"}


class Kills(Faults):
    KILLS = int(os.environ.get("PARAISO_KILLS", 6))

    def test_of_workers_and_compilers_cost_one_individual_each(self):
        moments = random.Random(1)
        os.mkdir(self.path("cache"), 0o700)
        os.environ["PARAISO_CACHE"], before = self.path("cache"), os.environ["PARAISO_CACHE"]
        self.addCleanup(os.environ.update, PARAISO_CACHE=before)
        tuner = self.start(*TUNE, "--budget", 1000)
        while self.individuals() == 0:
            self.assertIsNone(tuner.poll())
            time.sleep(0.1)
        killed = []
        while len(killed) < self.KILLS or not (WORKERS & set(killed) and COMPILERS & set(killed)):
            self.assertLess(len(killed), max(50, self.KILLS), "some of each are killed")
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
        self.assertEqual(errors.splitlines()[-1], f"stopped: {self.individuals()} individuals are "
                         "kept, and the same command continues from them")
        failures = self.rows("select reason from individual where score = 0")
        self.assertLessEqual(len(failures), len(killed))
        self.assertGreater(len(failures), 0)
        for (reason,) in failures:
            self.assertRegex(reason, r"[Kk]illed", killed)
        self.assertGreater(self.rows("select count(*) from individual where score > 0")[0][0], 0)
        self.assert_whole()
        known = self.individuals()
        self.assertEqual(self.succeed_json(*TUNE, "--budget", 1)["individuals"], known + 1)


if __name__ == "__main__":
    unittest.main()
