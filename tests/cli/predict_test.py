"""`predict`, `--schedule predicted` and `show --features` from outside."""
import json
import sqlite3
import unittest

from command import CommandTest

WAVE = ("wave", "--dim", 1, "--threads", 1)
DATABASE = ("--database", "t.sqlite")


class Features(CommandTest):
    def features(self, *call):
        return json.loads(self.succeed("show", *call, "--features"))

    def test_are_equal_from_text(self):
        self.write("heat.om", self.succeed("show", "heat", "--dim", 2))
        found = self.features("heat", "--dim", 2, "--size", "100x50")
        self.assertEqual(found, self.features("heat.om", "--size", "100x50"))
        self.assertEqual(found["version"], 1)
        self.assertEqual(found["numbers"]["input.cells"], 5000)
        self.assertEqual(found["numbers"]["algorithm.flop_density"], 10)
        self.assertEqual(found["words"]["algorithm.element"], "f64")

    def test_a_size_needs_who_reads_it(self):
        self.assert_refused(
            "error: `--size` is for `--plan` and `--features`: the program knows no grid\n",
            "show", "heat", "--size", "100x50")


class Predict(CommandTest):
    def tune(self):
        self.succeed("tune", *WAVE, "--size", 1000, "--repeat", 1, "--rounds", 6, "--budget", 1, *DATABASE)

    def change(self, script):
        database = sqlite3.connect(self.path("t.sqlite"))
        database.executescript(script)
        database.close()

    def crown(self):
        """Whatever the contest said: two vectors at a time are a third faster than the default."""
        genes, start = sqlite3.connect(self.path("t.sqlite")).execute(
            "select genes, start from problem, contest where problem = problem.id").fetchone()
        names = [gene for gene, alleles in json.loads(genes)]
        at = names.index("proceed/vectors")
        best = start[:at] + ("B" if start[at] != "B" else "C") + start[at + 1:]
        self.change(f"update contest set won = 1, score = 4 * start_score / 3, genome = '{best}'")

    def predict(self, size):
        return self.succeed_json("predict", *WAVE, "--size", size, *DATABASE)

    def run_it(self, *options):
        return self.succeed_json(
            "run", *WAVE, "--size", 2000, "--steps", 3, "--quiet", *DATABASE, *options)

    def test_takes_over_what_was_faster_elsewhere(self):
        self.tune()
        self.crown()
        near = self.predict(2000)
        self.assertTrue(near["predicted"], near["why_not"])
        self.assertEqual((near["near"][0]["machine"], near["near"][0]["size"]), ("wave", "1000"))
        self.assertAlmostEqual(near["candidates"][0]["expected_gain"], 4 / 3)
        self.assertEqual(near["candidates"][0]["confidence"], near["near"][0]["likeness"])
        default = self.run_it("--schedule", "default")
        run = self.run_it("--schedule", "predicted")
        self.assertEqual(run["schedule"], "predicted")
        self.assertRegex(run["schedule_source"], r"^1\.33 times the default expected, like wave 1000 by 0\.\d\d of 1")
        self.assertEqual(run["fields"], default["fields"], "the bits are those of any schedule")
        self.assertNotEqual(run["schedule_hash"], default["schedule_hash"])
        self.assertEqual(self.run_it("--schedule", near["schedule"])["schedule_hash"], run["schedule_hash"])
        self.assertEqual(self.predict(1000)["near"][0]["likeness"], 1)
        text = self.succeed("predict", *WAVE, "--size", 2000, *DATABASE)
        self.assertRegex(text, r"^predicted: 1\.33 times the speed of the default, confidence 0\.\d\d of 1\n"
                         r"  like wave 1000 \(f64, threads: 1\) by 0\.\d\d: there 1\.33 times the default\n"
                         r"--schedule genome:\w+:\w+\n$")

    def test_falls_back_and_says_why(self):
        nothing = "no tuned program is known"
        self.assertEqual(self.predict(2000)["why_not"], nothing)
        run = self.run_it("--schedule", "predicted")
        self.assertEqual((run["schedule"], run["schedule_source"]), ("default", "not predicted: " + nothing))
        self.write("t.sqlite", "x" * 5000)
        self.assertEqual(
            self.predict(2000)["why_not"],
            "what was tuned can't be read: `t.sqlite` is not a tuning database")

    def test_wrong_calls(self):
        self.assert_refused(
            "error: `predict` looks for a schedule: leave out `--schedule`\n",
            "predict", *WAVE, "--schedule", "default")
        self.assert_refused(
            "error: `--schedule predicted` is for `run` and `bench`, which have a grid\n"
            "hint: `predict` prints what it finds as `genome:LETTERS`\n",
            "emit", "wave", "--dim", 1, "--schedule", "predicted", "--output", "out")


if __name__ == "__main__":
    unittest.main()
