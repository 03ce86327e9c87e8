"""Help is a guest room: it fits a screen, and answers on standard output."""
import re
import unittest

from command import CommandTest

SUBCOMMANDS = ["apps", "show", "emit", "run", "bench", "verify", "tune", "predict", "thresholds", "replay", "scoreboard", "rivals", "report",
               "simulate", "calibrate", "doctor"]


class Help(CommandTest):
    def assert_fits_a_screen(self, text):
        lines = text.splitlines()
        self.assertLessEqual(len(lines), 40)
        self.assertLessEqual(max(map(len, lines)), 80, max(lines, key=len))

    def test_names_every_subcommand(self):
        text = self.succeed("--help")
        self.assert_fits_a_screen(text)
        for name in SUBCOMMANDS:
            self.assertIn(f"\n  {name} ", text)

    def test_begins_with_calls_that_work(self):
        steps = re.findall(r"^  paraiso (.*?)  ", self.succeed("--help"), re.MULTILINE)
        self.assertEqual(len(steps), 3)
        for step in steps:
            short = ["--steps", 1] if step.startswith("run ") else []
            self.succeed(*step.split(), *short)

    def test_of_each_subcommand_fits_a_screen(self):
        for name in SUBCOMMANDS:
            with self.subTest(name):
                text = self.succeed(name, "--help")
                self.assert_fits_a_screen(text)
                self.assertIn(f"paraiso {name}", text)

    def test_version(self):
        self.assertRegex(self.succeed("--version"), r"^paraiso \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main()
