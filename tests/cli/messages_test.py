"""Messages about what seldom fails: the exact text, status 1, nothing lost."""
import os
import resource
import unittest

from command import CommandTest

# 0 / 0 in its first step.
INDEFINITE = """paraiso 1
machine indefinite dimension 1

static a local f64
  boundary 0 cyclic cyclic

kernel proceed step
  %0: local f64 = load a
  %1: local f64 = div %0 %0
  store a %1
end

end machine
"""

HELLO = ["run", "hello", "--dim", 1, "--size", 16, "--steps", 1, "--quiet"]


class Messages(CommandTest):
    def assert_complaint(self, text, *arguments, **options):
        result = self.command(*arguments, **options)
        self.assertEqual((result.returncode, result.stderr), (1, text))

    def test_a_measurement_of_nan(self):
        self.write("indefinite.om", INDEFINITE)
        self.assert_complaint("error: `a` is NaN after the measured steps: the measurement is void\n",
                              "bench", "indefinite.om", "--size", 64, "--steps", 2, "--repeat", 1)

    def test_a_font_that_is_none(self):
        self.write("page.txt", "not a font\n")
        for file in ("page.txt", "nowhere.ttf"):
            with self.subTest(file):
                self.assert_complaint(
                    f"error: `{file}` is not a font that FreeType can read\n", *HELLO, "--plot", "density",
                    "--output", "out", env={"PARAISO_FONT": file})
                self.assertFalse(os.path.exists(self.path("out")))

    @unittest.skipIf(os.environ.get("PARAISO_SANITIZE"), "sanitizers map terabytes: there can be no limit")
    def test_no_memory(self):
        with open(self.path("large.om"), "wb") as file:
            file.truncate(4 << 30)
        self.assert_complaint("error: out of memory\n", "show", "large.om",
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29)))

    def compiler(self, script):
        os.makedirs(self.path("bin"), exist_ok=True)
        self.write("bin/g++", "#!/bin/sh\n" + script)
        os.chmod(self.path("bin/g++"), 0o755)
        return {"PATH": self.path("bin") + ":" + os.environ["PATH"], "PARAISO_CACHE": self.path("cache")}

    def test_a_compiler_that_does_not_say_what_it_is(self):
        for script in ("exit 3\n", "exit 0\n", "kill -SEGV $$\n"):
            with self.subTest(script):
                self.assert_complaint(
                    f"error: `{self.path('bin/g++')} --version` fails: is it a C++ compiler?\n",
                    *HELLO, "--compiler", "g++", env=self.compiler(script))

    def test_a_compiler_that_crashes(self):
        env = self.compiler('case " $* " in *" -c "*) kill -SEGV $$;; esac\nexec /usr/bin/g++ "$@"\n')
        result = self.command(*HELLO, "--compiler", "g++", env=env)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^error: `g\+\+` was ended on `hello\.cpp` by signal 11 \(Segmentation fault\)\n")

    @unittest.skipIf(os.geteuid() != 0, "only root can be a user without a home")
    def test_no_home(self):
        """A user that the system does not know, without $HOME, has no database."""
        shared = os.path.join(self.folder, "shared")
        os.mkdir(shared)
        os.chmod(self.folder, 0o755)
        os.chmod(shared, 0o777)
        env = {name: "" for name in ("HOME", "XDG_DATA_HOME", "PARAISO_DATABASE")}
        env |= {"PARAISO_CACHE": shared + "/cache", "TMPDIR": shared}
        self.expect(2, "error: `--database FILE` is needed where there is no $HOME\n", *HELLO,
                    "--schedule", "tuned", env=env, preexec_fn=lambda: os.setuid(54321))


if __name__ == "__main__":
    unittest.main()
