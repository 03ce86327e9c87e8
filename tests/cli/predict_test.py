"""`predict`, `--schedule predicted` and `show --features` from outside."""
import json
import os
import re
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
            "error: `--size` is for `--plan`, `--genes`, `--features` and devices' `--source`: the program knows no grid\n",
            "show", "heat", "--size", "100x50")


class Predict(CommandTest):
    TUNE = ("tune", *WAVE, "--repeat", 1, "--rounds", 6, *DATABASE)

    def tune(self):
        self.succeed(*self.TUNE, "--size", 1000, "--budget", 1)

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
        self.assertEqual(near["size"], [2000])
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

    def test_run_takes_it_where_nothing_is_tuned(self):
        """At eight times the size, which is not near; the words are those of `--schedule predicted`."""
        self.tune()
        far = ("run", *WAVE, "--size", 8000, "--steps", 3, "--quiet", *DATABASE)
        untuned = self.succeed_json(*far)
        self.assertEqual((untuned["schedule"], untuned["schedule_source"]),
                         ("default", "nothing is tuned near this size; not predicted: what was best for programs "
                                     "like it is the default here"))
        self.crown()
        run = self.succeed_json(*far)
        self.assertEqual(run["schedule"], "predicted")
        self.assertRegex(run["schedule_source"], r"^1\.33 times the default expected, like wave 1000 by 0\.\d\d of 1, from `t.sqlite`$")
        self.assertEqual(run["schedule_source"], self.succeed_json(*far, "--schedule", "predicted")["schedule_source"])
        self.assertNotEqual(run["schedule_hash"], untuned["schedule_hash"])
        self.change("update description set features = '{'")
        self.assertEqual(self.succeed(*far).splitlines()[1],
                         "schedule: default, nothing is tuned near this size; not predicted: what was tuned can't be "
                         "read: the description of problem 1 is damaged")

    def versions_of_features(self):
        return [json.loads(features)["version"] for features, in sqlite3.connect(self.path("t.sqlite")).execute(
            "select features from description order by problem")]

    def test_features_of_another_version_are_found_out_again(self):
        """From the program's text, for a machine as it was, but for what features do not tell of it."""
        self.tune()
        self.crown()
        before = self.predict(2000)
        old = "delete from place; update description set features = replace(features, '\"version\":1', '\"version\":0')"
        self.change(old)
        self.assertEqual(self.versions_of_features(), [0])
        again = self.predict(2000)
        self.assertEqual(again["schedule"], before["schedule"])
        self.assertAlmostEqual(again["near"][0]["likeness"], before["near"][0]["likeness"], 2)
        self.succeed(*self.TUNE, "--size", 2000, "--budget", 1)
        self.assertEqual(self.versions_of_features(), [1, 1], "a tuner writes what it found")
        self.change("delete from contest where problem = 2;" + old + "; delete from program")
        self.assertEqual(self.predict(2000)["why_not"], "all tuned programs are described by another version of Paraiso")
        self.change("insert into program select distinct program_hash, 'paraiso 1 of another kind' from problem")
        self.assertEqual(self.predict(2000)["why_not"],
                         "what was tuned can't be read: the description of problem 1 is damaged")

    def tune_there(self, *options):
        """At another size: the lines about the prediction, and the results."""
        result = self.command(*self.TUNE, "--size", 2000, "--predict", "--json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        told = [line for line in result.stderr.splitlines() if re.search("predicted:|the search ended", line)]
        return told, json.loads(result.stdout)

    def methods(self):
        return [method for method, in sqlite3.connect(self.path("t.sqlite")).execute(
            "select method from individual where problem = 2 order by id")]

    def test_tune_tries_it_first(self):
        self.tune()
        self.crown()
        told, found = self.tune_there("--good-enough", 0.001)
        self.assertRegex(told[0], r"^predicted: 1 schedule to try, from wave 1000 \(like it by 0\.\d\d of 1\); "
                         r"1\.33 times the default is expected, 0\.00 is good enough$")
        self.assertEqual(told[1], "the search ended: 0.00 times the default's speed is reached")
        self.assertEqual((found["measured"], found["predicted"], found["good_enough"]), (1, 1, True))
        told, found = self.tune_there("--good-enough", 1000)
        self.assertEqual(told[1], "the search ended: all that is predicted is tried: `--budget N` searches on")
        self.assertEqual((found["measured"], found["good_enough"]), (1, False), "what is predicted, and no more")
        _, found = self.tune_there("--good-enough", 1000, "--budget", 1)
        self.assertEqual((found["measured"], found["individuals"]), (1, 3))
        self.assertEqual(self.methods()[:2], ["start", "start"])
        self.assertNotEqual(self.methods()[2], "start", "the search goes on")

    def test_one_slow_timing_of_the_default_ends_no_search(self):
        """It was timed again since: the median of all counts."""
        self.tune()
        self.change("update individual set score = score / 1000")
        found = self.succeed_json(*self.TUNE, "--size", 1000, "--good-enough", 30, "--budget", 1)
        self.assertEqual((found["measured"], found["good_enough"]), (1, False))
        self.change("update reference set score = score / 1000")
        found = self.succeed_json(*self.TUNE, "--size", 1000, "--good-enough", 30, "--budget", 1)
        self.assertEqual((found["measured"], found["good_enough"]), (0, True), "it is beside these")

    def test_tune_without_a_prediction(self):
        told, found = self.tune_there()
        self.assertEqual(told[0], "not predicted: no tuned program is known")
        self.assertEqual((found["measured"], found["predicted"]), (1, 0), "the default schedule")
        self.assertNotIn("good_enough", found)
        self.tune()
        self.change("update description set features = '{' where problem = 2")
        told, found = self.tune_there()
        self.assertEqual(told, ["not predicted: what was tuned can't be read: the description of problem 2 is damaged"])
        self.assertEqual(found["measured"], 0, "known already")

    def test_falls_back_and_says_why(self):
        nothing = "no tuned program is known"
        self.assertEqual(self.predict(2000)["why_not"], nothing)
        run = self.run_it("--schedule", "predicted")
        self.assertEqual((run["schedule"], run["schedule_source"]), ("default", "not predicted: " + nothing))
        self.write("t.sqlite", "x" * 5000)
        self.assertEqual(
            self.predict(2000)["why_not"],
            "what was tuned can't be read: `t.sqlite` is not a tuning database")
        self.assert_leaves_another_programs_database()

    def assert_leaves_another_programs_database(self):
        os.remove(self.path("t.sqlite"))
        self.change("create table photo (id integer)")
        before = self.bytes_of("t.sqlite")
        why = "can't be read: `t.sqlite` is the database of another program"
        self.assertEqual(self.predict(2000)["why_not"], "what was tuned " + why)
        run = self.run_it()
        self.assertEqual((run["schedule"], run["schedule_source"]), ("default", "since the tuned ones " + why))
        self.assert_fails(f"error: {why[15:]}\nhint: give a file of its own to the tuning\n", "rivals", *DATABASE)
        self.assertEqual(self.bytes_of("t.sqlite"), before)

    def test_wrong_calls(self):
        for option in (["--predict"], ["--good-enough", 2]):
            self.assert_refused(
                f"error: `{option[0]}` compares with the default schedule: leave out `--from`\n",
                *self.TUNE, *option, "--budget", 1, "--from", "default")
            self.assert_refused(
                f"error: `{option[0]}` is for a search, and `--contest` does not search\n",
                *self.TUNE, *option, "--contest")
        self.assert_refused(
            "error: `--predict` compares with the default schedule: leave out `--recipes`\n",
            *self.TUNE, "--predict", "--recipes", 3)
        self.assert_refused(
            "error: `predict` looks for a schedule: leave out `--schedule`\n",
            "predict", *WAVE, "--schedule", "default")
        self.assert_refused(
            "error: `--schedule predicted` is for `run` and `bench`: only they look for one\n"
            "hint: `predict` prints what it finds as `genome:LETTERS`\n",
            "emit", "wave", "--dim", 1, "--schedule", "predicted", "--output", "out")


if __name__ == "__main__":
    unittest.main()
