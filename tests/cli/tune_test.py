"""`tune` from outside: it searches, goes on, and complains exactly; `replay` of what it left."""
import json
import os
import platform
import resource
import signal
import sqlite3
import tempfile
import time
import unittest

from command import DOUBLING, CommandTest


TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# A smoothing whose inner value the user wants kept.
ANNOTATED = """paraiso 1
machine smooth dimension 1

static a local f64
  boundary 0 cyclic cyclic

kernel begin initial
  %0: local i64 = load_index 0
  %1: local f64 = cast %0 f64
  store a %1
end

kernel proceed step
  %0: local f64 = load a
  %1: local f64 = mul %0 %0
  %2 kept: local f64 manifest = sqrt %1
  %3: local f64 = shift %2 (1)
  %4: local f64 = shift %2 (-1)
  %5: local f64 = add %3 %4
  %6: global f64 = imm f64 0.499
  %7: local f64 = broadcast %6
  %8: local f64 = mul %5 %7
  store a %8
end

end machine
"""


class Tune(CommandTest):
    GRID = ("wave", "--dim", 1, "--size", 1000, "--threads", 1, "--database", "t.sqlite")
    WAVE = ("tune", *GRID, "--repeat", 2, "--rounds", 6)

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

    def rows(self, query):
        return sqlite3.connect(self.path("t.sqlite")).execute(query).fetchall()

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
        compiler, = [one["version"] for one in machine["compilers"] if one["name"] == "g++"]
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

    def test_a_genome_of_another_gene_table_changes_nothing(self):
        own = self.succeed_json(*self.WAVE, "--budget", 1)["schedule"]
        before, files = self.bytes_of("t.sqlite"), os.listdir(self.folder)
        table = own.split(":")[1]
        for option in ("--schedule", "--from"):
            for database in ("t.sqlite", "new.sqlite"):
                call = [database if word == "t.sqlite" else word for word in self.WAVE]
                foreign = self.command(*call, "--fuse", 2, "--budget", 1, option, own)
                self.assertRegex(
                    foreign.stderr,
                    f"^error: the genome does not fit `wave`: it was made for gene table `{table}`, and "
                    "`wave` has `[0-9a-f]{16}` \\(it is another program, or another version of it\\)\n$")
                self.assertEqual((foreign.returncode, foreign.stdout), (2, ""))
        self.assertEqual(self.bytes_of("t.sqlite"), before)
        self.assertEqual(os.listdir(self.folder), files)

    def test_shares_count_in_a_replay(self):
        recording = os.path.join(TESTS, "tune", "recordings", "heat.recording")
        call = ("replay", recording, "--strategy", "anneal", "--seeds", 3, "--evaluations", 100)
        found = [self.succeed_json(*call, "--shares", shares)["strategies"][0]["best_after"]
                 for shares in ("1:0:0", "0:1:1")]
        self.assertNotEqual(*found)

    def crown(self, genome=None):
        """Says that the best has won, which a short search can't promise."""
        database = sqlite3.connect(self.path("t.sqlite"))
        database.execute("update contest set won = 1, score = 3 * start_score")
        if genome:
            database.execute("update contest set genome = ?", (genome,))
        database.commit()
        database.close()

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
        self.assertEqual(
            self.succeed(*far).splitlines()[1], "schedule: default, nothing is tuned near this size"
        )
        self.assert_fails(
            "error: no champion of `wave` near 30 in `t.sqlite`\n"
            "hint: `paraiso tune` finds one for this machine, compiler, target and number of threads\n",
            *far, "--schedule", "tuned",
        )

    def test_a_target_is_a_problem_of_its_own(self):
        target = "x86-64-v2" if platform.machine() == "x86_64" else "aarch64"
        bench = ("bench", *self.GRID, "--steps", 1, "--repeat", 1)
        self.succeed(*self.WAVE, "--budget", 1, "--target", target)
        self.crown()
        self.assertEqual(self.rows("select target from problem"), [(target,)])
        taken = self.succeed_json(*bench, "--target", target)
        self.assertEqual((taken["schedule"], taken["target"], taken["level"]), ("tuned", target, target))
        native = self.succeed_json(*bench, "--target", "native")
        self.assertEqual((native["schedule"], native["target"]), ("default", "native"))

    def test_choices_are_a_problem_of_their_own(self):
        standing = ("acoustic", "--dim", 1, "--problem", "standing", "--size", 64, "--threads", 1,
                    "--database", "t.sqlite")
        hashes = set()
        for order in (8, 2):
            self.succeed("tune", *standing, "--budget", 1, "--choose", f"order={order}")
            bench = self.succeed_json("bench", *standing, "--steps", 1, "--repeat", 1, "--choose", f"order={order}")
            self.assertEqual(bench["choices"], {"order": str(order)})
            hashes.add(bench["program_hash"])
        self.assertEqual(len(hashes), 2)
        self.assertEqual({row for row, in self.rows("select program_hash from problem")}, hashes)

    def test_a_contest_takes_a_title_away(self):
        self.succeed(*self.WAVE, "--budget", 1)  # the default schedule, and nothing beside it
        self.crown()
        self.assertRegex(
            self.succeed(*self.WAVE, "--contest"),
            r"^side by side: best (.*), default \1: 1.000 times\n"
            "it is not faster by more than the doubt: `run` takes the default schedule\n$",
        )
        taken = self.succeed_json("bench", *self.GRID, "--steps", 1, "--repeat", 1)
        self.assertEqual(taken["schedule"], "default")

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
        output, errors = tuner.communicate(timeout=120)
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
                    if "\0--phase\0time\0" in file.read():
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

    def starts(self):
        return sqlite3.connect(self.path("t.sqlite")).execute(
            "select count(*) from individual where method = 'start'").fetchone()[0]

    SMOOTH = ("tune", "smooth.om", "--threads", 1, "--database", "t.sqlite", "--repeat", 2,
              "--rounds", 6)

    def test_starts_from_annotations_and_from_what_similar_problems_know(self):
        self.write("smooth.om", ANNOTATED)
        self.succeed(*self.SMOOTH, "--size", 1000, "--budget", 3)
        self.assertEqual(self.starts(), 2, "the default schedule, and the annotation alone")
        self.assert_keeps_what_the_user_wants()
        self.succeed(*self.SMOOTH, "--size", 1200, "--budget", 3)
        best, = sqlite3.connect(self.path("t.sqlite")).execute(
            "select coalesce((select genome from contest where problem = 1 and won = 1),"
            " (select genome from individual where problem = 1 order by score desc limit 1))"
        ).fetchone()
        started = sqlite3.connect(self.path("t.sqlite")).execute(
            "select genome from individual where problem = 2 and method = 'start'").fetchall()
        self.assertIn((best,), started)

    def alleles(self, problem):
        """Of each start, the allele of each gene."""
        (table,), = self.rows(f"select genes from problem where id = {problem}")
        starts = self.rows("select genome from individual where method = 'start' and"
                           f" problem = {problem} order by id")
        return [{gene: alleles["ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(letter)]
                 for (gene, alleles), letter in zip(json.loads(table), genome)}
                for genome, in starts]

    def assert_keeps_what_the_user_wants(self):
        """In the second start, of which nothing else is chosen."""
        start = self.alleles(1)[1]
        inner = [gene for gene in start if gene.endswith(".storage")]
        self.assertEqual([start[gene] for gene in inner], ["inline"] * 3)
        self.assertNotIn("proceed/kept.storage", start, "it is no choice")
        self.write("start.schedule", "".join(f"{gene} = {start[gene]}\n" for gene in start))
        self.assertIn("kept -> spare f64 array 0\n", self.succeed(
            "show", "smooth.om", "--plan", "--schedule", "start.schedule"))

    def test_starts_from_what_was_found_before_the_program_had_one_more_line(self):
        self.write("smooth.om", ANNOTATED)
        chosen = {"proceed/vectors": "4", "proceed/tile_x": "16",
                  "proceed/mul(a,a).storage": "scratch",
                  "proceed/add(kept[-1],kept[1]).storage": "scratch"}
        self.write("s.schedule", "".join(f"{gene} = {chosen[gene]}\n" for gene in chosen))
        call = (*self.SMOOTH, "--size", 1000)
        self.succeed(*call, "--budget", 1, "--from", "s.schedule")
        before, = self.alleles(1)
        self.assertLessEqual(chosen.items(), before.items())
        kept = "  %2 kept: local f64 manifest = sqrt "
        self.write("smooth.om", ANNOTATED.replace(
            kept + "%1\n", f"  %9: local f64 = max %1 %0\n{kept}%9\n"))
        self.succeed(*call, "--budget", 3)
        default, _, found = self.alleles(2)
        self.assertEqual(len(found), len(before) + 1)
        self.assertLessEqual(before.items(), found.items())
        self.assertNotEqual(list(found)[: len(before)], list(before), "letters mean other genes")
        for gene in chosen.keys() & default.keys():
            self.assertNotEqual(found[gene], default[gene])

    def test_from_one_schedule_and_nowhere_else(self):
        default = self.succeed("show", "wave", "--dim", 1, "--genes")
        self.assertIn("proceed/tile_x = 1024\n", default)
        self.write("slow.schedule", default.replace("proceed/tile_x = 1024", "proceed/tile_x = 1"))
        first = self.succeed_json(*self.WAVE, "--budget", 1, "--from", "slow.schedule")
        self.assertEqual((self.starts(), first["individuals"]), (1, 1))
        self.assertGreater(first["start_cell_updates_per_second"], 0)
        tile = self.genes().index("proceed/tile_x")
        start, = sqlite3.connect(self.path("t.sqlite")).execute(
            "select genome from individual").fetchone()
        self.assertEqual(start[tile], "C", "threads, all, 1")
        self.assertRegex(
            self.succeed(*self.WAVE, "--contest", "--from", "slow.schedule"),
            r"^side by side: best .* cells/s, default .*: \d+\.\d+ times; "
            r"start .* cells/s: \d+\.\d+ times\n",
        )
        second = self.succeed_json(*self.WAVE, "--total", 2)
        self.assertEqual(second["rounds"], 6)
        self.assertGreaterEqual(second["missing_rounds"], 0)
        self.assertEqual(self.starts(), 2, "and now with the default schedule, too")
        self.assertNotIn("start_cell_updates_per_second", second)

    def genes(self):
        table, = sqlite3.connect(self.path("t.sqlite")).execute(
            "select genes from problem order by id desc limit 1").fetchone()
        return [name for name, alleles in json.loads(table)]

    def test_only_the_genes_of_the_timed_kernel_are_tuned(self):
        heat = ("tune", "heat", "--dim", 1, "--size", 1000, "--threads", 1, "--repeat", 1,
                "--database", "t.sqlite", "--budget", 1)
        self.succeed(*heat)
        self.assertEqual({name.split("/")[0] for name in self.genes()}, {"proceed"})
        self.succeed(*heat, "--fuse", 2)
        self.assertEqual({name.split("/")[0] for name in self.genes()}, {"proceed_2"})

    def test_parameters_and_generator_are_part_of_the_problem(self):
        for parameters in ((), ("--set", "courant=0.5", "--set", "c=2")):
            self.succeed(*self.WAVE, "--budget", 1, *parameters)
        rows = sqlite3.connect(self.path("t.sqlite")).execute(
            "select parameters, initial, length(generator), key from problem order by id"
        ).fetchall()
        self.assertEqual([row[:3] for row in rows], [("", "paper", 16), ("c=2, courant=0.5", "paper", 16)])
        self.assertNotEqual(rows[0][3], rows[1][3])

    def test_schedules_that_differ_in_other_kernels_are_one_individual(self):
        default = self.succeed("show", "wave", "--dim", 1, "--genes")
        self.assertIn("paper/vectors = 1\n", default)
        self.write("other.schedule", default.replace("paper/vectors = 1", "paper/vectors = 4"))
        self.succeed(*self.WAVE, "--budget", 1, "--schedule", "other.schedule")
        started = self.succeed_json(*self.WAVE, "--total", 1)
        self.assertEqual((self.starts(), started["individuals"]), (1, 1))
        taken = self.succeed_json("bench", *self.GRID, "--steps", 1, "--repeat", 1,
                                  "--schedule", started["schedule"])
        self.assertEqual(started["schedule"],
                         f"genome:{taken['gene_table_hash']}:{taken['genome']}")
        self.assertIn(started["genome"], taken["genome"])

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

    def with_faults(self, environment, faults):
        """The same with other faults, and nothing compiled yet."""
        folder = tempfile.mkdtemp(dir=self.folder)
        return {**environment, "FAULTS": faults, "PARAISO_CACHE": folder,
                "FAULT_LOG": os.path.join(folder, "faults")}

    def test_what_cannot_be_built_again_is_as_good_as_it_was(self):
        environment = self.faulty_compiler("")
        call = (*self.WAVE, "--compiler", "g++")
        self.succeed(*call, "--strategy", "random", "--budget", 3, env=environment)
        again = self.command(*call, "--again", 3,
                             env=self.with_faults(environment, "none refusal refusal"))
        self.assertEqual(again.stdout,
                         "1 individuals are measured again: `replay` and `report` use these scores\n")
        self.assertRegex(again.stderr, r"individual [23]: [\d.]+ . cells/s, and can't be built again: "
                                       r"`g\+\+` fails on `wave.cpp`")
        measured = sqlite3.connect(self.path("t.sqlite")).execute(
            "select individual, reason from remeasurement").fetchall()
        self.assertEqual(measured, [(1, "")])

    def test_why_the_default_schedule_does_not_run(self):
        environment = self.faulty_compiler("")
        call = (*self.WAVE, "--compiler", "g++", "--budget", 1)
        for fault, reason in (
            ("crash", r"it was ended by signal (4|5) \(.*\)"),
            ("late_abort", r"it was ended by signal 6 \(Aborted\)"),
            ("garbage", r"its worker ended with status 0 and said `\(\*\)&\^%`"),
        ):
            with self.subTest(fault):
                result = self.command(*call, env=self.with_faults(environment, fault))
                self.assertRegex(result.stderr,
                                 f"^error: the default schedule does not run: {reason}\n$")
        self.assert_fails(
            "error: the default schedule does not run: compiling took too long: `g++` was stopped on "
            "`wave.cpp` after 0.01 s\n",
            *call, "--compile-limit", 0.01, env=self.with_faults(environment, ""),
        )

    def test_a_limit_for_the_compiler(self):
        self.succeed(*self.WAVE, "--budget", 1)
        self.succeed(*self.WAVE, "--budget", 1, "--seed", 4711, "--compile-limit", 0.01)
        failed, = sqlite3.connect(self.path("t.sqlite")).execute(
            "select reason from individual where method <> 'start'").fetchone()
        self.assertEqual(failed, "compiling took too long: `g++` was stopped on `wave.cpp` after 0.01 s")

    def test_the_genome_of_a_schedule_is_a_schedule(self):
        call = ("bench", "wave", "--dim", 1, "--size", 1000, "--steps", 1, "--repeat", 1)
        genome = self.succeed_json(*call)["genome"]
        table = self.succeed_json(*call)["gene_table_hash"]
        for prefix in ("genome:", f"genome:{table}:"):
            result = self.succeed_json(*call, "--schedule", prefix + genome)
            self.assertEqual((result["genome"], result["schedule"]), (genome, "genome"))
        self.assert_refused(
            "error: the genome does not fit `wave`: it was made for gene table `0123456789abcdef`, and "
            f"`wave` has `{table}` (it is another program, or another version of it)\n",
            *call, "--schedule", f"genome:0123456789abcdef:{genome}",
        )


class WrongCalls(CommandTest):
    def refuse(self, status, text, *arguments):
        self.expect(status, text, "tune", *arguments, "--database", "t.sqlite")
        self.assertFalse(os.path.exists(self.path("t.sqlite")))

    def test_one_thing_at_a_time(self):
        self.refuse(
            2, "error: `--contest`, `--parts` and `--again` can't be combined: give one of them\n",
            "heat", "--contest", "--parts",
        )
        self.assertEqual(self.command("tune", "heat", "--contest", "--again", 3).returncode, 2)

    def test_how_long(self):
        self.refuse(
            2, "error: how long? `--budget N` or `--total N` individuals, or `--minutes M`\n", "heat")
        self.refuse(
            2, "error: `--budget` counts new individuals, `--total` all of them: give one of them\n",
            "heat", "--budget", 1, "--total", 3,
        )

    def test_what_only_a_search_needs(self):
        for length, alone in (("--budget", "--contest"), ("--total", "--contest"),
                              ("--total", "--parts"), ("--minutes", "--parts"),
                              ("--minutes", "--again"), ("--budget", "--again")):
            self.refuse(2, f"error: `{length}` is for a search, and `{alone}` does not search\n",
                        "heat", length, 3, alone, *([3] if alone == "--again" else []))

    def test_one_start_or_one_more(self):
        self.refuse(
            2, "error: `--from` replaces all starts, `--schedule` adds one: give one of them\n",
            "heat", "--budget", 3, "--from", "a.schedule", "--schedule", "b.schedule",
        )
        self.refuse(
            2, "error: `--from a.schedule`: no such file; or say `default`\n",
            "heat", "--budget", 3, "--from", "a.schedule",
        )

    def test_shares(self):
        self.refuse(
            2, "error: `--shares` needs three numbers, of mutation, crossover and triangulation, "
            "like `3:3:3`, got `3:3`\n", "heat", "--budget", 3, "--shares", "3:3",
        )
        for wrong in ("0:0:0", "1:2:x", "1:-1:1", "1:2:3:4", "::"):
            self.assertEqual(
                self.command("tune", "heat", "--budget", 3, "--shares", wrong).returncode, 2, wrong)
        self.refuse(
            2, "error: `--shares` is for `anneal`, not for `random`\n",
            "heat", "--budget", 3, "--shares", "3:7:0", "--strategy", "random",
        )
        recording = os.path.join(TESTS, "tune", "recordings", "heat.recording")
        self.assert_refused(
            "error: `--shares` is for `anneal`, not for `random`\n",
            "replay", recording, "--strategy", "random", "--shares", "3:7:0")

    def test_a_budget_of_nothing(self):
        self.refuse(
            2, "error: `--budget` needs a whole number of at least 1, got `0`\n", "heat",
            "--budget", 0,
        )

    def test_unknown_strategy(self):
        self.refuse(
            2,
            "error: there is no strategy `aneal`\nhint: did you mean `anneal`?\n",
            "heat", "--budget", 3, "--strategy", "aneal",
        )

    def test_a_space_that_is_too_large(self):
        result = self.command("tune", "heat", "--budget", 3, "--strategy", "exhaustive")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(
            result.stderr,
            r"^error: `exhaustive` tries at most 1000000 genomes: this space has about 10\^\d+\n"
            r"hint: `anneal` searches spaces of any size\n$",
        )

    def test_no_step_kernel(self):
        self.write("still.om", DOUBLING.replace("kernel proceed step", "kernel proceed"))
        self.refuse(2, "error: `doubling` has no step kernel to tune\n", "still.om", "--budget", 3)

    def test_a_file_that_is_no_database(self):
        self.write("notes.txt", "x" * 5000)
        self.expect(
            1, "error: `notes.txt` is not a tuning database\n",
            "tune", "heat", "--budget", 3, "--database", "notes.txt",
        )
        self.assertEqual(self.read("notes.txt"), "x" * 5000)

    def test_a_schedule_of_no_grid(self):
        self.refuse(
            2,
            "error: `--schedule tuned` is for `run` and `bench`, which have a grid\n"
            "hint: `tune` prints its champion as `genome:LETTERS`\n",
            "heat", "--budget", 3, "--schedule", "tuned",
        )

    def refuse_database(self, text):
        """At once, and the file stays as it is."""
        before = self.bytes_of("t.sqlite")
        self.assert_fails(
            text, "tune", "heat", "--dim", 1, "--budget", 3, "--database", "t.sqlite")
        self.assertEqual(self.bytes_of("t.sqlite"), before)

    def make_database(self, script):
        database = sqlite3.connect(self.path("t.sqlite"))
        database.executescript(script)
        database.close()

    def test_a_database_of_a_newer_version(self):
        self.make_database("pragma application_id = 1348563553; pragma user_version = 99;")
        self.refuse_database(
            "error: `t.sqlite` was written by a newer Paraiso: its version is 99, and this one "
            "knows those up to 10\n"
        )

    def test_a_database_of_another_program(self):
        self.make_database("create table photo (id integer);")
        self.refuse_database(
            "error: `t.sqlite` is the database of another program\n"
            "hint: give a file of its own to the tuning\n"
        )

    def test_a_damaged_database(self):
        rows = "".join(f"insert into photo values ('{'x' * 100}');" for _ in range(500))
        self.make_database(f"create table photo (name text); {rows}")
        whole = self.bytes_of("t.sqlite")
        with open(self.path("t.sqlite"), "wb") as file:
            file.write(whole[: len(whole) // 2])
        self.refuse_database(
            "error: the tuning database `t.sqlite` is damaged: database disk image is malformed\n"
            "hint: `sqlite3 FILE .recover` recovers what can still be read\n"
        )

    def test_a_folder_that_is_not_there(self):
        self.assert_fails(
            "error: can't write `no/t.sqlite`: No such file or directory\n",
            "tune", "heat", "--dim", 1, "--budget", 3, "--database", "no/t.sqlite",
        )

    def test_a_genome_that_is_none(self):
        self.expect(
            2, "error: a genome is made of letters: character 2 of 3 is `7`\n",
            "tune", "heat", "--budget", 3, "--schedule", "genome:A7B",
        )


if __name__ == "__main__":
    unittest.main()
