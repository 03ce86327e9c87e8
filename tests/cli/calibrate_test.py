"""A machine measures itself once, keeps what it has found, and plans for it or for another's file."""
import json
import os
import re
import shutil
import tempfile
import time
import unittest

from command import TARGET, CommandTest

PLAN = ["show", "heat", "--dim", 3, "--plan"]
SANITIZED = os.environ.get("PARAISO_SANITIZE")
BUSY = "note: other programs were running: a command that plans measures again after 10 minutes\n"


class Calibrate(CommandTest):
    def setUp(self):
        super().setUp()
        # Neither the suite's machine nor what other tests have kept.
        self.own = {"PARAISO_MACHINE": "", "PARAISO_CACHE": self.path("cache")}

    def take_measured(self):
        """The cache after a first plan, which measures once for all tests."""
        cls = type(self)
        if not hasattr(cls, "measured"):
            cls.measured = tempfile.mkdtemp()
            cls.addClassCleanup(shutil.rmtree, cls.measured)
            self.succeed(*PLAN, env={**self.own, "PARAISO_CACHE": cls.measured + "/cache"})
        shutil.copytree(cls.measured + "/cache", self.path("cache"))

    def kept(self):
        return [name for name in os.listdir(self.path("cache")) if name.startswith("machine-")]

    def measure(self):
        """A first plan, which measures."""
        first = self.command(*PLAN, env=self.own)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertRegex(first.stderr, r"^measured this machine once, with \S+ for \S+, in "
                                       rf"[0-9.]+ s: `[^`]+/machine-[0-9a-f]{{16}}\.json`\n({BUSY})?$")
        return first

    @staticmethod
    def quick(first):
        return BUSY in first.stderr or float(re.search(r", in ([0-9.]+) s:", first.stderr)[1]) < 5

    @unittest.skipIf(SANITIZED, "sanitizers measure themselves")
    def test_first_plan_measures_and_others_read(self):
        first = self.measure()
        if not self.quick(first):  # other programs come and go
            shutil.rmtree(self.path("cache"))
            first = self.measure()
            self.assertTrue(self.quick(first), first.stderr)
        self.assertEqual(len(self.kept()), 1)
        second = self.command(*PLAN, env=self.own)
        self.assertEqual(second.stderr, "")
        self.assertEqual(second.stdout, first.stdout)

    @unittest.skipIf(SANITIZED, "sanitizers measure themselves")
    def test_hardware_graph_is_what_simulate_reads(self):
        measured = self.succeed("calibrate", "--hardware", "here.dot", env=self.own)
        self.assertEqual(self.read("here.json"), measured)
        graph = self.read("here.dot")
        threads = json.loads(measured)["threads"]
        self.assertRegex(graph, rf'"cpu" \[label="compute : .* : \S+ [GT]flop/s(, {threads} threads)?", machine="here.json"\];')
        self.assertRegex(graph, r'"bus" \[label="move : memory bus : \S+ GB/s, latency \S+ [nmu]s, overhead \S+ [nmu]s"\];')
        found = self.succeed_json("simulate", "heat", "--dim", 2, "--size", "512x512", "--machine", "here.dot", "--ranks", 2)
        self.assertGreater(found["points"][0]["seconds_per_step"], 0)
        self.assert_refused("error: `--hardware here` is no name of a .dot file\n", "calibrate", "--hardware", "here")

    @unittest.skipIf(SANITIZED, "sanitizers measure themselves")
    def test_a_damaged_file_is_made_again(self):
        self.take_measured()
        [name] = self.kept()
        with open(self.path("cache/" + name), "w") as file:
            file.write("{}")
        again = self.command(*PLAN, env=self.own)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertRegex(again.stderr, r"^note: `[^`]+` is not a machine file: measuring again\n"
                                       r"measured this machine once, ")
        self.assertEqual(self.command(*PLAN, env=self.own).stderr, "")

    @unittest.skipIf(SANITIZED, "sanitizers measure themselves")
    def test_what_was_measured_beside_other_programs_is_measured_again(self):
        self.take_measured()
        [name] = self.kept()
        path = self.path("cache/" + name)
        machine = {**json.loads(self.read(path)), "busy": True}
        self.write(path, json.dumps(machine))
        self.assertEqual(self.command(*PLAN, env=self.own).stderr, "")  # it may still be busy
        self.assertRegex(self.succeed("doctor", env=self.own),
                         r"(?m)^ +busy other programs were running: `paraiso calibrate` measures again$")
        eleven_minutes_ago = time.time() - 11 * 60
        os.utime(path, (eleven_minutes_ago, eleven_minutes_ago))
        again = self.command(*PLAN, env=self.own)
        self.assertRegex(again.stderr, rf"^measured this machine again, with .*\n({BUSY})?$")
        if BUSY in again.stderr:  # the values stay, and so do the plans
            self.assertEqual(json.loads(self.read(path)), machine)
        else:
            self.assertFalse(json.loads(self.read(path))["busy"])
        self.assertEqual(self.command(*PLAN, env=self.own).stderr, "")

    @unittest.skipIf(SANITIZED, "sanitizers measure themselves")
    def test_calibrate_prints_what_doctor_tells(self):
        text = self.succeed("calibrate", "--output", "machine.json", env=self.own)
        self.assertEqual(text, self.read("machine.json"))
        machine = json.loads(text)
        report = self.succeed_json("doctor", env=self.own)
        self.assertIn(machine, [one["machine"] for one in report["measured"].values()])
        self.assertRegex(self.succeed("doctor", env=self.own),
                         rf"(?m)^measured   with \S+ for {TARGET}: `[^`]+`\n( +busy .*\n)?"
                         r" +[0-9.e+]+ cycles a second$")

    def test_plans_for_the_machine_of_a_file(self):
        other = json.loads(self.read(os.environ["PARAISO_MACHINE"]))
        other["processor"] = "a machine of nowhere"
        self.write("other.json", json.dumps(other))
        self.assertIn("2 threads of a machine of nowhere",
                      self.succeed(*PLAN, "--machine", "other.json", env=self.own))
        named = {**self.own, "PARAISO_MACHINE": self.path("other.json")}
        self.assertIn("2 threads of a machine of nowhere", self.succeed(*PLAN, env=named))
        self.assertFalse(os.path.exists(self.path("cache")) and self.kept())

    def test_plans_for_each_machine_of_the_documentation(self):
        folder = os.path.dirname(os.environ["PARAISO_MACHINE"])
        files = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".json")]
        self.assertGreaterEqual(len(files), 3)
        for file in files:
            with open(file) as text:
                processor = json.load(text)["processor"]
            self.assertIn(f" of {processor}", self.succeed(*PLAN, "--machine", file, env=self.own))

    def test_the_machine_changes_no_code_of_a_schedule(self):
        self.write("genes", self.succeed("show", "heat", "--genes"))
        other = json.loads(self.read(os.environ["PARAISO_MACHINE"]))
        other["memory_fetch"] /= 10
        other["hertz"] /= 2
        self.write("other.json", json.dumps(other))
        source = ["show", "heat", "--source", "openmp", "--schedule", "genes"]
        self.assertEqual(self.succeed(*source), self.succeed(*source, "--machine", "other.json"))

    def test_files_that_are_none(self):
        hint = "hint: `paraiso calibrate --output FILE` writes one\n"
        self.assert_refused("error: `--machine none.json`: no such file\n" + hint,
                            *PLAN, "--machine", "none.json")
        self.assert_refused("error: `PARAISO_MACHINE=none.json`: no such file\n" + hint,
                            *PLAN, env={"PARAISO_MACHINE": "none.json"})
        self.write("empty.json", "{}")
        self.assert_refused("error: `empty.json` is not a machine file\n" + hint,
                            *PLAN, "--machine", "empty.json")

    def test_without_a_compiler_the_documented_machine_serves(self):
        result = self.command(*PLAN, env={**self.own, "PATH": self.folder})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"^note: planned for the documented machine with AVX-512, "
                                        r"since this one can't be measured: .*`g\+\+`.*\n$")
        self.assertIn("of the documented machine", result.stdout)

    def test_predictions_for_machines_on_standard_input(self):
        text = self.read(os.environ["PARAISO_MACHINE"])
        slow = json.loads(text)
        slow["miss_seconds"] = 5e-6
        lines = json.dumps(json.loads(text)) + "\n" + json.dumps(slow) + "\n"
        result = self.command("bench", "heat", "--dim", 3, "--size", "512x512x512",
                              "--predict-only", input=lines)
        self.assertEqual(result.returncode, 0, result.stderr)
        fast, slow = [json.loads(line)["nanoseconds"] for line in result.stdout.splitlines()]
        self.assertGreater(slow, 2 * fast)
        result = self.command("bench", "heat", "--predict-only", input=lines + "machine.json\n")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("error: `standard input, line 3` is not a machine file\n", result.stderr)


if __name__ == "__main__":
    unittest.main()
