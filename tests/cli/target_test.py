"""--target: what code is made for, and what is said where this machine can't run it."""
import platform
import shutil
import unittest

from command import TARGET, CommandTest

X86 = platform.machine() == "x86_64"
FOREIGN = "aarch64" if X86 else "x86-64-v3"
REFUSAL = f"error: this machine can't run code for `{FOREIGN}`: its architecture is {platform.machine()}\n"


class Targets(CommandTest):
    def test_an_unknown_one_names_the_nearest(self):
        message = ("error: no target `x86-64-3`: did you mean `x86-64-v3`?\n"
                   "hint: there is native, x86-64-v2, x86-64-v3, x86-64-v4, aarch64\n")
        for command in ["run", "bench", "tune", "verify", "show", "emit"]:
            more = {"tune": ["--budget", 1], "emit": ["--output", "out"], "show": ["--plan"]}
            with self.subTest(command):
                self.assert_refused(message, command, "hello", *more.get(command, []), "--target",
                                    "x86-64-3")
        self.assert_refused(message, "run", "hello", env={"PARAISO_TARGET": "x86-64-3"})
        self.assert_refused(message, "run", "hello", "--backend", "interpreter", "--target", "x86-64-3")

    def test_what_this_machine_cannot_run_is_refused(self):
        for command, *more in [["run"], ["bench"], ["verify"], ["tune", "--budget", 1]]:
            with self.subTest(command):
                self.assert_refused(REFUSAL, command, "hello", *more, "--target", FOREIGN)
                self.assert_refused(REFUSAL, command, "hello", *more, env={"PARAISO_TARGET": FOREIGN})

    def test_it_is_shown_all_the_same(self):
        self.assertIn("group 1", self.succeed("show", "hello", "--plan", "--target", FOREIGN))

    def test_verify_compares_levels_and_compilers(self):
        levels = [one["name"] for one in self.succeed_json("doctor")["targets"] if one["runs"]]
        compilers = [name for name in ("g++", "clang++") if shutil.which(name)]
        call = ["verify", "heat", "--dim", 1, "--schedules", 1, "--size", 40]
        told = self.succeed_json(*call, "--target", "all")
        self.assertTrue(told["passed"])
        self.assertEqual(told["targets"], levels)
        self.assertEqual(told["libraries"], len(levels) * len(compilers))
        call += ["--compiler", "g++"]
        self.assertEqual(self.succeed_json(*call, "--target", levels[0] + ",native")["targets"],
                         [levels[0], "native"])
        self.assertIn(f" libraries for {TARGET}; seed 1\n", self.succeed(*call))
        self.assert_refused(REFUSAL, *call, "--target", "native," + FOREIGN)


if __name__ == "__main__":
    unittest.main()
