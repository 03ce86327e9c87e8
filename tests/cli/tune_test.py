"""`tune` from outside: it searches, measures, goes on after what stopped it; `replay` of what it left."""
import os
import re
import resource
import signal
import sqlite3
import time
import unittest

from tuning import TuneTest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Tune(TuneTest):
    def test_measures_goes_on_and_is_replayed(self):
        first = self.succeed_json(*self.WAVE, "--budget", 2)
        self.assertEqual(first["measured"], 2)
        self.assertGreater(first["default_cell_updates_per_second"], 0)
        second = self.succeed_json(*self.WAVE, "--total", 3, "--seed", 2)
        self.assertEqual((second["measured"], second["individuals"]), (1, 3))
        enough = self.succeed_json(*self.WAVE, "--total", 3)
        self.assertEqual((enough["measured"], enough["individuals"]), (0, 3))
        rows = sqlite3.connect(self.path("t.sqlite")).execute(
            "select method, reason, score > 0, length(code_hash) from individual order by id"
        ).fetchall()
        self.assertEqual(len(rows), 3)
        self.assertEqual(rows[0], ("start", "", 1, 16))
        self.succeed("replay", "t.sqlite", "--output", "wave.recording")
        replayed = self.succeed_json("replay", "wave.recording", "--seeds", 3)
        self.assertEqual((replayed["individuals"], replayed["evaluations"]), (3, 3))
        self.assertEqual(
            replayed["strategies"][0]["best_after"], {"3": 1.0}, "and nothing after 30 or 300")
        self.assertIn("after 2\n", self.succeed("replay", "wave.recording", "--evaluations", 2))
        self.assertEqual(
            [row["strategy"] for row in replayed["strategies"]], ["anneal", "random"]
        )
        self.assertEqual(self.succeed_json("replay", "t.sqlite", "--seeds", 3), replayed)

    def test_storage_may_lie_shifted(self):
        """With `--skew` that is a choice of each field; the champion's is taken, and changes no bit."""
        self.write("shifted", "f.skew_x = 2\ng.skew_x = 8\n")
        tuned = self.succeed_json(*self.WAVE, "--budget", 1, "--skew", "--from", "shifted")
        self.assertEqual((tuned["measured"], tuned["individuals"]), (1, 1))
        self.assertEqual(self.rows("select reason from individual"), [("",)])
        start, = self.alleles(1)
        self.assertEqual(list(start.items())[-2:], [("f.skew_x", "2"), ("g.skew_x", "8")])
        self.crown()
        bench = self.succeed_json("bench", *self.GRID, "--steps", 2, "--repeat", 1)
        self.assertEqual((bench["schedule"], bench["genome"][-2:]), ("tuned", "CE"))
        run = ("run", *self.GRID, "--steps", 5, "--quiet")
        self.assertEqual(self.succeed_json(*run)["fields"], self.succeed_json(*run, "--schedule", "default")["fields"])
        self.succeed(*self.WAVE, "--budget", 1)
        self.assertNotIn("f.skew_x", self.alleles(2)[0])

    def test_times_thirty_repeats_unless_told(self):
        self.succeed("tune", *self.GRID, "--budget", 1)
        (samples,), = self.rows("select samples from individual")
        self.assertEqual(len(samples.split()), 30)

    def test_the_database_tells_where_when_and_by_whom(self):
        begun = time.time()
        self.succeed(*self.WAVE, "--budget", 2, "--seed", 77, "--strategy", "random",
                     "--compiler", "g++")
        ended = time.time()
        machine = self.succeed_json("doctor")
        compiler, = [one["version"] for one in machine["compilers"]
                     if (one["backend"], one["name"]) == ("openmp", "g++")]
        self.assertEqual(
            self.rows("select machine, size, threads, host, host_fingerprint, compiler from problem"),
            [("wave", "1000", 1, machine["host"], machine["fingerprint"], compiler)])
        (strategy, seed, version, command, started), = self.rows(
            "select strategy, seed, version, command, started from session")
        self.assertEqual((strategy, seed, f"paraiso {version}\n"),
                         ("random", 77, self.succeed("--version")))
        self.assertTrue(command.endswith(
            "tune wave --dim 1 --size 1000 --threads 1 --database t.sqlite --repeat 2 --rounds 6 "
            "--budget 2 --seed 77 --strategy random --compiler g++"), command)
        self.assertTrue(begun <= started <= ended)
        times = self.rows("select born, finished from individual order by id")
        self.assertEqual(len(times), 2)
        for born, finished in times:
            self.assertTrue(started <= born < finished <= ended, (started, born, finished, ended))

    def limit_files(self):
        resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))

    def test_a_limit_on_files_loses_nothing(self):
        self.succeed(*self.WAVE, "--budget", 1)
        before = self.rows("select * from individual")
        stopped = self.command(*self.WAVE, "--budget", 1, preexec_fn=self.limit_files)
        self.assertEqual(stopped.returncode, 1, stopped.stderr)
        self.assertRegex(stopped.stderr, "error: can't (read or )?write `.*(disk I/O|file size limit)")
        self.assertEqual(self.rows("pragma integrity_check"), [("ok",)])
        self.assertEqual(self.rows("select * from individual"), before)
        self.assertEqual(self.succeed_json(*self.WAVE, "--budget", 1)["individuals"], 2)

    def test_what_cannot_be_compiled_for_want_of_room_is_no_failure(self):
        """The database may still grow, and files of a compiler may not."""
        self.succeed(*self.WAVE, "--budget", 1)
        before = self.rows("select * from individual")
        limit = os.path.getsize(self.path("t.sqlite")) + 16384

        def limit_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        for _ in range(2):
            stopped = self.command(*self.WAVE, "--budget", 3, preexec_fn=limit_files)
            self.assertEqual(stopped.returncode, 1, stopped.stderr)
            self.assertRegex(stopped.stderr, "error: .* file size limit")
        self.assertEqual(self.rows("select * from individual"), before)
        self.assertEqual(self.succeed_json(*self.WAVE, "--budget", 1)["individuals"], 2)

    def test_shares_count_in_a_replay(self):
        recording = os.path.join(TESTS, "tune", "recordings", "heat.recording")
        call = ("replay", recording, "--strategy", "anneal", "--seeds", 3, "--evaluations", 100)
        found = [self.succeed_json(*call, "--shares", shares)["strategies"][0]["best_after"]
                 for shares in ("1:0:0", "0:1:1")]
        self.assertNotEqual(*found)

    def test_the_champion_is_what_a_run_takes(self):
        bench = ("bench", *self.GRID, "--steps", 1, "--repeat", 1)
        self.succeed(*self.WAVE, "--budget", 2)
        default = self.succeed_json(*bench)["genome"]
        best = sqlite3.connect(self.path("t.sqlite")).execute(
            "select genome from individual where method <> 'start'"
        ).fetchone()[0]
        self.crown(best)
        taken = self.succeed_json(*bench)
        champion = taken["genome"]
        self.assertNotEqual(champion, default)
        self.assertIn(best, champion, "the genes of the step kernel, among all of the program's")
        self.assertEqual(taken["schedule"], "tuned")
        self.assertEqual(
            taken["schedule_source"], "3.00 times the default at 1000, from `t.sqlite`"
        )
        ignored = self.succeed_json(*bench, "--schedule", "default")
        self.assertEqual((ignored["genome"], ignored["schedule"]), (default, "default"))
        self.assertEqual(ignored["schedule_source"], "chosen by the cost model")
        run = ("run", *self.GRID, "--steps", 1, "--quiet")
        self.assertEqual(
            self.succeed(*run).splitlines()[1],
            "schedule: tuned, 3.00 times the default at 1000, from `t.sqlite`",
        )
        far = [30 if word == 1000 else word for word in run]
        self.assertRegex(self.succeed(*far).splitlines()[1],
                         "^schedule: default, nothing is tuned near this size; not predicted: the cost model expects ")
        self.assert_fails(
            "error: no champion of `wave` near 30 in `t.sqlite`\n"
            "hint: `paraiso tune` finds one for this machine, compiler, target and number of threads\n",
            *far, "--schedule", "tuned",
        )

    def test_a_contest_takes_a_title_away(self):
        self.succeed(*self.WAVE, "--budget", 1)  # the default schedule, and nothing beside it
        self.crown()
        self.assertRegex(
            self.succeed(*self.WAVE, "--contest"),
            r"^side by side: best (.*), default \1: 1.000 times\n"
            "it is not faster by more than the uncertainty: `run` uses the default schedule\n$",
        )
        taken = self.succeed_json("bench", *self.GRID, "--steps", 1, "--repeat", 1)
        self.assertEqual(taken["schedule"], "default")
        run = ("run", *self.GRID, "--steps", 1, "--quiet")
        held = "schedule: default, tuned at this size, where the default was not beaten"
        self.assertEqual(self.succeed(*run).splitlines()[1], held)
        # Nor does a champion of another size win over what is known of this one.
        self.succeed(*(1100 if word == 1000 else word for word in self.WAVE), "--budget", 1)
        database = sqlite3.connect(self.path("t.sqlite"))
        with database:
            database.execute("update contest set won = 1, score = 3 * start_score where problem = 2")
        database.close()
        self.assertEqual(self.succeed(*run).splitlines()[1], held)
        near = self.succeed(*(1050 if word == 1000 else word for word in run)).splitlines()[1]
        self.assertEqual(near, "schedule: tuned, 3.00 times the default at 1100, from `t.sqlite`")

    def test_a_database_that_cannot_be_read_does_no_harm(self):
        self.write("t.sqlite", "x" * 5000)
        run = ("run", *self.GRID, "--steps", 1, "--quiet")
        self.assertEqual(
            self.succeed(*run).splitlines()[1],
            "schedule: default, since the tuned ones can't be read: "
            "`t.sqlite` is not a tuning database",
        )
        self.assert_fails(
            "error: `t.sqlite` is not a tuning database\n", *run, "--schedule", "tuned"
        )

    def test_a_damaged_gene_table_does_no_harm(self):
        self.succeed(*self.WAVE, "--budget", 1)
        database = sqlite3.connect(self.path("t.sqlite"))
        database.execute("update problem set genes = '[[\"proceed/vectors\", []]]'")
        database.commit()
        database.close()
        how = ("the tuning database `t.sqlite` is damaged: "
               "gene `proceed/vectors` has no alleles in problem 1")
        run = ("run", *self.GRID, "--steps", 1, "--quiet")
        self.assertEqual(
            self.succeed(*run).splitlines()[1],
            f"schedule: default, since the tuned ones can't be read: {how}",
        )
        self.assert_fails(f"error: {how}\n", *run, "--schedule", "tuned")

    def individuals(self):
        if not os.path.exists(self.path("t.sqlite")):
            return 0
        try:
            return sqlite3.connect(self.path("t.sqlite")).execute(
                "select count(*) from individual"
            ).fetchone()[0]
        except sqlite3.OperationalError:
            return 0  # it is being made

    def test_ctrl_c_keeps_what_was_measured(self):
        tuner = self.start(*self.WAVE, "--budget", 1000)
        while self.individuals() == 0:
            self.assertIsNone(tuner.poll())
            time.sleep(0.2)
        self.assert_stops(tuner)

    def assert_stops(self, tuner):
        tuner.send_signal(signal.SIGINT)
        output, errors = tuner.communicate(timeout=300)
        self.assertEqual((tuner.returncode, output), (1, ""))
        self.assertEqual(
            errors.splitlines()[-1],
            f"stopped: {self.individuals()} individuals are kept, "
            "and the same command continues from them",
        )

    def is_timing(self, tuner):
        try:
            with open(f"/proc/{tuner.pid}/task/{tuner.pid}/children") as file:
                workers = file.read().split()
            for worker in workers:
                with open(f"/proc/{worker}/cmdline") as file:
                    if re.search(r"\0worker\0.*/time\.task\0", file.read()):
                        return True
        except (FileNotFoundError, ProcessLookupError):
            pass  # it has just ended
        return False

    def test_ctrl_c_ends_a_contest(self):
        self.succeed(*self.WAVE, "--budget", 1)
        database = sqlite3.connect(self.path("t.sqlite"))
        database.execute("delete from contest")
        database.commit()
        database.close()
        tuner = self.start("tune", *self.GRID, "--repeat", 100, "--contest")
        while not self.is_timing(tuner):
            self.assertIsNone(tuner.poll())
            time.sleep(0.02)
        self.assert_stops(tuner)
        contests = sqlite3.connect(self.path("t.sqlite")).execute("select count(*) from contest")
        self.assertEqual(contests.fetchone(), (0,))

    def test_the_parts_of_a_champion_and_the_report(self):
        self.assert_fails(
            "error: `wave` has no champion to take apart\n"
            "hint: `paraiso tune ... --budget N` finds one\n",
            *self.WAVE, "--parts",
        )
        self.succeed(*self.WAVE, "--budget", 2)
        genome = sqlite3.connect(self.path("t.sqlite")).execute(
            "select genome from individual where method <> 'start'"
        ).fetchone()[0]
        self.crown(genome)
        self.assertEqual(
            self.succeed(*self.WAVE, "--parts", "--budget", 2),
            "2 parts of the champion are known: `paraiso report` shows them\n",
        )
        self.assertEqual(
            self.succeed(*self.WAVE, "--parts", "--budget", 1),
            "3 parts of the champion are known: `paraiso report` shows them\n",
        )
        self.assertEqual(self.succeed_json(*self.WAVE, "--parts", "--budget", 1), {"parts": 4})
        self.assertEqual(
            self.succeed("report", "t.sqlite", "--output", "report.html"), "report.html\n")
        page = self.read("report.html")
        self.assertIn("<h1>Tuning of wave, 1000</h1>", page)
        self.assertIn("machine `wave`", page)

    def test_the_default_schedule_is_timed_meanwhile_and_the_best_again(self):
        result = self.command(*self.WAVE, "--budget", 2)
        self.assertRegex(
            result.stderr,
            r"the search ended: the budget is spent\nthe default schedule was timed 2 times "
            r"meanwhile: [\d.]+ . cells/s to [\d.]+ . cells/s, \d+\.\d % apart\n$",
        )
        database = sqlite3.connect(self.path("t.sqlite"))
        self.assertEqual(
            database.execute("select count(*) from reference where score > 0").fetchone(), (2,))
        again = self.command(*self.WAVE, "--again", 1)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertRegex(
            again.stdout,
            r"^[12] individuals are measured again: `replay` and `report` use these scores\n$")
        self.assertRegex(again.stderr, r"individual \d: [\d.]+ . cells/s, and again: [\d.]+ . cells/s\n")
        self.assertGreater(
            database.execute("select count(*) from remeasurement where score > 0").fetchone()[0], 0)
        self.assertEqual(
            self.succeed(*self.WAVE, "--again", 1),
            "0 individuals are measured again: `replay` and `report` use these scores\n")
        self.assertEqual(self.succeed_json(*self.WAVE, "--again", 1), {"measured": 0})

    def test_what_cannot_be_built_again_is_as_good_as_it_was(self):
        environment = self.faulty_compiler("")
        call = (*self.WAVE, "--compiler", "g++")
        self.succeed(*call, "--strategy", "random", "--budget", 2, env=environment)
        again = self.command(*call, "--again", 2,
                             env=self.with_faults(environment, "none refusal"))
        self.assertEqual(again.stdout,
                         "1 individuals are measured again: `replay` and `report` use these scores\n")
        self.assertRegex(again.stderr, r"individual 2: [\d.]+ . cells/s, and can't be built again: "
                                       r"`g\+\+` fails on `wave.cpp`")
        measured = sqlite3.connect(self.path("t.sqlite")).execute(
            "select individual, reason from remeasurement").fetchall()
        self.assertEqual(measured, [(1, "")])

    def test_a_limit_for_the_compiler(self):
        self.succeed(*self.WAVE, "--budget", 1)
        self.succeed(*self.WAVE, "--budget", 1, "--seed", 4711, "--compile-limit", 0.01)
        failed, = sqlite3.connect(self.path("t.sqlite")).execute(
            "select reason from individual where method <> 'start'").fetchone()
        self.assertEqual(failed, "compiling took too long: `g++` was stopped on `wave.cpp` after 0.01 s")


if __name__ == "__main__":
    unittest.main()
