"""`tune --recipes` and `rivals` from outside."""
import sqlite3
import unittest

from command import CommandTest

DATABASE = ("--database", "t.sqlite")
WAVE = ("tune", "wave", "--dim", 1, "--threads", 1, "--size", 1000, "--repeat", 1, "--rounds", 6, *DATABASE)


class Rivals(CommandTest):
    def rows(self, query):
        return sqlite3.connect(self.path("t.sqlite")).execute(query).fetchall()

    def test_a_list_is_measured_once(self):
        self.succeed(*WAVE, "--recipes", 3)
        listed = self.rows("select number, genome from listed order by number")
        self.assertEqual([number for number, genome in listed], [0, 1, 2])
        measured = self.rows("select genome from individual")
        self.assertEqual(set(measured), {(genome,) for number, genome in listed})
        self.succeed(*WAVE, "--recipes", 3)
        self.assertEqual(self.rows("select genome from individual"), measured)
        self.assert_fails(
            "error: the list of recipes is measured for fewer than three solvers\n"
            "hint: `scripts/record-training.sh` measures it\n", "rivals", *DATABASE)

    def test_a_list_is_no_search(self):
        self.assert_refused(
            "error: `--recipes` measures a list: leave out `--budget`, `--total` and `--from`\n",
            *WAVE, "--recipes", 3, "--budget", 4)


if __name__ == "__main__":
    unittest.main()
