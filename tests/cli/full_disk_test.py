"""Standard output that can't be written: status 1 and one line that says so, whatever was printed.
Standard error that can't be: as if it could."""
import json
import os
import subprocess
import unittest

from command import PARAISO, CommandTest

# Where a buffer was written before the end, only that it failed is known, and not why.
FULL = (r"^error: can't write to standard output: "
        r"(No space left on device|is the disk full\?)$")

CALLS = (
    ["--help"],
    ["--version"],
    ["run", "--help"],
    ["apps"],
    ["apps", "--json"],
    ["doctor"],
    ["show", "heat"],
    ["show", "hydro", "--dim", 3],  # more than a buffer holds: it fails while it is printed
    ["show", "heat", "--plan"],
    ["show", "hydro", "--source", "openmp"],
    ["emit", "heat", "--output", "out"],
    ["run", "hello", "--steps", 1, "--quiet", "--backend", "interpreter"],
    ["run", "hello", "--steps", 1, "--quiet", "--backend", "interpreter", "--json"],
    ["bench", "hello", "--size", 8, "--steps", 1, "--backend", "interpreter"],
    ["bench", "hello", "--size", 8, "--steps", 1, "--backend", "interpreter", "--json"],
    ["verify", "hello", "--schedules", 1, "--size", 8, "--compiler", "g++"],
)


class FullDisk(CommandTest):
    def call(self, *arguments, **streams):
        return subprocess.run([PARAISO, *map(str, arguments)], cwd=self.folder, text=True,
                              timeout=500, **streams)

    def errors_of(self, output, *arguments):
        result = self.call(*arguments, stdout=output, stderr=subprocess.PIPE)
        return result.returncode, result.stderr

    def test_on_standard_output_is_told_once(self):
        for call in CALLS:
            with self.subTest(" ".join(map(str, call))), open("/dev/full", "w") as full:
                status, errors = self.errors_of(full, *call)
                self.assertEqual(status, 1, errors)
                self.assertRegex(errors.splitlines()[-1], FULL)
                self.assertEqual(errors.count("error:"), 1, errors)

    def test_loses_no_checkpoint(self):
        with open("/dev/full", "w") as full:
            status, _ = self.errors_of(full, "run", "hello", "--steps", 3, "--quiet", "--backend",
                                       "interpreter", "--checkpoint", "state")
        self.assertEqual(status, 1)
        later = self.succeed_json("run", "hello", "--steps", 5, "--quiet", "--backend",
                                  "interpreter", "--restart", "state")
        self.assertEqual(later["steps_run"], 2)

    def test_of_outputs_leaves_the_checkpoint_that_lies_elsewhere(self):
        """A snapshot can't take its name, as it can't on a full disk: steps up to there are not lost."""
        os.makedirs(self.path("out/hello_00000003.h5/in_the_way"))
        call = ("run", "hello", "--quiet", "--backend", "interpreter")
        for more in (["--steps", 3], ["--steps", 9, "--every", 3]):
            result = self.command(*call, *more, "--output", "out", "--checkpoint", "state")
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, r"^error: can't write `out/hello_00000003.h5`: .*\n"
                                            r"hint: the checkpoint `state` is of step 3\n$")
        self.assertEqual(self.succeed_json(*call, "--steps", 5, "--restart", "state")["steps_run"], 2)

    def test_of_the_only_picture_is_told_before_the_first_step(self):
        os.makedirs(self.path("hello_density.png/in_the_way"))
        result = self.command("run", "hello", "--steps", 10 ** 9, "--quiet", "--backend", "interpreter", "--plot", "density")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "^error: can't write `hello_density.png`: ")

    def test_a_wrong_call_stays_one(self):
        with open("/dev/full", "w") as full:
            self.assertEqual(self.errors_of(full, "runn")[0], 2)

    def test_a_closed_one_is_told(self):
        result = subprocess.run(["sh", "-c", f'"{PARAISO}" apps >&-'], cwd=self.folder,
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(result.stderr,
                         "error: can't write to standard output: Bad file descriptor\n")
        self.assertEqual(result.returncode, 1)

    def test_on_standard_error_changes_nothing(self):
        with open("/dev/full", "w") as full:
            self.assertEqual(self.call("runn", stderr=full).returncode, 2)
            self.assertEqual(self.call("show", "missing.om", stderr=full).returncode, 2)
            done = self.call("run", "hello", "--steps", 3, "--backend", "interpreter", "--json",
                             stdout=subprocess.PIPE, stderr=full)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout)["steps"], 3)


if __name__ == "__main__":
    unittest.main()
