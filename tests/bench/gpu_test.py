"""bench/gpu.py: on a device of OpenCL, in small; and by a program that only says what it is told to have measured."""

import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import gpu  # noqa: E402
import gpu_table  # noqa: E402

FAKE = """#!/bin/bash
echo "$*" >> "$(dirname "$0")/calls"
case "$1" in
  doctor) echo '{"devices": {"cuda": [{"name": "Abacus 12", "gpu": true, "usable": false}, {"name": "Abacus 9000",
                 "platform": "CUDA", "version": "driver for CUDA 13.0", "gpu": true, "usable": true}],
                 "opencl": []}, "missing_devices": {"opencl": "no OpenCL here"}}' ;;
  apps) echo '{"apps": [{"name": "heat", "dimensions": [1, 2]}, {"name": "life", "dimensions": [2]},
                 {"name": "wave", "dimensions": [4, 1]}]}' ;;
  verify) if [ "$2" = life ]; then echo '{"passed": false}'; exit 1; fi; echo '{"passed": true}' ;;
  show) if [[ "$*" = *--device* ]]; then echo "error: no option --device" >&2; exit 1; fi
        if [ "$2" = wave ]; then echo "error: wave has no schedule" >&2; exit 1; fi
        echo "proceed/cells = 2"; echo "proceed/ghosts = filled"; echo "proceed/march = off"; echo "proceed/stage = column" ;;
  bench) if [ "$2" = acoustic ]; then sleep 60; fi
         if [ "$2" = hydro ] && [ "$4" = 3 ]; then echo "error: the card is lost" >&2; exit 1; fi
         echo '{"cell_updates_per_second": 2e9, "steps": 4, "seconds": [1, 2, 9], "predicted": {"nanoseconds": 1}}' ;;
  tune) echo '{"champion_cell_updates_per_second": 3e9, "default_cell_updates_per_second": 2e9, "individuals": 5}' ;;
esac
"""
# A stand-in for compute-sanitizer: it looks at the schedule alone, objects to heat, and takes its time.
FAKE_SANITIZER = """#!/bin/bash
while [ "$1" != --schedule ]; do words="$words $1"; shift; done
alleles=$(grep -s -E "(march|stage) = on" "$2" | tr -d '\\n')
echo "$words|$alleles" >> "$(dirname "$0")/sanitized"
case "$words" in
  *racecheck*" run heat "*) echo "========= Error: Race reported" >&2; exit 9 ;;
  *synccheck*) sleep 60 ;;
esac
"""


class Gpu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.output = self.folder / "results" / "card.json"

    def run_script(self, *arguments):
        text, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(errors):
            status = gpu.main(["--output", str(self.output), *map(str, arguments)])
        self.errors = errors.getvalue()
        return status, text.getvalue()

    def fake(self):
        (self.folder / "bin").mkdir()
        program = self.folder / "bin" / "paraiso"
        program.write_text(FAKE)
        program.chmod(0o755)
        return "--build", self.folder

    def test_all_parts_fit_in(self):
        self.assertLessEqual(sum(gpu.PARTS.values()) - gpu.PARTS["build"] + gpu.USUAL_BUILD, 60 * gpu.MINUTES)
        self.assertLess(gpu.MINUTES, 9)

    def seconds_of_parts(self, *options, built_in, of_its_time=1.0):
        """What each part may take, where the others take so much of that; and what is left at the end."""
        clock = unittest.mock.patch("gpu.time.monotonic", side_effect=lambda: self.now)
        self.now, may = 1000.0, {}
        with clock:
            run = gpu.Run(gpu.parse(list(options)))
            for name in gpu.PARTS:
                may[name] = run.allowance(name)
                self.now += built_in if name == "build" else may[name] * of_its_time
        return may, run.end - self.now

    def test_a_slow_build_takes_from_each_later_part(self):
        may, left = self.seconds_of_parts(built_in=gpu.USUAL_BUILD)
        self.assertEqual(may, gpu.PARTS)
        self.assertGreaterEqual(left, 0)
        may, left = self.seconds_of_parts("--spent", "20", built_in=240)
        self.assertAlmostEqual(left, 0)
        for name in list(gpu.PARTS)[1:]:
            self.assertAlmostEqual(may[name] / gpu.PARTS[name], (60 * gpu.MINUTES - 260) / (sum(gpu.PARTS.values()) - 240))
        may, _ = self.seconds_of_parts(built_in=240, of_its_time=0.5)  # what is not taken is for those that follow
        self.assertEqual(may["tune"], gpu.PARTS["tune"])

    def test_tells_what_was_measured_and_what_was_left_out(self):
        gpu.PARTS["rows"], limit = 2, gpu.PARTS["rows"]
        self.addCleanup(gpu.PARTS.__setitem__, "rows", limit)
        status, table = self.run_script(*self.fake(), "--only", "verify", "copy", "rows", "steps", "tune")
        self.assertEqual(status, 1)  # life differs
        kept = len(list((gpu.ROOT / "tests/differential/programs").glob("*.om")))
        self.assertGreater(kept, 30)
        for line in ("# Abacus 9000", f"Verified bit for bit: {kept + 4} of {kept + 5} programs.", "DIFFERENT: life --dim 2",
                     "A copy moves 3.2e+10 bytes a second.",
                     "| heat f64 | 2e9 /s | 100 % | 85 % | met | 92 % | met | 0.50 |",
                     "| heat f32 | 2e9 /s | 50 % | 80 % | missed |  |  | 0.50 |",
                     "| heat f64, 2 steps fused | 2e9 /s | 100 % |  |  | 150 % | missed, not tuned | 0.50 |",
                     "A step of heat 256^2 takes 5e+05 us (goal 5: missed; tuned 2.5: missed, not tuned).",
                     "heat f64: the default has 67 % of the tuned speed (goal 60 %: met).",
                     "| acoustic f32 | left out |  | 65 % |  | 80 % |  |  |", "| hydro 3-D f64 | left out |  | 1.2e9 /s |  | 2.5e9 /s |  |  |",
                     "| a step, in us | 64^2 | 128^2 | 256^2 | 512^2 | 1024^2 | 2048^2 | 4096^2 |",
                     "Tuned, heat f64: 3e9 /s, 1.50 times the default (5 individuals)."):
            self.assertIn(line + "\n", table)
        self.assertRegex(table, r"\n- acoustic f32: no time was left after [012] s of it\n")
        self.assertRegex(table, r"\n- hydro 3-D f64: no time was left\n")
        self.assertRegex(table, r"\| heat \| 5e\+05 \|")  # the median's step
        self.assertEqual(self.output.with_suffix(".md").read_text(), table)
        record = json.loads(self.output.read_text())
        self.assertEqual(record["device"]["name"], "Abacus 9000")
        self.assertEqual([len(record["parts"][part]["result"]) for part in ("verify", "rows", "steps", "tune")],
                         [kept + 5, 10, 14, 2])

    def test_measures_each_way_to_have_ghost_cells(self):
        status, table = self.run_script(*self.fake(), "--only", "ghosts", "--apps", "heat", "--device", 9000)
        self.assertEqual(status, 0, table)
        self.assertIn("\n| ghost cells | filled | found | stored |\n", table)
        self.assertIn("\n| heat f32 | 2e9 /s | 2e9 /s | 2e9 /s |\n", table)
        calls = [line for line in (self.folder / "bin" / "calls").read_text().splitlines() if line.startswith("bench ")]
        self.assertEqual(len(calls), 6)
        self.assertEqual(sum(".schedule" in call for call in calls), 6)

    def fake_sanitizer(self):
        """Found before a real one; its calls, once they are made."""
        tool = self.folder / "bin" / "compute-sanitizer"
        tool.write_text(FAKE_SANITIZER)
        tool.chmod(0o755)
        path = unittest.mock.patch.dict(os.environ, {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        path.start()
        self.addCleanup(path.stop)

    def test_sanitizes_each_app_in_the_time_there_is(self):
        """Kernels that share memory by each tool; a tool that finds something is no tool that fails, nor one without time."""
        options = self.fake()
        self.fake_sanitizer()
        gpu.PARTS["sanitize"], limit = 6, gpu.PARTS["sanitize"]
        self.addCleanup(gpu.PARTS.__setitem__, "sanitize", limit)
        status, table = self.run_script(*options, "--only", "sanitize")
        self.assertEqual(status, 1)
        for line in ("compute-sanitizer, memcheck, schedule default: 3 of 3 apps clean.",
                     "compute-sanitizer, memcheck, schedule shared: 2 of 3 apps clean.",
                     "compute-sanitizer, racecheck, schedule shared: 1 of 3 apps clean.", "NOT CLEAN: heat",
                     "compute-sanitizer, synccheck, schedule shared: 0 of 3 apps clean.",
                     "- memcheck of wave, schedule shared: failed: error: wave has no schedule"):
            self.assertIn(f"\n{line}\n", table)
        self.assertEqual(table.count("NOT CLEAN"), 1)
        for app in "heat", "life":
            self.assertRegex(table, rf"\n- synccheck of {app}, schedule shared: no time was left after \d s of it\n")
        calls = (self.folder / "bin" / "sanitized").read_text().splitlines()
        self.assertEqual(len(calls), 9)
        run = f"--error-exitcode 9 {self.folder}/bin/paraiso run heat --dim 2 --size 33x17 --steps 3"
        self.assertIn(f" --tool memcheck {run}|", calls)
        self.assertIn(f" --tool racecheck {run}|proceed/march = onproceed/stage = on", calls)
        record = json.loads(self.output.read_text())["parts"]["sanitize"]["result"]
        self.assertEqual([one["clean"] for one in record if one["app"] == "heat"], [True, True, False, None])

    def test_sanitized_schedules_share_memory(self):
        """Of each app but for one, whose cells are alone."""
        program = pathlib.Path(os.environ["PARAISO"])
        run = gpu.Run(gpu.parse(["--build", str(program.parents[1]), "--device", "0"]))
        sharing = []
        for app in run.apps():
            dimension = max(d for d in app["dimensions"] if d in gpu.SANITIZED_SIZES)
            call = [app["name"], "--dim", str(dimension)]
            schedule = run.shared_schedule(call, self.folder)
            plan = run.ask([run.paraiso, "show", *call, "--plan", "--backend", "cuda", "--schedule", schedule])
            sharing += [app["name"]] * (" KiB of shared memory" in plan)
        self.assertEqual([app["name"] for app in run.apps() if app["name"] not in sharing], ["hello"])

    def test_tells_what_failed(self):
        status, table = self.run_script(*self.fake(), "--only", "rows", "--apps", "hydro")
        self.assertEqual(status, 0)
        for line in ("- hydro 3-D f64: failed: error: the card is lost",
                     "| hydro 2-D f64 | 2e9 /s |  | 2e9 /s | met | 4e9 /s | missed, not tuned | 0.50 |",
                     "hydro 2-D: f32 has 1.00 times the speed of f64 (goal 1.8: missed; tuned 2: missed, not tuned)."):
            self.assertIn(f"\n{line}\n", table)

    def test_judges_tuned_goals_by_the_fastest_schedule(self):
        """By ghost cells' or a tuner's schedule, where it is faster than the default."""
        def sample(speed):
            return {"cell_updates_per_second": speed}

        def row(name, speed, goal, bytes_=0):
            return {"name": name, "bytes": bytes_, "goal": None, "goal_tuned": goal, "sample": speed and sample(speed)}

        def tuned(name, speed):
            return {"name": name, "report": {"champion_cell_updates_per_second": speed}}

        parts = {"copy": {"bytes_per_second": 16}, "rows": [
            row("fused", 1.6, 1.5, 16), row("ghosts", 0.5, 0.75, 16), row("tuned", 1e9, 4e9), row("slow", 1e9, 4e9), row("lost", None, 4e9)],
            "ghosts": [{"name": "ghosts", "ghosts": "found", "sample": sample(0.8)}],
            "tune": [tuned("tuned", 5e9), tuned("slow", 2e9), tuned("lost", 4e9)]}
        lines = list(gpu_table.lines_of_rows(parts, small=False))
        self.assertEqual([line.split(" | ")[6].strip() for line in lines[-5:]], ["met", "met", "met", "missed", "met"])

    def test_a_bare_machine_is_given_python_first(self):
        """By a copy of the script where nothing is but bash and a stand-in for what installs."""
        for folder in "bench", "scripts", "path":
            (self.folder / folder).mkdir()
        script = self.folder / "bench" / "gpu.sh"
        script.write_text((pathlib.Path(gpu.__file__).parent / "gpu.sh").read_text())
        setup = self.folder / "scripts" / "setup.sh"
        setup.write_text(f"""#!/bin/bash
echo "installing $*"
printf '#!/bin/bash\necho "python3 $*"\n' > {self.folder}/path/python3
/bin/chmod +x {self.folder}/path/python3
""")
        setup.chmod(0o755)
        (self.folder / "path" / "dirname").symlink_to("/usr/bin/dirname")
        for installing in "installing --without-tests python3\n", "":
            done = subprocess.run(["/bin/bash", script, "--small"], env={"PATH": f"{self.folder}/path"}, capture_output=True, text=True)
            self.assertEqual(done.stderr, installing)
            self.assertRegex(done.stdout, r"^python3 bench/gpu.py --spent \d+ --small\n$")

    def test_no_device(self):
        self.assertEqual(self.run_script(*self.fake(), "--only", "copy", "--backend", "opencl"), (1, ""))
        self.assertIn("error: no OpenCL here\n", self.errors)
        self.assertFalse(self.output.exists())

    def on_opencl(self, *arguments):
        program = pathlib.Path(os.environ["PARAISO"])
        status, table = self.run_script("--build", program.parents[1], "--backend", "opencl", "--small", "--repeat", 1, "--minutes", 6,
                                        *arguments)
        if status == 1 and not table:
            self.skipTest("SKIP: " + self.errors.splitlines()[-1])
        self.assertEqual(status, 0, table)
        return table

    def test_takes_steps_on_opencl(self):
        table = self.on_opencl("--only", "steps", "--apps", "heat")
        self.assertRegex(table, r"\n\| a step, in us \| 16\^2 \| 32\^2 \|\n\| --- \| --- \| --- \|\n\| heat \| [\d.]+ \| [\d.]+ \|\n$")

    def test_measures_rows_and_ghost_cells_on_opencl(self):
        table = self.on_opencl("--only", "rows", "ghosts", "--apps", "heat", "acoustic")
        self.assertEqual(len(re.findall(r"\n\| (?:heat|acoustic) [^|]+\| [\d.]+e[69] /s \|  \|", table)), 5, table)
        speed = r" [\d.]+e[69] /s \|"
        self.assertEqual(len(re.findall(rf"\n\| (?:heat|acoustic) f(?:32|64) \|{speed}{speed}{speed}(?=\n)", table)), 3, table)
        self.assertNotIn("Left out", table)

    def test_measures_gas_on_opencl(self):
        table = self.on_opencl("--only", "rows", "--apps", "hydro")
        self.assertEqual(len(re.findall(r"\n\| hydro [23]-D f(?:32|64) \| [\d.]+e[69] /s \|", table)), 4, table)
        self.assertNotIn("Left out", table)

    def test_tunes_on_opencl(self):
        table = self.on_opencl("--only", "tune", "--apps", "heat")
        self.assertRegex(table, r"\nTuned, heat f64: [\d.]+e[69] /s, [\d.]+ times the default \([2-9] individuals\)\.\n")
        self.assertNotIn("Left out", table)

    def test_runs_on_opencl(self):
        table = self.on_opencl("--only", "verify", "sanitize", "copy", "rows", "--apps", "life")
        self.assertIn("Verified bit for bit: 1 of 1 programs.\n", table)
        self.assertRegex(table, r"\n\| life \| [\d.]+e[69] /s \|")
        self.assertIn("Left out:\n- sanitize: compute-sanitizer is CUDA's\n", table)
        self.assertEqual(table.count("\n- "), 1)


if __name__ == "__main__":
    unittest.main()
