"""`emit`: a library that builds and runs with nothing of Paraiso in sight, and overwrites nothing."""
import os
import subprocess
import unittest

from command import CommandTest

EMIT = ["emit", "heat", "--dim", 2, "--output", "out"]


class Emit(CommandTest):
    def build_and_run(self, folder):
        def run(*arguments):
            # A clean environment: no variable and no path that knows Paraiso.
            result = subprocess.run(arguments, cwd=self.path(folder), capture_output=True, text=True,
                                    env={"PATH": "/usr/bin:/bin"}, timeout=500)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            return result

        run("cmake", "-S", ".", "-B", "build", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
        run("cmake", "--build", "build")
        programs = [
            os.path.join("build", name) for name in os.listdir(self.path(folder + "/build"))
            if os.access(self.path(f"{folder}/build/{name}"), os.X_OK)
            and os.path.isfile(self.path(f"{folder}/build/{name}"))
        ]
        self.assertEqual(len(programs), 1, programs)
        run("./" + programs[0])

    def test_builds_and_runs_alone(self):
        self.succeed(*EMIT)
        for name in os.listdir(self.path("out")):
            self.assertNotIn("#include \"paraiso/", self.read("out/" + name))
        self.build_and_run("out")

    def test_again_over_its_own(self):
        first = self.succeed(*EMIT)
        self.assertEqual(self.succeed(*EMIT), first)

    def test_another_app_leaves_no_stale_file(self):
        self.succeed(*EMIT)
        self.succeed("emit", "hello", "--output", "out")
        self.assertFalse([name for name in os.listdir(self.path("out")) if "heat" in name])

    def test_refuses_a_folder_that_it_did_not_write(self):
        os.mkdir(self.path("out"))
        self.write("out/thesis.tex", "precious")
        self.assert_refused(
            "error: `--output out` is not empty and was not written by `emit`: "
            "choose another folder\n", *EMIT,
        )
        self.assertEqual(os.listdir(self.path("out")), ["thesis.tex"])

    def test_refuses_to_overwrite_what_the_user_changed(self):
        self.succeed(*EMIT)
        self.write("out/heat.cpp", "my own\n")
        self.assert_fails(
            "error: `out/heat.cpp` was changed since it was emitted: move it away, or choose "
            "another `--output` folder\n", *EMIT,
        )
        self.assertEqual(self.read("out/heat.cpp"), "my own\n")

    def test_refuses_a_file(self):
        self.write("out", "")
        self.assert_refused("error: `--output out` is no folder\n", *EMIT)

    def test_damaged_record(self):
        self.succeed(*EMIT)
        self.write("out/paraiso-emit.json", "{")
        self.assert_fails(
            "error: `out/paraiso-emit.json` is damaged: choose another `--output` folder\n", *EMIT
        )


if __name__ == "__main__":
    unittest.main()
