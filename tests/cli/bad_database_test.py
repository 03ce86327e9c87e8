"""Databases that can't be read: the commands that only look into them say so, and leave them as they are.

`tune`, which writes, refuses them: tune_calls_test.py.
"""
import json
import os
import sqlite3
import unittest

from tuning import TuneTest

FOREIGN = "pragma user_version = 3; create table photo (id integer);"
NEWER = "pragma application_id = 1348563553; pragma user_version = 99;"
RECOVER = "hint: `sqlite3 FILE .recover` recovers what can still be read\n"
# What each is called, what is said of it, and a hint, where an error has one.
KINDS = {
    "empty": (None, ""),
    "notes": ("`t.sqlite` is not a tuning database", ""),
    "foreign": ("`t.sqlite` is the database of another program", "hint: give a file of its own to the tuning\n"),
    "newer": ("`t.sqlite` was written by a newer Paraiso: its version is 99, and this one knows those up to 16", ""),
    "half": ("the tuning database `t.sqlite` is damaged: database disk image is malformed", RECOVER),
}


class BadDatabases(TuneTest):
    def make(self, kind):
        if os.path.exists(self.path("t.sqlite")):
            os.remove(self.path("t.sqlite"))
        if kind == "empty":
            self.write("t.sqlite", "")
        elif kind == "notes":
            self.write("t.sqlite", "x" * 5000)
        elif kind == "half":
            self.succeed(*self.WAVE, "--budget", 1)
            whole = self.bytes_of("t.sqlite")
            with open(self.path("t.sqlite"), "wb") as file:
                file.write(whole[: len(whole) // 2])
        else:
            database = sqlite3.connect(self.path("t.sqlite"))
            database.executescript(FOREIGN if kind == "foreign" else NEWER)
            database.close()

    def each(self, look, *call):
        """look(result, what is said, hint) for each kind of database, which stays as it is, and has no other file beside it."""
        for kind, (why, hint) in KINDS.items():
            with self.subTest(kind):
                self.make(kind)
                before = self.bytes_of("t.sqlite")
                result = self.command(*call, "--database", "t.sqlite")
                look(result, why, hint)
                self.assertEqual(self.bytes_of("t.sqlite"), before)
                self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("t.sqlite")], ["t.sqlite"])

    def assert_succeeded(self, result, aside=""):
        self.assertEqual((result.returncode, result.stderr), (0, aside))

    def test_run_takes_the_default(self):
        def look(result, why, _):
            self.assert_succeeded(result)
            told = f"since the tuned ones can't be read: {why}" if why else "nothing is tuned near this size"
            self.assertEqual(result.stdout.splitlines()[1], f"schedule: default, {told}")

        self.each(look, "run", *self.GRID[:-2], "--steps", 1, "--quiet")

    def test_predict_takes_the_default(self):
        def look(result, why, _):
            self.assert_succeeded(result)
            self.assertEqual(json.loads(result.stdout)["why_not"],
                             f"what was tuned can't be read: {why}" if why else "no tuned program is known")

        self.each(look, "predict", *self.GRID[:-2], "--json")

    def test_thresholds_proposes_no_champions(self):
        def look(result, why, _):
            self.assert_succeeded(result, f"no champions are proposed, since the tuned ones can't be read: {why}\n" if why else "")
            self.assertEqual(json.loads(result.stdout)["proposed"][-1]["name"], "usual")

        self.each(look, "thresholds", "heat", "--dim", 2, "--size", "64x32", "--sizes", 3, "--rounds", 1, "--threads", 1, "--json")

    def test_rivals_has_nothing_to_compare(self):
        def look(result, why, hint):
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertEqual(result.stderr, f"error: {why}\n{hint}" if why else
                             "error: the list of recipes is measured for fewer than three solvers\n"
                             "hint: `scripts/record-training.sh` measures it\n")

        self.each(look, "rivals")


if __name__ == "__main__":
    unittest.main()
