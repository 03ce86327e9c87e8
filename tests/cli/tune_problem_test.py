"""`tune` from outside: what a tuning problem is, where its search starts, which genes it has."""
import json
import os
import platform
import sqlite3
import unittest

from tuning import TuneTest

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


class TuneProblem(TuneTest):
    SMOOTH = ("tune", "smooth.om", "--threads", 1, "--database", "t.sqlite", "--repeat", 2,
              "--rounds", 6)

    def starts(self):
        (count,), = self.rows("select count(*) from individual where method = 'start'")
        return count

    def assert_keeps_what_the_user_wants(self):
        """In the second start, of which nothing else is chosen."""
        start = self.alleles(1)[1]
        inner = [gene for gene in start if gene.endswith(".storage")]
        self.assertEqual([start[gene] for gene in inner], ["inline"] * 3)
        self.assertNotIn("proceed/kept.storage", start, "it is no choice")
        self.write("start.schedule", "".join(f"{gene} = {start[gene]}\n" for gene in start))
        self.assertIn("kept -> spare f64 array 0\n", self.succeed(
            "show", "smooth.om", "--plan", "--schedule", "start.schedule"))

    def genes(self):
        table, = sqlite3.connect(self.path("t.sqlite")).execute(
            "select genes from problem order by id desc limit 1").fetchone()
        return [name for name, alleles in json.loads(table)]

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
        for order in (4, 2):
            self.succeed("tune", *standing, "--repeat", 2, "--rounds", 6, "--budget", 1, "--choose", f"order={order}")
            bench = self.succeed_json("bench", *standing, "--steps", 1, "--repeat", 1, "--choose", f"order={order}")
            self.assertEqual(bench["choices"], {"order": str(order)})
            hashes.add(bench["program_hash"])
        self.assertEqual(len(hashes), 2)
        self.assertEqual({row for row, in self.rows("select program_hash from problem")}, hashes)

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


if __name__ == "__main__":
    unittest.main()
