"""`tune` from outside: calls and databases that it refuses, with one exact message each."""
import os
import sqlite3
import unittest

from command import DOUBLING, CommandTest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class TuneCalls(CommandTest):
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
        for words in (["--strategy", "random"], ["--seed", 3], ["--from", "default"], ["--schedule", "default"],
                      ["--shares", "1:2:3"]):
            option = "--from default" if words[0] == "--from" else words[0]
            self.assert_refused(f"error: `{option}` is for a search, and `--contest` does not search\n",
                                "tune", "heat", "--contest", *words)
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
            "error: `--schedule tuned` is for `run` and `bench`: only they look for one\n"
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
            "knows those up to 16\n"
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


if __name__ == "__main__":
    unittest.main()
