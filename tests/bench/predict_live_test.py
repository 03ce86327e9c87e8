"""bench/predict_live.py, with a program that only pretends to search."""

import json
import pathlib
import sqlite3
import sys
import unittest

from pretending import Pretending

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import predict_live  # noqa: E402

TABLES = """
create table problem (id integer primary key, machine text);
create table individual (id integer primary key, problem integer, genome text, score real, finished real);
create table contest (problem integer primary key, start text);
create table parent (child integer, place integer, parent integer);
create table remeasurement (individual integer primary key);
"""
# What is predicted finds the best, `D`, at once; a search, later and not that one. Singly measured, `C` seems to be better than
# it is.
FAKE = f"""#!/usr/bin/env python3
import json, pathlib, sqlite3, sys
words = dict(zip(sys.argv, sys.argv[1:]))
with open(pathlib.Path(__file__).parent / "calls", "a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
if sys.argv[1] == "bench":
    speeds = {{"A": 50, "B": 80, "C": 60, "D": 100}}
    print(json.dumps({{"cell_updates_per_second": speeds[words["--schedule"].removeprefix("genome:")]}}))
    sys.exit()
predicted = "--predict" in sys.argv
with sqlite3.connect(words["--database"]) as database:
    if not predicted:
        database.executescript(\"\"\"{TABLES}\"\"\")
    else:
        solvers = [one for one, in database.execute("select machine from problem")]
        assert solvers == ["wave"], solvers
    number = database.execute("insert into problem (machine) values (?)", [sys.argv[2]]).lastrowid
    tried = [("A", 50), ("D", 101), ("B", 0)] if predicted else [("A", 50), ("C", 75), ("B", 80)]
    for at, (genome, speed) in enumerate(tried):
        database.execute("insert into individual (problem, genome, score, finished) values (?, ?, ?, ?)",
                         (number, genome, speed, at))
    database.execute("insert into contest values (?, 'A')", [number])
if predicted:
    print("predicted: 2 schedules to try, from wave 9 (like it by 0.80 of 1); 1.50 times the default is expected, "
          "1000.00 is good enough", file=sys.stderr)
"""


class PredictLive(Pretending):
    FAKE = FAKE

    def setUp(self):
        super().setUp()
        database = sqlite3.connect(self.folder / "known.sqlite")
        database.executescript(TABLES)
        for machine in "heat", "wave", "training":
            number = database.execute("insert into problem (machine) values (?)", [machine]).lastrowid
            child = database.execute("insert into individual (problem, genome) values (?, 'A')", [number]).lastrowid
            database.execute("insert into parent values (?, 0, ?)", [child, child])
        database.commit()
        database.close()

    def table(self):
        return self.printed(predict_live.main, self.folder / "found", "--known", self.folder / "known.sqlite", "--program",
                            "heat --size 9x9", "--leave-out", "training", "--seeds", 2, "--tries", 5, "--turns", 2,
                            "--paraiso", self.paraiso, "--threads", 1)

    def test_compares_the_ways(self):
        table = self.table()
        self.assertIn("| program | way | 1 | 5 | tries to 0.95 | tries to its best | stops at |\n", table)
        self.assertIn("| heat --size 9x9 | default | 0.500 | 0.500 | - | | |\n", table)
        self.assertIn("|  | predict | 0.500 | 1.000 | 2 | 2 | 2 |\n", table)  # 1.5 times 0.95 of the default is reached by D
        self.assertIn("|  | search | 0.500 | 0.800 | - | 3 |  |\n", table)
        self.assertIn("\n2 seeds, 5 tries each, 2 rounds by turns; learnt from known.sqlite.", table)
        self.assertEqual((self.folder / "found/table.md").read_text(), table)
        record = json.loads((self.folder / "found/table.json").read_text())
        of_search = [one for one in record["programs"][0]["searches"] if one["way"] == "search"][0]
        self.assertEqual(of_search["fractions"], [0.5, 0.6, 0.8, 0.8, 0.8])  # by turns, `C` is what it is
        calls = (self.folder / "calls").read_text().splitlines()
        self.assertEqual(len(calls), 4 + 2 * 4)
        self.assertIn("tune heat --size 9x9 --threads 1 --predict --good-enough 1000 --seed 2 --total 5 --repeat 5 --rounds 6 "
                      f"--database {self.folder}/found/heat-size-9x9/predict-2.sqlite", calls)
        self.assertEqual(self.table(), table)
        self.assertEqual((self.folder / "calls").read_text().splitlines(), calls, "nothing is measured again")

    def test_a_solver_is_gone_with_all_that_hangs_on_it(self):
        database = sqlite3.connect(self.folder / "known.sqlite")
        predict_live.without(database, ["heat", "training"])
        self.assertEqual(database.execute("select machine from problem").fetchall(), [("wave",)])
        self.assertEqual(database.execute("select problem from individual").fetchall(), [(2,)])
        self.assertEqual(database.execute("select child from parent").fetchall(), [(2,)])
        database.close()

    def test_what_never_happens_is_a_dash(self):
        self.assertEqual(predict_live.middle([3, None, None]), "-")
        self.assertEqual(predict_live.middle([3, None, 1]), "3")
        self.assertIsNone(predict_live.stops_at([("A", 1)], "A", "not predicted: no tuned program is known"))


if __name__ == "__main__":
    unittest.main()
