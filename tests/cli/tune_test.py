"""`tune` from outside: it searches, goes on, and complains exactly; `replay` of what it left."""
import os
import sqlite3
import unittest

from command import DOUBLING, CommandTest


class Tune(CommandTest):
    WAVE = ("tune", "wave", "--dim", 1, "--size", 1000, "--threads", 1, "--database", "t.sqlite")

    def test_measures_goes_on_and_is_replayed(self):
        first = self.succeed_json(*self.WAVE, "--budget", 2)
        self.assertEqual(first["measured"], 2)
        self.assertGreater(first["default_cell_updates_per_second"], 0)
        second = self.succeed_json(*self.WAVE, "--budget", 1, "--seed", 2)
        self.assertEqual((second["measured"], second["individuals"]), (1, 3))
        rows = sqlite3.connect(self.path("t.sqlite")).execute(
            "select method, reason, score > 0, compile_seconds > 0 or id > 0, length(code_hash)"
            " from individual order by id"
        ).fetchall()
        self.assertEqual(len(rows), 3)
        self.assertEqual(rows[0], ("start", "", 1, 1, 16))
        self.succeed("replay", "t.sqlite", "--output", "wave.recording")
        replayed = self.succeed_json("replay", "wave.recording", "--seeds", 3)
        self.assertEqual(replayed["individuals"], 3)
        self.assertEqual(
            [row["strategy"] for row in replayed["strategies"]], ["anneal", "random"]
        )
        self.assertEqual(self.succeed_json("replay", "t.sqlite", "--seeds", 3), replayed)

    def test_the_genome_of_a_schedule_is_a_schedule(self):
        call = ("bench", "wave", "--dim", 1, "--size", 1000, "--steps", 1, "--repeat", 1)
        genome = self.succeed_json(*call)["genome"]
        self.assertEqual(self.succeed_json(*call, "--schedule", f"genome:{genome}")["genome"], genome)


class WrongCalls(CommandTest):
    def refuse(self, status, text, *arguments):
        self.expect(status, text, "tune", *arguments, "--database", "t.sqlite")
        self.assertFalse(os.path.exists(self.path("t.sqlite")))

    def test_how_long(self):
        self.refuse(2, "error: how long? `--budget N` individuals or `--minutes M`\n", "heat")

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

    def test_a_genome_that_is_none(self):
        self.expect(
            2, "error: a genome is made of letters: character 2 of 3 is `7`\n",
            "tune", "heat", "--budget", 3, "--schedule", "genome:A7B",
        )


if __name__ == "__main__":
    unittest.main()
