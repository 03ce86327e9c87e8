"""Compilers and the cache: what is said where they are missing, fail, or belong to someone else."""
import os
import re
import signal
import time
import unittest

from command import CommandTest

RUN = ["run", "hello", "--dim", 1, "--size", 16, "--steps", 1, "--quiet"]


class Compilers(CommandTest):
    def test_none_on_the_path(self):
        result = self.command(*RUN, env={"PATH": self.folder})
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^error: .*`g\+\+`")
        self.assertIn("apt install g++", result.stderr)

    def test_a_stop_ends_it_and_leaves_nothing(self):
        self.write("slow++", '#!/bin/sh\ncase "$1" in --version) exec g++ --version;; esac\n'
                             'echo $$ > "$HERE/pid.part" && mv "$HERE/pid.part" "$HERE/pid"\nexec sleep 100\n')
        os.chmod(self.path("slow++"), 0o755)
        for number in (signal.SIGINT, signal.SIGTERM):
            os.mkdir(self.path("temporary"))
            process = self.start("run", "heat", "--dim", 1, "--steps", 1, "--compiler", "./slow++",
                                 env={"HERE": self.folder, "TMPDIR": self.path("temporary"),
                                      "PARAISO_CACHE": self.path("cache")})
            self.addCleanup(process.kill)
            for _ in range(600):
                if not os.path.exists(self.path("pid")):
                    time.sleep(0.1)
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1, out + err)
            self.assertTrue(err.endswith("error: stopped by a signal\n"), err)
            with self.assertRaises(ProcessLookupError):
                os.kill(int(self.read("pid")), 0)
            os.remove(self.path("pid"))
            os.rmdir(self.path("temporary"))  # is empty

    def test_unknown_name(self):
        result = self.command(*RUN, "--compiler", "no-such-compiler")
        self.assertIn(result.returncode, (1, 2))
        self.assertRegex(result.stderr, r"^error: .*`no-such-compiler`")

    def test_one_that_fails(self):
        # Answers `--version` by the real one, and fails where there is work.
        self.write("g++", '#!/bin/sh\ncase " $* " in *" -c "*) echo "out of paper" >&2; exit 3;; esac\n'
                          'exec /usr/bin/g++ "$@"\n')
        os.chmod(self.path("g++"), 0o755)
        env = {"PATH": self.folder + ":" + os.environ["PATH"], "PARAISO_CACHE": self.path("cache")}
        result = self.command(*RUN, "--compiler", "g++", env=env)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("out of paper", result.stderr)
        self.assertIn("the sources are kept in", result.stderr)

    def test_doctor_tells_what_is_missing(self):
        result = self.command("doctor", env={"PATH": self.folder})
        self.assertEqual(result.returncode, 1)
        self.assertIn("compiler   g++: missing", result.stdout)
        self.assertIn("apt install", result.stdout)

    def test_doctor_knows_what_draws_charts(self):
        self.assertRegex(self.command("doctor").stdout, r"(?m)^charts     /\S+/gnuplot$")
        self.assertIn(
            "charts     no gnuplot, which `report` needs: `apt-get install gnuplot-nox` has it\n",
            self.command("doctor", env={"PATH": self.folder}).stdout,
        )

    def test_doctor_json(self):
        report = self.succeed_json("doctor")
        self.assertTrue(report["can_compile"])
        self.assertGreater(report["threads"], 0)
        self.assertEqual({c["name"] for c in report["compilers"] if c["backend"] == "openmp"},
                         {"g++", "clang++"})

    def test_doctor_tells_what_is_wrong_with_the_environment(self):
        for name, value, why in (("PARAISO_TARGET", "foo", "no target `foo`"),
                                 ("PARAISO_TARGET", "aarch64", "this machine can't run code for `aarch64`: "),
                                 ("PARAISO_MACHINE", "none.json", "can't read `none.json`"),
                                 ("PARAISO_LOCKS", "none", "`none` is no folder"),
                                 ("TMPDIR", "/none", "there is no folder for temporary files: set TMPDIR to one")):
            result = self.command("doctor", env={name: value})
            self.assertEqual(result.returncode, 1, name)
            self.assertIn(f"\nsetting    {name}: {why}", result.stdout)
            self.assertNotIn("all that a run needs is here", result.stdout)

    def test_doctor_tells_what_each_back_end_has(self):
        report, text = self.succeed_json("doctor"), self.succeed("doctor")
        self.assertEqual([d["name"] for d in report["devices"]["openmp"]], [report["cpu"]])
        self.assertIn(
            "\nbackend    openmp: C++ with OpenMP threads and vectors; runs on " + report["cpu"] + "\n", text)
        for name, devices in report["devices"].items():
            usable = [device["name"] for device in devices if device["usable"]]
            where = f"runs on {', '.join(usable)}" if usable else "nothing here runs it"
            self.assertRegex(text, rf"(?m)^backend    {name}: .*; {re.escape(where)}$")

    def test_doctor_tells_which_targets_run(self):
        report, text = self.succeed_json("doctor"), self.succeed("doctor")
        for target in report["targets"]:
            self.assertEqual(target["runs"], not target["missing"])
            verdict = (f"runs, compiled by {target['compiler']} by default" + ("; " + target["note"] if target["note"] else "") if target["runs"]
                       else "not on this processor, which lacks " + ", ".join(target["missing"]))
            self.assertIn(f"\ntarget     {target['name']}: {verdict}\n", text)
        if report["architecture"] == "x86_64":
            self.assertEqual([(t["name"], t["vector_bytes"], t["note"]) for t in report["targets"]], [
                ("x86-64-v2", 16, "no fused multiply-add: right, but slow"),
                ("x86-64-v3", 32, ""), ("x86-64-v4", 64, "")])
            self.assertIn(report["native"], [t["name"] for t in report["targets"] if t["runs"]])


class Cache(CommandTest):
    def assert_unusable(self):
        result = self.command(*RUN, env={"PARAISO_CACHE": self.path("cache")})
        self.assertEqual(result.returncode, 1)
        self.assertRegex(
            result.stderr,
            r"^error: the cache folder `.*cache` can't be used: .+\n"
            r"hint: set PARAISO_CACHE to a folder of your own\n$",
        )

    def test_writable_by_others(self):
        os.mkdir(self.path("cache"))
        os.chmod(self.path("cache"), 0o777)
        self.assert_unusable()

    def test_a_file_in_its_place(self):
        self.write("cache", "")
        self.assert_unusable()

    def test_a_relative_one_where_the_working_directory_is_gone(self):
        def lose_folder():
            os.mkdir("gone")
            os.chdir("gone")
            os.rmdir("../gone")

        result = self.command("run", "hello", "--size", 8, "--steps", 1, env={"PARAISO_CACHE": "cache"}, preexec_fn=lose_folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: the cache folder `cache` can't be used: it is relative, and the working directory is gone\n"
                      "hint: set PARAISO_CACHE to a folder of your own\n", result.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a folder away")
    def test_of_someone_else(self):
        os.mkdir(self.path("cache"), 0o700)
        os.chown(self.path("cache"), 12345, 12345)
        self.assert_unusable()

    @unittest.skipIf(os.geteuid() == 0, "root writes everywhere")
    def test_not_writable(self):
        os.mkdir(self.path("cache"), 0o500)
        self.assert_unusable()


if __name__ == "__main__":
    unittest.main()
