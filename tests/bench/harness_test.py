"""The scripts of bench/, run with programs that print what they are told to have measured."""

import contextlib
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import fit
import predicted  # noqa: E402
import run  # noqa: E402

LIMITS = {"copy": 20e9, "streamed_copy": 40e9, "l2_copy": 80e9, "l3_copy": 30e9,
          "f64": {"flops": 100e9}, "f32": {"flops": 200e9}}
PREDICTED = {"machine": "2 threads of a test", "nanoseconds": 20, "bound": "divider"}


class Scripts(unittest.TestCase):
    """Each test has a build of its own, in which a program is what `program` says."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        (self.build / "bin").mkdir()
        environment = unittest.mock.patch.dict(os.environ)
        environment.start()
        self.addCleanup(environment.stop)
        os.environ.pop("PARAISO_TARGET", None)

    def program(self, name, script, folder=""):
        """Calls are logged as `name threads`."""
        path = self.build / "bin" / folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/bash\nall=\"$*\"\nthreads=${all#*--threads }\n"
                        f"echo {name} ${{threads%% *}} >> {self.build}/calls\n{script}\n")
        path.chmod(0o755)

    def run_script(self, script, output, *arguments):
        """The status, what is printed and what is recorded; what is said of errors is kept."""
        text, errors = io.StringIO(), io.StringIO()
        try:
            with contextlib.redirect_stdout(text), contextlib.redirect_stderr(errors):
                status = script.main(["--build", str(self.build), *arguments])
        finally:
            self.errors = errors.getvalue()
        record = self.build / output
        return status, text.getvalue(), json.loads(record.read_text()) if record.exists() else None


class Harness(Scripts):
    def setUp(self):
        super().setUp()
        self.program("reference_limits", f"echo '{json.dumps(LIMITS)}'")
        self.reference(plain=20, best=80)
        self.ours(60)

    def reference(self, plain, best, difference=0):
        self.program("reference_hydro2d", f"""
case "$all" in
  *--check*) echo '{{"difference": {difference}}}'; exit {int(difference > 0)};;
  *plain*) echo '{{"cell_updates_per_second": {plain}e6}}';;
  *) echo '{{"cell_updates_per_second": {best}e6}}';;
esac""")

    def ours(self, rate, clang=54):
        figures = {compiler: json.dumps({"cell_updates_per_second": figure * 1e6,
                                         "bytes_per_update": 64, "flops_per_update": 500,
                                         "predicted": PREDICTED})
                   for compiler, figure in (("g++", rate), ("clang++", clang))}
        self.program("paraiso", f"""
case "$all" in
  *clang++*) echo '{figures["clang++"]}';;
  *) echo '{figures["g++"]}';;
esac""")

    def run_harness(self, *arguments):
        """The status, the lines of the table and what it recorded."""
        status, text, record = self.run_script(run, "bench.json", "--only", "hydro2d", *arguments)
        return status, [line for line in text.splitlines() if line.startswith("| hydro2d")], record

    def test_a_row_compares_medians_with_the_best_and_with_what_is_required(self):
        _, lines, _ = self.run_harness()
        self.assertEqual(lines, [
            "| hydro2d | 1024x1024 | f64 | native | 1 | 60.0 | 0.90 met (5 of 10 rounds) | 20.0 | 80.0 |"
            " 0.75 missed | - | 30 % of flops | divider | 0.83 |",
            "| hydro2d | 1024x1024 | f64 | native | 2 | 60.0 | 0.90 met (5 of 10 rounds) | 20.0 | 80.0 |"
            " 0.75 missed | 80 missed | 30 % of flops | divider | 0.83 |"])

    def test_what_a_row_says_is_recorded_by_threads(self):
        self.ours(100, clang=90)
        _, _, record = self.run_harness("--rounds", "1")
        results = record["rows"][0]["results"]
        self.assertEqual(results["2"], {
            "ours": 100e6, "plain": 20e6, "best": 80e6, "required": 80, "met": True,
            "compilers": {"ratio": 0.9, "met": True, "rounds": 1},
            "over_reference": {"ratio": 1.25, "met": True}, "bound": "flops",
            "fraction_of_bound": 0.5, "predicted_bound": "divider",
            "measured_over_predicted": 0.5, "level": "native"})
        self.assertEqual(record["target"], "native")
        self.assertEqual((results["1"]["required"], results["1"]["met"]), (None, None))

    def test_a_target_is_asked_of_both(self):
        self.program("reference_limits", f"echo '{json.dumps(LIMITS)}'", folder="x86-64-v3")
        self.program("reference_hydro2d", """echo '{"cell_updates_per_second": 40e6}'""", "x86-64-v3")
        self.program("paraiso", """case "$all" in
  *"--target x86-64-v3 "*) echo '{"cell_updates_per_second": 20e6, "bytes_per_update": 64,
      "flops_per_update": 500, "level": "x86-64-v3"}';;
esac""")
        for call in (["--target", "x86-64-v3"], []):
            _, lines, record = self.run_harness("--threads", "2", *call)
            self.assertIn("| f64 | x86-64-v3 | 2 | 20.0 | 1.00 met (5 of 10 rounds) | 40.0 | 40.0 |",
                          lines[0])
            self.assertEqual((record["target"], record["rows"][0]["results"]["2"]["level"]),
                             ("x86-64-v3", "x86-64-v3"))
            os.environ["PARAISO_TARGET"] = "x86-64-v3"  # for the second call

    def test_ours_is_by_the_compiler_that_the_level_takes(self):
        said = {"native": "x86-64-v3", "targets": [{"name": "x86-64-v2", "compiler": "g++"},
                                                   {"name": "x86-64-v3", "compiler": "clang++"}]}
        rate = '"bytes_per_update": 64, "flops_per_update": 500'
        self.program("paraiso", f"""
case "$all" in
  *doctor*) echo '{json.dumps(said)}';;
  *clang++*) echo '{{"cell_updates_per_second": 80e6, {rate}}}';;
  *) echo '{{"cell_updates_per_second": 64e6, {rate}}}';;
esac""")
        _, lines, record = self.run_harness("--threads", "2")
        self.assertIn("| native | 2 | 80.0 | 1.25 missed (5 of 10 rounds) | 20.0 |", lines[0])
        self.assertEqual(record["compiler"], "clang++")
        self.assertEqual(set(record["rows"][0]["contestants"]), {"ours", "gcc", "plain", "best"})

    def test_compilers_are_alike_within_ten_percent_in_ten_rounds(self):
        for clang, text in ((53, "0.88 missed"), (66, "1.10 met"), (67, "1.12 missed")):
            self.ours(60, clang)
            _, lines, _ = self.run_harness("--rounds", "10", "--threads", "2")
            self.assertIn(f"| 60.0 | {text} | 20.0 |", lines[0])
        _, lines, _ = self.run_harness("--rounds", "9", "--threads", "2")
        self.assertIn("| 60.0 | 1.12 missed (9 of 10 rounds) | 20.0 |", lines[0])

    def test_a_speed_that_is_not_predicted_is_shown_without(self):
        self.program("paraiso", """echo '{"cell_updates_per_second": 60e6, "predicted": null,
            "bytes_per_update": 64, "flops_per_update": 500}'""")
        _, lines, _ = self.run_harness("--threads", "2")
        self.assertTrue(lines[0].endswith("| 30 % of flops | - | - |"))

    def test_nine_tenths_of_the_fastest_form_are_asked_for_on_one_and_two_threads(self):
        for rate, text in ((72, "0.90 met"), (71, "0.89 missed")):
            self.ours(rate)
            for line in self.run_harness()[1]:
                self.assertIn(f"| 20.0 | 80.0 | {text} |", line)
        self.reference(plain=80, best=20)  # the plain form may be the fastest
        self.assertIn("| 80.0 | 20.0 | 0.89 missed |", self.run_harness()[1][0])
        self.assertIsNone(run.over_reference(72e6, [20e6, None]))
        self.assertIsNone(run.over_reference(None, [80e6]))

    def test_a_row_whose_reference_is_plain_only(self):
        self.program("reference_hello", """echo '{"cell_updates_per_second": 65e6}'""")
        _, text, record = self.run_script(run, "bench.json", "--only", "hello", "--threads", "2")
        self.assertIn("| 65.0 | - | 0.92 met | - |", text)
        self.assertEqual(record["rows"][0]["checks"], [])

    def test_the_bound_is_the_limit_that_is_nearest(self):
        sample = {"bytes_per_update": 16, "flops_per_update": 10}
        self.assertEqual(run.bound(sample, 2e9, LIMITS, "f64"), (0.8, "copy"))
        self.assertEqual(run.bound({**sample, "flops_per_update": 60}, 2e9, LIMITS, "f64"),
                         (1.2, "flops"))

    def test_what_is_required_is_met_from_the_figure_on(self):
        self.ours(80)
        _, lines, _ = self.run_harness()
        self.assertIn("| 80 met |", lines[1])

    def test_contestants_alternate_in_each_round(self):
        self.run_harness("--rounds", "2", "--threads", "2")
        calls = (self.build / "calls").read_text().splitlines()
        one_round = ["paraiso 2", "paraiso 2", "reference_hydro2d 2", "reference_hydro2d 2"]
        self.assertEqual(calls[3:], 2 * one_round)  # after the doctor, the limits and the check

    def test_every_sample_is_recorded(self):
        _, _, record = self.run_harness("--rounds", "3", "--threads", "1")
        samples = record["rows"][0]["contestants"]["ours"]["samples"]["1"]
        self.assertEqual([sample["cell_updates_per_second"] for sample in samples], [60e6] * 3)
        self.assertEqual(record["limits"]["1"], LIMITS)

    def test_what_does_not_exist_yet_is_said(self):
        self.program("paraiso", "echo 'error: `--fuse 8` is not built' >&2; exit 2")
        _, lines, _ = self.run_harness("--threads", "2")
        self.assertIn("| not there yet: `--fuse 8` is not built |", lines[0])

    def test_a_failure_is_not_called_missing(self):
        self.program("paraiso", "echo 'error: no compiler' >&2; exit 1")
        _, lines, _ = self.run_harness("--threads", "2")
        self.assertIn("| failed: no compiler |", lines[0])

    def test_a_best_form_that_differs_from_the_plain_one_is_not_timed(self):
        self.reference(plain=20, best=80, difference=0.1)
        _, lines, _ = self.run_harness("--threads", "2")
        self.assertIn("(5 of 10 rounds) | 20.0 | - | - |", lines[0])
        self.assertEqual(self.errors, 'hydro2d, best: failed: differs from the plain form: '
                                      '{"difference": 0.1}\n')

    def test_without_the_references_nothing_is_measured(self):
        (self.build / "bin" / "reference_limits").unlink()
        status, lines, _ = self.run_harness()
        self.assertEqual((status, lines), (1, []))
        self.assertEqual(self.errors, "error: the machine's limits: no reference_limits; build "
                                      "the target `references`\n")


class Prediction(Scripts):
    """Two cells, seven steps; an update was to take 70 milliseconds."""

    def setUp(self):
        super().setUp()
        sample = {"app": "life", "size": [2, 1], "steps": 7, "seconds": [3, 2, 4],
                  "predicted": {**PREDICTED, "nanoseconds": 7e7}}
        self.program("paraiso", f"""
case "$all" in
  *8192*) echo 'error: a grid of 8192x8192 cells needs 5 TiB of memory' >&2; exit 1;;
  *) echo "$all" >> {self.build}/steps; echo '{json.dumps(sample)}';;
esac""")

    def run_prediction(self, *arguments):
        return self.run_script(predicted, "predicted.json", "--only", "life", *arguments)

    def test_the_best_repeat_beside_the_prediction(self):
        status, text, record = self.run_prediction()
        self.assertEqual(status, 0)
        self.assertIn("| life | 256x256 | 1.43e+08 | 7e+07 | 2.04 | divider |\n", text)
        self.assertIn("\n0 of 5 lie within 0.8 to 1.25; the model is of 2 threads of a test; ",
                      text)
        self.assertEqual([row["sample"]["seconds"] for row in record["rows"]], [[3, 2, 4]] * 5)

    def test_the_best_of_earlier_runs_of_the_same_code_counts(self):
        self.run_prediction()
        earlier = json.loads((self.build / "predicted.json").read_text())
        for n, row in enumerate(earlier["rows"]):
            row["measured"] = 7.1e7  # nanoseconds
            row["sample"]["schedule_hash"] = None if n else "another"
        path = self.build / "earlier.json"
        path.write_text(json.dumps({"rows": earlier["rows"][:1]}))
        _, text, _ = self.run_prediction("--best-of", str(path))
        self.assertIn("| life | 256x256 | 1.43e+08 | 7e+07 | 2.04 | divider |\n", text)
        path.write_text(json.dumps(earlier))
        _, text, _ = self.run_prediction("--best-of", str(path))
        self.assertIn("| life | 256x256 | 7.1e+07 | 7e+07 | 1.01 | divider |\n", text)
        self.assertIn("\n5 of 5 lie within 0.8 to 1.25; ", text)

    def test_earlier_runs_that_cannot_be_read_are_named(self):
        path = self.build / "earlier.json"
        for content in (None, "no JSON", "[]", "{}"):
            if content:
                path.write_text(content)
            with self.assertRaises(SystemExit):
                self.run_prediction("--best-of", str(path))
            self.assertIn(f"{path} is not what an earlier run has written: ", self.errors)

    def test_what_lies_within_is_counted(self):
        sample = {"app": "life", "size": [1000, 1000], "steps": 5, "seconds": [0.1],
                  "predicted": {**PREDICTED, "nanoseconds": 25}}
        self.program("paraiso", f"echo '{json.dumps(sample)}'")
        _, text, _ = self.run_prediction()
        self.assertIn("| life | 8192x8192 | 20 | 25 | 0.80 | divider |\n", text)
        self.assertIn("\n6 of 6 lie within 0.8 to 1.25; ", text)

    def test_steps_follow_from_the_prediction(self):
        sample = {"size": [100, 100], "predicted": {"nanoseconds": 20}}
        self.assertEqual(predicted.steps_for(sample), 500)
        self.assertEqual(predicted.steps_for({**sample, "size": [10**5, 10**5]}), 1)
        self.assertEqual(predicted.steps_for({**sample, "fuse": 8}), 8 * 62)
        self.assertEqual(predicted.steps_for({**sample, "fuse": 8, "size": [10**5, 10**5]}), 8)
        self.run_prediction("--threads", "1")
        calls = (self.build / "steps").read_text().splitlines()
        self.assertEqual(calls[:2], [
            "bench life --problem random --size 256x256 --threads 1 --schedule default --compiler"
            f" g++ --json --steps 1 --repeat {repeats}" for repeats in (1, 7)])

    def test_a_grid_that_does_not_fit_is_named_and_left_out(self):
        _, text, record = self.run_prediction()
        self.assertNotIn("8192", text)
        self.assertEqual(len(record["rows"]), 5)
        self.assertEqual(self.errors, "life --problem random 8192x8192: not measured: a grid of "
                                      "8192x8192 cells needs 5 TiB of memory\n")

    def test_nothing_measured_is_a_failure(self):
        self.program("paraiso", "echo 'error: no compiler' >&2; exit 1")
        status, text, _ = self.run_prediction()
        self.assertEqual(status, 1)
        self.assertNotIn("lie within", text)


class PretendedRow:
    def __init__(self, app, part):
        self.app, self.part = app, part


class PretendedModel(fit.Model):
    """What is measured takes 1 / (part of a constant) as long as is predicted."""

    def __init__(self, rows, truth):
        super().__init__(rows, {})
        self.truth = truth

    def ratios(self, constants):
        return [(constants[row.part] / self.truth[row.part]) ** (1 if row.part != "window" else 0)
                for row in self.rows]


class Fit(unittest.TestCase):
    def setUp(self):
        self.truth = {name: 1.0 for name in fit.FITTED}
        self.rows = [PretendedRow("a", "exposed"), PretendedRow("a", "row_cycles"),
                     PretendedRow("b", "row_cycles"), PretendedRow("c", "cache_edge")]
        self.start = {**self.truth, "exposed": 2.0, "row_cycles": 0.7, "cache_edge": 1.4}

    def test_finds_constants_that_the_rows_tell(self):
        found = fit.fit(PretendedModel(self.rows, self.truth), self.start, lambda app: True)
        for name in ("exposed", "row_cycles", "cache_edge"):
            self.assertAlmostEqual(found[name], 1, delta=0.1)

    def test_what_only_the_judged_app_tells_stays_as_it_was(self):
        found = fit.fit(PretendedModel(self.rows, self.truth), self.start, lambda app: app != "c")
        self.assertEqual(found["cache_edge"], 1.4)
        self.assertAlmostEqual(found["row_cycles"], 1, delta=0.1)

    def test_every_fitted_constant_begins_somewhere(self):
        for name in list(fit.FITTED) + list(fit.NEUTRAL):
            self.assertIn(name, predicted.CONSTANTS)

    def test_begins_with_what_is_built_in(self):
        header = (pathlib.Path(__file__).resolve().parents[2] / "paraiso/plan/cost/machine_model.hpp")
        text = header.read_text().split("struct ModelConstants {")[1].split("};")[0]
        built_in = {name: float(value) for name, value in
                    re.findall(r"double (\w+) = ([-+.e0-9]+);", text)}
        self.assertEqual(built_in, predicted.CONSTANTS)

    def test_counts_what_lies_within(self):
        self.assertEqual(fit.within([0.69, 0.7, 1, 1.4, 1.41], 0.7, 1.4), 3)

    def test_of_rows_of_the_same_code_the_fastest_counts(self):
        row = lambda ns, app: {"measured": ns, "sample": {"app": app, "size": [8], "fuse": 1}}
        best = predicted.best_rows([[row(3, "a"), row(5, "b")], [row(2, "a")]])
        self.assertEqual(sorted(one["measured"] for one in best), [2, 5])


if __name__ == "__main__":
    unittest.main()
