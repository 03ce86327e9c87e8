"""bench/against_kernel_tuner.py judges a setting on kernels only that it was not chosen on."""
import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import against_kernel_tuner as against  # noqa: E402

# Each is best where the other is not; `steady` is second everywhere.
SCORES = {"bold": {"add_A": 0.9, "add_B": 0.8, "sum_A": 0.1, "dot_A": 0.2},
          "meek": {"add_A": 0.0, "add_B": 0.0, "sum_A": 0.6, "dot_A": 0.7},
          "steady": {"add_A": 0.5, "add_B": 0.5, "sum_A": 0.5, "dot_A": 0.4}}
THEIRS = {"rival": {"add_A": 0.3, "add_B": 0.3, "sum_A": 0.3, "dot_A": 0.3},
          "other": {"add_A": 0.9, "add_B": 0.0, "sum_A": 0.0, "dot_A": 0.0}}


class NestedChoice(unittest.TestCase):
    def nested(self, **options):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = os.path.join(folder, "ours.json"), os.path.join(folder, "theirs.jsonl")
            spaces = [{"file": space + ".recording",
                       "rows": [{"strategy": name, "scores": [row[space] - 0.01, row[space] + 0.01]}
                                for name, row in SCORES.items()]} for space in SCORES["bold"]]
            with open(ours, "w") as file:
                json.dump({"spaces": spaces}, file)
            with open(theirs, "w") as file:
                for name, row in THEIRS.items():
                    for space, score in row.items():
                        for seed in (1, 2):
                            file.write(json.dumps({"space": space, "strategy": name, "seed": seed,
                                                   "score": score}) + "\n")
            call = types.SimpleNamespace(**{"ours": ours, "theirs": theirs, "space": None, "fold": None,
                                            "only": None, **options})
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                against.nested(call)
        return printed.getvalue().splitlines()

    def test_each_kernel_is_judged_by_the_choice_of_the_others(self):
        # Without `add`, `meek` is best: 0.65 against 0.45 and 0.15. Without `dot`: `bold` 0.475, `steady` 0.5.
        self.assertEqual(self.nested()[:3], [
            "chosen on dot, sum: meek, on add 0.000 (rival of Kernel Tuner 0.300)",
            "chosen on add, sum: steady, on dot 0.400 (rival of Kernel Tuner 0.300)",
            "chosen on add, dot: bold, on sum 0.100 (rival of Kernel Tuner 0.300)"])
        self.assertRegex(self.nested()[3], r"^all: 0\.125, rival of Kernel Tuner 0\.300, difference -0\.175 \[")

    def test_or_one_kernel_chooses_for_all_others_and_they_for_it(self):
        self.assertEqual(self.nested(fold="add")[:2], [
            "chosen on dot, sum: meek, on add 0.000 (rival of Kernel Tuner 0.300)",
            "chosen on add: bold, on dot, sum 0.150 (rival of Kernel Tuner 0.300)"])

    def test_only_some_compete(self):
        lines = self.nested(only=["steady"])
        self.assertEqual(lines[-1], "all: 0.475, rival of Kernel Tuner 0.300, difference 0.175 "
                         "[0.167, 0.182]; with choices made anew in each resample, of 1 settings, 0.175 [0.167, 0.182]")


if __name__ == "__main__":
    unittest.main()
