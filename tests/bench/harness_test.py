"""bench/run.py, run with programs that print what they are told to have measured."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import run  # noqa: E402

LIMITS = {"copy": 20e9, "streamed_copy": 40e9, "l2_copy": 80e9, "l3_copy": 30e9,
          "f64": {"flops": 100e9}, "f32": {"flops": 200e9}}


class Harness(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        (self.build / "bin").mkdir()
        self.program("reference_limits", f"echo '{json.dumps(LIMITS)}'")
        self.reference(plain=20, best=80)
        self.ours(60)

    def program(self, name, script):
        """Calls are logged as `name threads`."""
        path = self.build / "bin" / name
        path.write_text("#!/bin/bash\nall=\"$*\"\nthreads=${all#*--threads }\n"
                        f"echo {name} ${{threads%% *}} >> {self.build}/calls\n{script}\n")
        path.chmod(0o755)

    def reference(self, plain, best, difference=0):
        self.program("reference_hydro2d", f"""
case "$all" in
  *--check*) echo '{{"difference": {difference}}}'; exit {int(difference > 0)};;
  *plain*) echo '{{"cell_updates_per_second": {plain}e6}}';;
  *) echo '{{"cell_updates_per_second": {best}e6}}';;
esac""")

    def ours(self, rate, clang=54):
        figures = {compiler: json.dumps({"cell_updates_per_second": figure * 1e6,
                                         "bytes_per_update": 64, "flops_per_update": 500})
                   for compiler, figure in (("g++", rate), ("clang++", clang))}
        self.program("paraiso", f"""
case "$all" in
  *clang++*) echo '{figures["clang++"]}';;
  *) echo '{figures["g++"]}';;
esac""")

    def run_harness(self, *arguments):
        """The status, the lines of the table and what it recorded."""
        text, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(errors):
            status = run.main(["--only", "hydro2d", "--build", str(self.build), *arguments])
        self.errors = errors.getvalue()
        record = self.build / "bench.json"
        lines = [line for line in text.getvalue().splitlines() if line.startswith("| hydro2d")]
        return status, lines, json.loads(record.read_text()) if record.exists() else None

    def test_a_row_compares_medians_with_the_best_and_with_what_is_required(self):
        _, lines, _ = self.run_harness()
        self.assertEqual(lines, [
            "| hydro2d | 1024x1024 | f64 | 1 | 60.0 | 0.90 of 5 | 20.0 | 80.0 | 0.75 | - |"
            " 30 % of flops |",
            "| hydro2d | 1024x1024 | f64 | 2 | 60.0 | 0.90 of 5 | 20.0 | 80.0 | 0.75 | 80 missed |"
            " 30 % of flops |"])

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
        self.assertEqual(calls[2:], 2 * one_round)  # after the limits and the check

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
        self.assertIn("| 60.0 | 0.90 of 5 | 20.0 | - | - |", lines[0])
        self.assertEqual(self.errors, 'hydro2d, best: failed: differs from the plain form: '
                                      '{"difference": 0.1}\n')

    def test_without_the_references_nothing_is_measured(self):
        (self.build / "bin" / "reference_limits").unlink()
        status, lines, _ = self.run_harness()
        self.assertEqual((status, lines), (1, []))
        self.assertEqual(self.errors, "error: the machine's limits: no reference_limits; build "
                                      "the target `references`\n")


if __name__ == "__main__":
    unittest.main()
