"""`scripts/demo.sh` with a command that is built already: its verdict, and that each part of it can fail."""
import os
import re
import stat
import subprocess
import unittest

from command import PARAISO, CommandTest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCRIPT = os.path.join(SOURCE, "scripts", "demo.sh")


class Demo(CommandTest):
    def demo(self, spoil=""):
        """The demo of 40 steps; `spoil` is shell text before the command, which sees its arguments."""
        with open(self.path("paraiso"), "w") as file:
            file.write(f'#!/bin/sh\n{spoil}\nexec "{PARAISO}" "$@"\n')
        os.chmod(self.path("paraiso"), stat.S_IRWXU)
        return subprocess.run(
            ["bash", SCRIPT, "--steps", "40"], capture_output=True, text=True, timeout=300,
            env={**os.environ, "PARAISO": self.path("paraiso"), "PARAISO_DEMO": self.path("out")})

    def verdict(self, result):
        lines = result.stdout.split("verdict: ")[1].splitlines()[1:]
        return {line.split()[0]: line.split(maxsplit=1)[1] for line in lines if line.startswith("  ")}

    def assert_fails_alone(self, part, text, result):
        verdict = self.verdict(result)
        self.assertEqual([name for name, told in verdict.items() if told.startswith("FAILED: ")], [part])
        self.assertEqual(verdict[part], "FAILED: " + text)
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stderr.endswith("demo: error: 1 of the checks failed\n"), result.stderr)

    def test_ends_with_a_verdict(self):
        result = self.demo()
        self.assertEqual(result.returncode, 0, result.stderr)
        for line in result.stdout.splitlines():
            self.assertLessEqual(len(line), 80, line)
        verdict = self.verdict(result)
        self.assertEqual(list(verdict), ["pictures", "speed", "accuracy", "bits"])
        last = self.path("out/density_00000040.png")
        self.assertEqual(verdict["pictures"], f"2, the last one is {last}")
        self.assertTrue(os.path.exists(last))
        self.assertRegex(verdict["speed"], r"^[0-9.e+]+ million cells a second, \d+ threads?, by ")
        self.assertEqual(verdict["accuracy"],
                         "error of a shock tube 0.00321; expected 0.00321, at most 0.0034")
        self.assertRegex(verdict["bits"],
                         r"^the same as the interpreter's, in \d{5} numbers of a small jet$")

    def test_allows_the_error_that_the_app_is_tested_for(self):
        with open(os.path.join(SOURCE, "tests", "apps", "hydro_test.cpp")) as file:
            limit = re.search(r'Accuracy\{"sod", [0-9.]+, ([0-9.e-]+)\}', file.read()).group(1)
        with open(SCRIPT) as file:
            self.assertIn(f"limit={float(limit):g}\n", file.read())

    def test_fails_where_the_error_is_large(self):
        self.assert_fails_alone(
            "accuracy", "error of a shock tube 0.0123; expected 0.00321, at most 0.0034",
            self.demo("""case "$*" in *sod*) echo '  "l1_error": 0.0123'; exit;; esac"""))

    def test_fails_where_bits_differ(self):
        result = self.demo("""[ "$1" != verify ] || { echo 'one bit' >&2; exit 1; }""")
        self.assert_fails_alone(
            "bits", f"not the same as the interpreter's, see {self.path('out/bits.json')}", result)
        self.assertIn("one bit\n", result.stderr)

    def test_fails_where_the_jet_does(self):
        result = self.demo("exit 3")
        self.assertEqual((result.returncode, result.stdout), (3, "\n"))


if __name__ == "__main__":
    unittest.main()
