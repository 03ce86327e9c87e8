"""`scripts/setup.sh` with a distribution that is made of scripts: it asks for what is missing and nothing else."""
import os
import platform
import stat
import subprocess
import tempfile
import unittest

SETUP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "setup.sh")
SCRIPTS = {
    "dpkg-query": 'for name; do :; done; case " $MISSING " in *" $name "*) ;; *) printf installed;; esac',
    "apt-get": 'echo "$@" >>"$LOG"; case " $* " in *" $BROKEN "*) exit 100;; esac',
    "sudo": 'exec "$@"',
}


def is_debian():
    with open("/etc/os-release") as file:
        return "ID=debian\n" in file.readlines()


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = os.path.join(folder.name, "log")
        for name, text in SCRIPTS.items():
            path = os.path.join(folder.name, name)
            with open(path, "w") as file:
                file.write("#!/bin/sh\n" + text + "\n")
            os.chmod(path, stat.S_IRWXU)
        self.path = folder.name + ":" + os.environ["PATH"]

    def set_up(self, missing, *options, broken="none"):
        result = subprocess.run(
            ["bash", SETUP, *options], capture_output=True, text=True, timeout=60,
            env={**os.environ, "PATH": self.path, "LOG": self.log, "MISSING": missing, "BROKEN": broken})
        return result, self.read_log()

    def read_log(self):
        if not os.path.exists(self.log):
            return []
        with open(self.log) as file:
            return file.read().splitlines()

    def test_where_nothing_is_missing_nothing_is_done(self):
        result, asked = self.set_up("")
        self.assertEqual((result.returncode, result.stdout, result.stderr, asked), (0, "", "", []))

    def test_what_is_missing_is_installed(self):
        result, asked = self.set_up("g++ libpng-dev")
        self.assertEqual((result.returncode, result.stdout), (0, "setup: installing g++ libpng-dev\n"))
        self.assertEqual(asked, ["install -y --no-install-recommends g++ libpng-dev"])

    def test_what_cannot_be_installed_ends_it(self):
        result, asked = self.set_up("g++", broken="g++")
        self.assertNotEqual(result.returncode, 0)
        install = "install -y --no-install-recommends g++"
        self.assertEqual(asked, [install, "update", install])

    def test_the_command_alone_needs_no_packages_of_tests(self):
        result, asked = self.set_up(
            "g++ libpng-dev clang libomp-dev gnuplot-nox python3 libgtest-dev libbenchmark-dev chromium qemu-user",
            "--without-tests")
        self.assertEqual((result.returncode, result.stdout), (0, "setup: installing g++ libpng-dev\n"))
        self.assertEqual(asked, ["install -y --no-install-recommends g++ libpng-dev"])

    def test_packages_are_named_besides(self):
        result, asked = self.set_up("g++ python3", "--without-tests", "python3")
        self.assertEqual((result.returncode, asked), (0, ["install -y --no-install-recommends g++ python3"]))

    def test_other_options_are_refused(self):
        result, asked = self.set_up("g++", "--tests")
        self.assertEqual((result.returncode, result.stdout, asked), (2, "", []))
        self.assertEqual(result.stderr, "setup: error: `--without-tests` or nothing, and not `--tests`\n")

    @unittest.skipUnless(is_debian(), "the browser is a package of Debian")
    def test_the_browser_is_installed(self):
        result, asked = self.set_up("chromium")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(asked, ["install -y --no-install-recommends chromium"])

    @unittest.skipUnless(is_debian(), "the browser is a package of Debian")
    def test_one_can_do_without_the_browser(self):
        result, _ = self.set_up("chromium", broken="chromium")
        self.assertEqual(
            (result.returncode, result.stderr),
            (0, "setup: without chromium no test looks at reports in a browser\n"))

    @unittest.skipUnless(platform.machine() == "x86_64", "where code for AArch64 is foreign")
    def test_one_can_do_without_code_for_aarch64(self):
        result, asked = self.set_up("qemu-user g++-aarch64-linux-gnu", broken="qemu-user")
        self.assertEqual(
            (result.returncode, result.stderr),
            (0, "setup: without qemu-user and g++-aarch64-linux-gnu no code for AArch64 is tested\n"))
        self.assertEqual(asked[0], "install -y --no-install-recommends qemu-user g++-aarch64-linux-gnu")


if __name__ == "__main__":
    unittest.main()
