#!/usr/bin/env python3
"""Verifies and measures Paraiso on a device, in one run of limited time.

Each part has a limit of its own, and all together have --minutes: where they want more than is left, each has its share of that.
What there was no time for, or what failed, is told as such in the table and in the JSON. Both are kept in bench/results/ under the device's name and the date.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from gpu_table import table_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The parts in order, and how many seconds each one may take. Only a build on a machine that has to get packages takes as long as
# it may, so that the others have less; with USUAL_BUILD seconds all have their time by default.
MINUTES, USUAL_BUILD = 8.8, 110
PARTS = {"build": 240, "verify": 95, "sanitize": 70, "copy": 15, "rows": 100, "ghosts": 55, "steps": 35, "tune": 45}

# Name, `paraiso bench` but for the size, size, size with --small, bytes of an update at best (0: no share of a copy is told),
# goals for the default and the tuned schedule. A goal below 10 is a share of the copy's speed, others are updates a second.
ROWS = [
    ("heat f64", ["heat", "--dim", "3", "--precision", "f64"], "512x512x512", "24x24x24", 16, 0.85, 0.92),
    ("heat f32", ["heat", "--dim", "3", "--precision", "f32"], "512x512x512", "24x24x24", 8, 0.80, None),
    ("heat f64, 2 steps fused", ["heat", "--dim", "3", "--precision", "f64", "--fuse", "2"], "512x512x512", "24x24x24", 16, None,
     1.5),
    ("heat f32, 2 steps fused", ["heat", "--dim", "3", "--precision", "f32", "--fuse", "2"], "512x512x512", "24x24x24", 8, None,
     None),
    ("acoustic f32", ["acoustic", "--dim", "3", "--precision", "f32", "--problem", "standing"], "512x512x512", "16x16x16", 16,
     0.65, 0.80),
    ("hydro 2-D f64", ["hydro", "--dim", "2", "--precision", "f64"], "4096x4096", "32x32", 0, 2e9, 4e9),
    ("hydro 2-D f32", ["hydro", "--dim", "2", "--precision", "f32"], "4096x4096", "32x32", 0, None, None),
    ("hydro 3-D f64", ["hydro", "--dim", "3", "--precision", "f64"], "256x256x256", "8x8x8", 0, 1.2e9, 2.5e9),
    ("hydro 3-D f32", ["hydro", "--dim", "3", "--precision", "f32"], "256x256x256", "8x8x8", 0, None, None),
    ("life", ["life", "--problem", "random"], "8192x8192", "64x64", 0, 3e11, 6e11),
]
# Rows that are measured with each way to have ghost cells, besides.
GHOSTS = ("heat f64", "heat f32", "acoustic f32")
ALLELES = ("filled", "found", "stored")
STEP_APPS = [("heat", ["heat", "--dim", "2"]), ("hydro", ["hydro", "--dim", "2"])]
STEP_SIZES, STEP_SIZES_SMALL = (64, 128, 256, 512, 1024, 2048, 4096), (16, 32)
TUNED = [("heat f64", ["heat", "--dim", "3"], "512x512x512", "16x16x16"),
         ("hydro 2-D f64", ["hydro", "--dim", "2"], "4096x4096", "16x16")]
# Each of compute-sanitizer's tools asks all apps before the next one does: in the highest dimension whose sweeps can keep values,
# on grids that are no multiple of a block. A default schedule keeps none there: what a block shares is what genes make it share.
SANITIZED = [("memcheck", "default"), ("memcheck", "shared"), ("racecheck", "shared"), ("synccheck", "shared")]
SANITIZED_SIZES = {1: "100", 2: "33x17", 3: "20x12x9"}
SHARING = {"march": "on", "stage": "on", "sums": "fused"}
FOUND = 9  # with which compute-sanitizer ends where it found something


def with_allele(genes, gene, allele):
    """The text of a schedule, with this gene of every kernel so."""
    return re.sub(rf"(?m)^(\S+/{gene}) = \w+$", rf"\1 = {allele}", genes)


class Left(Exception):
    """Why something was left out."""


class Unclean(Left):
    """What compute-sanitizer found."""


class Run:
    def __init__(self, options):
        self.options = options
        self.end = time.monotonic() + 60 * options.minutes - options.spent
        self.part_end = self.end
        self.record = {"began": now(), "backend": options.backend, "small": options.small, "parts": {}, "left_out": []}
        self.paraiso = str(options.build / "bin" / "paraiso")
        self.common = ["--backend", options.backend] + (["--device", options.device] if options.device else [])

    def seconds_left(self):
        return min(self.end, self.part_end) - time.monotonic()

    def allowance(self, name):
        """Seconds of a part: its limit, or its share of what is left for all that follow; what it leaves is theirs."""
        if name == "build":
            return PARTS[name]
        coming = list(PARTS)[list(PARTS).index(name):]
        wanted = sum(PARTS[part] for part in coming if part in self.options.only)
        return PARTS[name] * min(1, max(0, self.end - time.monotonic()) / wanted)

    def ask(self, command, may_fail=False):
        """What a command prints; Left where it fails or there is no time."""
        seconds = self.seconds_left()
        if seconds <= 0:
            raise Left("no time was left")
        try:
            child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
                                     start_new_session=True)
        except OSError as error:
            raise Left(str(error)) from None
        try:
            output, errors = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)  # with the compilers that it started
            child.communicate()
            raise Left(f"no time was left after {seconds:.0f} s of it") from None
        if child.returncode == FOUND:
            raise Unclean("failed: " + (errors.splitlines() + output.splitlines() + ["it said nothing"])[0].strip())
        if child.returncode != 0 and not (may_fail and output):
            told = [line for line in errors.splitlines() if "error" in line.lower()] or errors.splitlines()
            raise Left(f"failed: {(told or output.splitlines() or ['it said nothing'])[0].strip()}")
        return output

    def ask_json(self, *command, may_fail=False):
        text = self.ask([self.paraiso, *command, *self.common, "--json"], may_fail)
        try:
            return json.loads(text)
        except ValueError:
            raise Left("failed: it printed no JSON") from None

    def attempt(self, name, work):
        """What `work` gives; None, and a line of what was left out, where it is Left."""
        try:
            return work()
        except Left as reason:
            self.record["left_out"].append({"what": name, "why": str(reason)})
            say(f"left out: {name}: {reason}")
            return None

    def part(self, name, work):
        if name not in self.options.only:
            return
        began = time.monotonic()
        self.part_end = began + self.allowance(name)
        result = self.attempt(name, work)
        self.part_end = self.end
        self.record["parts"][name] = {"seconds": round(time.monotonic() - began, 1), "result": result}

    # --- the parts ---

    def build(self):
        """The command alone; a build folder that is there stays as it was configured."""
        new = not (ROOT / "build" / "CMakeCache.txt").exists()
        self.ask(["scripts/build.sh", "--target", "paraiso", *(["-DPARAISO_TESTS=OFF"] if new else [])])
        return "built"

    def apps(self):
        apps = json.loads(self.ask([self.paraiso, "apps", "--json"]))["apps"]
        return [app for app in apps if not self.options.apps or app["name"] in self.options.apps]

    def verify(self):
        """The apps, then the programs on which bits once broke."""
        programs = [[app["name"], "--dim", str(dimension)] for app in self.apps() for dimension in app["dimensions"]]
        if not self.options.apps:
            programs += [[str(path.relative_to(ROOT))] for path in sorted((ROOT / "tests/differential/programs").glob("*.om"))]

        def one(program):
            report = self.attempt("verify " + " ".join(program), lambda: self.ask_json(
                "verify", *program, "--schedules", str(self.options.schedules), "--compiler", "g++", may_fail=True))
            return {"program": program, "passed": report and report["passed"]}

        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:  # most of it is compiling
            return list(pool.map(one, programs))

    def sanitize(self):
        if self.options.backend != "cuda":
            raise Left("compute-sanitizer is CUDA's")
        tool = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
        if not os.path.exists(tool):
            raise Left("there is no compute-sanitizer")
        apps, found = self.apps(), []
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for kind, schedule in SANITIZED:  # what one of them compiles is there for the next
                found += pool.map(lambda app: self.is_clean([tool, "--tool", kind], schedule, app, folder), apps)
        return found

    def is_clean(self, tool, schedule, app, folder):
        kind, name = tool[-1], app["name"]
        dimension = max(d for d in app["dimensions"] if d in SANITIZED_SIZES)
        program = [name, "--dim", str(dimension)]

        def run():
            file = self.shared_schedule(program, folder) if schedule == "shared" else schedule
            try:
                self.ask([*tool, "--error-exitcode", str(FOUND), self.paraiso, "run", *program,
                          "--size", SANITIZED_SIZES[dimension], "--steps", "3", "--schedule", file, *self.common])
            except Unclean as reason:
                say(f"{kind} of {name}, schedule {schedule}: {reason}")
                return False
            return True

        return {"app": name, "dimension": dimension, "tool": kind, "schedule": schedule,
                "clean": self.attempt(f"{kind} of {name}, schedule {schedule}", run)}

    def shared_schedule(self, program, folder):
        """The default schedule of a large grid, but for genes that let blocks share what they can."""
        file = pathlib.Path(folder) / f"{program[0]}.schedule"
        if not file.exists():
            genes = self.ask([self.paraiso, "show", *program, "--genes", "--backend", self.options.backend])
            for gene, allele in SHARING.items():
                genes = with_allele(genes, gene, allele)
            file.write_text(genes)
        return str(file)

    def bench(self, *program, size, schedule="default"):
        return self.ask_json("bench", *program, "--size", size, "--schedule", str(schedule), "--repeat",
                             str(self.options.repeat), *self.few_steps())

    def few_steps(self):
        return ["--steps", "3"] if self.options.small else []

    def copy(self):
        sample = self.bench("bench/copy.om", size="16x16x16" if self.options.small else "512x512x512")
        return {"bytes_per_second": 16 * sample["cell_updates_per_second"], "sample": sample}

    def rows(self):
        rows = []
        for name, program, size, small, bytes_, default, tuned in ROWS:
            if self.options.apps and program[0] not in self.options.apps:
                continue
            sample = self.attempt(name, lambda: self.bench(*program, size=small if self.options.small else size))
            rows.append({"name": name, "bytes": bytes_, "goal": default, "goal_tuned": tuned, "sample": sample})
        return rows

    def ghosts(self):
        """The default schedules, with each allele of the gene `ghosts`."""
        found = []
        for name, program, size, small, *_ in ROWS:
            if name not in GHOSTS or (self.options.apps and program[0] not in self.options.apps):
                continue
            size = small if self.options.small else size
            genes = self.ask([self.paraiso, "show", *program, "--genes", "--size", size, "--backend", self.options.backend])
            for allele in ALLELES:
                with tempfile.NamedTemporaryFile("w", suffix=".schedule") as schedule:
                    schedule.write(with_allele(genes, "ghosts", allele))
                    schedule.flush()
                    sample = self.attempt(f"{name}, ghost cells {allele}",
                                          lambda: self.bench(*program, size=size, schedule=schedule.name))
                found.append({"name": name, "ghosts": allele, "sample": sample})
        return found

    def steps(self):
        found = []
        for app, program in STEP_APPS:
            if self.options.apps and app not in self.options.apps:
                continue
            for cells in STEP_SIZES_SMALL if self.options.small else STEP_SIZES:
                sample = self.attempt(f"a step of {app} {cells}^2", lambda: self.bench(*program, size=f"{cells}x{cells}"))
                if sample:
                    found.append({"app": app, "cells": cells, "seconds": median_step(sample), "sample": sample})
        return found

    def tune(self):
        chosen = [one for one in TUNED if not self.options.apps or one[1][0] in self.options.apps]
        found = []
        for name, program, size, small in chosen:
            minutes = max(0.05, self.seconds_left() / 60 / (len(chosen) - len(found)) * 0.6)
            length = ["--budget", "2", "--rounds", "6"] if self.options.small else ["--minutes", f"{minutes:.2f}"]
            report = self.attempt("tuning of " + name, lambda: self.ask_json(
                "tune", *program, "--size", small if self.options.small else size, *length, "--repeat", str(self.options.repeat),
                "--database", str(self.options.database)))
            found.append({"name": name, "report": report})
        return found

    # --- about the machine ---

    def describe(self):
        report = json.loads(self.ask([self.paraiso, "doctor", "--json"]))
        devices = report["devices"].get(self.options.backend, [])
        wanted = self.options.device or os.environ.get("PARAISO_DEVICE", "")
        named = [one for number, one in enumerate(devices)
                 if wanted == str(number) or (wanted and wanted.lower() in one["name"].lower())]
        cards = [one for one in devices if one["gpu"]]
        device = next(iter([*named, *(one for one in cards if one["usable"]), *cards, *devices]), None)
        if not device:
            raise Left(report["missing_devices"].get(self.options.backend, "there is no device"))
        return device


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def say(text):
    print(text, file=sys.stderr, flush=True)


def told(*command):
    """The output of a program that may be missing."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, timeout=20).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None


def median_step(sample):
    return statistics.median(sample["seconds"]) / sample["steps"]


def clocks():
    return told("nvidia-smi", "--query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,power.draw,temperature.gpu",
                "--format=csv")


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", default="cuda", help="cuda or opencl")
    parser.add_argument("--device", default="", help="its number or a part of its name")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="where Paraiso is built")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--apps", nargs="+", default=[], metavar="APP", help="of these apps alone")
    parser.add_argument("--small", action="store_true", help="small grids and few steps: whether all of it works")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--spent", type=float, default=0, help="seconds of these that are over already")
    parser.add_argument("--schedules", type=int, default=1, help="that verify compares, of each program")
    parser.add_argument("--repeat", type=int, default=7, help="the median counts")
    parser.add_argument("--database", type=pathlib.Path, help="of tuning results; default: beside the JSON")
    parser.add_argument("--output", type=pathlib.Path, help="default: bench/results/DEVICE-DATE.json; the table beside it")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    run = Run(options)
    run.part("build", run.build)
    device = run.attempt("everything", run.describe)
    if not device:
        say(f"error: {run.record['left_out'][-1]['why']}")
        return 1
    run.record.update(device=device, clocks=clocks(), commit=told("git", "rev-parse", "--short", "HEAD"),
                      changed=bool(told("git", "status", "--porcelain", "--untracked-files=no")))
    output = options.output or ROOT / "bench" / "results" / "{}-{}.json".format(
        re.sub(r"[^a-z0-9]+", "-", device["name"].lower()).strip("-"), run.record["began"][:10])
    output.parent.mkdir(parents=True, exist_ok=True)
    options.database = options.database or output.with_suffix(".sqlite")
    for name in list(PARTS)[1:]:  # after what builds
        run.part(name, getattr(run, name))
    run.record.update(clocks_after=clocks(), ended=now())
    output.write_text(json.dumps(run.record, indent=1) + "\n")
    table = table_of(run.record)
    output.with_suffix(".md").write_text(table)
    print(table, end="")
    verified, sanitized = (run.record["parts"].get(part, {}).get("result") or [] for part in ("verify", "sanitize"))
    return 1 if any(one["passed"] is False for one in verified) or any(one["clean"] is False for one in sanitized) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
