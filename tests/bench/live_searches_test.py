"""bench/live_searches.py, with a program that only pretends to search."""

import json
import pathlib
import sys
import unittest

from pretending import Pretending

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import live_searches  # noqa: E402

# `greedy` finds its best second, `random` third; the scoreboard agrees. Each search is told once.
FAKE = """#!/usr/bin/env python3
import json, pathlib, sqlite3, sys
words = dict(zip(sys.argv, sys.argv[1:]))
if sys.argv[1] == "scoreboard":
    print(json.dumps({"standings": [{"strategy": "random", "score": -0.5}, {"strategy": "greedy", "score": 0.5}]}))
else:
    with open(pathlib.Path(__file__).parent / "calls", "a") as calls:
        calls.write(" ".join(words[word] for word in ("--strategy", "--seed", "--size", "--from")) + "\\n")
    with sqlite3.connect(words["--database"]) as database:
        database.execute("create table problem (program_hash text, genes text)")
        database.execute("insert into problem values ('a1', ?)", (json.dumps([["x", ["off", "on"]]]),))
        database.execute("create table individual (id integer primary key, score real, finished real)")
        for at, score in enumerate([2, 4, 3, 1] if words["--strategy"] == "greedy" else [2, 0, 3, 1]):
            database.execute("insert into individual (score, finished) values (?, ?)", (score, at))
"""


class LiveSearches(Pretending):
    FAKE = FAKE

    def setUp(self):
        super().setUp()
        self.record("a1", [["x", ["off", "on"]]])

    def record(self, program, genes):
        header = {"paraiso_recording": 3, "program_hash": program, "genes": genes}
        (self.folder / "r").write_text(json.dumps(header) + '\n["AB", 2.0]\n["AC", 0]\n["BB", 3.0]\n')

    def table(self):
        return self.printed(live_searches.main, self.folder / "found", "--recording", self.folder / "r", "--strategy", "greedy",
                            "--strategy", "random", "--seeds", 3, "--schedules", 5, "--paraiso", self.paraiso,
                            "heat", "--size", "9x9")

    def test_ranks_by_the_best_so_far(self):
        table = self.table()
        self.assertIn("| strategy | 5 | mean | replayed, score |\n", table)
        self.assertIn("| greedy | 1.000 | 0.900 [0.900, 0.900] | 0.500 |\n", table)  # 0.5, then 1 four times
        self.assertIn("| random | 0.750 | 0.650 [0.650, 0.650] | -0.500 |\n", table)  # 0.5, 0.5, then 0.75
        self.assertIn("3 seeds, the best has 4 updates a second. Kendall's tau of the last two columns: 1.00.", table)
        calls = (self.folder / "calls").read_text().splitlines()
        starts = [live_searches.drawn(self.folder / "r", seed) for seed in (1, 2, 3)]
        self.assertEqual({live_searches.drawn(self.folder / "r", seed) for seed in range(20)}, {"AB", "BB"})  # AC failed
        self.assertEqual(sorted(calls), [f"{one} {seed} 9x9 genome:{start}" for one in ("greedy", "random")
                                         for seed, start in zip((1, 2, 3), starts)])
        self.assertEqual(self.table(), table)  # nothing is measured again
        self.assertEqual((self.folder / "calls").read_text().splitlines(), calls)

    def test_refuses_a_recording_of_another_space(self):
        """After the first search; of one that was there already, too."""
        for program, genes in ("b2", [["x", ["off", "on"]]]), ("a1", [["y", ["off", "on"]]]):
            self.record(program, genes)
            with self.subTest(program), self.assertRaisesRegex(SystemExit, "its genomes would be misread"):
                self.table()
        self.assertLess(len((self.folder / "calls").read_text().splitlines()), 6)  # those that had begun

    def test_agreement_of_rankings(self):
        self.assertEqual(live_searches.kendall([1, 2, 3], [10, 20, 30]), 1)
        self.assertEqual(live_searches.kendall([1, 2, 3], [30, 20, 10]), -1)
        self.assertAlmostEqual(live_searches.kendall([1, 2, 3, 4], [1, 2, 4, 3]), 2 / 3)


if __name__ == "__main__":
    unittest.main()
