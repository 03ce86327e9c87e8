#!/usr/bin/env python3
"""Runs Paraiso and the hand-written references side by side and compares them.

Every row of the table below is measured in alternation: a round runs each contestant once at each
number of threads, so that a slow minute of the machine meets all of them. The machine's limits are
measured in the same run. Prints a table and writes every sample, and what the table says of them,
to a JSON file.
"""

import argparse
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


@dataclasses.dataclass(frozen=True)
class Row:
    name: str  # for --only
    app: list  # how `paraiso bench` is called, but for size, precision and threads
    size: str
    precision: str
    reference: list  # program and options of the reference
    required: float  # million updates a second with two threads that we set ourselves; or 0
    forms: tuple = ("plain", "best")  # of the reference


ROWS = [
    Row("hydro2d", ["hydro", "--dim", "2", "--problem", "kelvin_helmholtz"], "1024x1024", "f64",
        ["hydro2d"], 80),
    Row("hydro2d-f32", ["hydro", "--dim", "2", "--problem", "kelvin_helmholtz"], "1024x1024",
        "f32", ["hydro2d"], 150),
    Row("hydro3d", ["hydro", "--dim", "3", "--problem", "kelvin_helmholtz"], "128x128x128", "f64",
        ["hydro3d"], 38),
    Row("heat", ["heat", "--dim", "3"], "512x512x512", "f64", ["heat"], 1900),
    Row("heat-fused", ["heat", "--dim", "3", "--fuse", "8"], "512x512x512", "f64",
        ["heat", "--fuse", "8"], 3200),
    Row("acoustic", ["acoustic", "--dim", "3", "--problem", "standing"], "512x512x512", "f32",
        ["acoustic"], 1400),
    Row("acoustic-fused", ["acoustic", "--dim", "3", "--problem", "standing", "--fuse", "3"],
        "512x512x512", "f32", ["acoustic", "--fuse", "3"], 1900),
    Row("himeno", ["himeno"], "510x254x254", "f32", ["himeno"], 450),
    Row("life", ["life", "--problem", "random"], "4096x4096", "", ["life"], 0),
    Row("wave", ["wave", "--dim", "3"], "256x256x256", "f64", ["wave"], 0),
    Row("hello", ["hello", "--dim", "1"], "16777216", "f64", ["hello"], 0, forms=("plain",)),
]
LEAST = 0.9  # of the speed of the reference's fastest form, at each number of threads
COMPILERS = (0.9, 1.1)  # clang++'s speed over g++'s; the median of so many rounds counts:
ROUNDS = 10


class NotThere(Exception):
    """The program, or what it was asked for, does not exist yet."""


class Failed(Exception):
    """It exists, and did not do its work."""


def run_json(command):
    """The JSON object that `command` prints; status 2 means that it does not know the call."""
    if not pathlib.Path(command[0]).exists():
        raise NotThere(f"no {pathlib.Path(command[0]).name}")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    message = (done.stderr.strip().splitlines() or ["no message"])[0].removeprefix("error: ")
    if done.returncode == 2:
        raise NotThere(message)
    if done.returncode != 0:
        raise Failed(done.stdout.strip() or message)
    return json.loads(done.stdout)


class Contestant:
    """One program of a row, with its samples by number of threads."""

    def __init__(self, name, command):
        self.name, self.command = name, command
        self.samples, self.problem = {}, ""

    def measure(self, threads):
        if self.problem:
            return
        try:
            result = run_json(self.command + ["--threads", str(threads), "--repeat", "1"])
            self.samples.setdefault(threads, []).append(result)
        except NotThere as reason:
            self.problem = f"not there yet: {reason}"
        except Failed as reason:
            self.problem = f"failed: {reason}"

    def rates(self, threads):
        """One a round."""
        return [sample["cell_updates_per_second"] for sample in self.samples.get(threads, [])]

    def rate(self, threads):
        """The median, or None."""
        rates = self.rates(threads)
        return statistics.median(rates) if rates and not self.problem else None


def references_of(options):
    """The folder of the references for the target."""
    folder = options.build / "bin"
    return folder if options.target == "native" else folder / options.target


def build_references(options):
    """On demand, those of another target than this machine; where there is a build to ask."""
    if options.target != "native" and (options.build / "CMakeCache.txt").exists():
        subprocess.run(["cmake", "--build", str(options.build), "--target",
                        f"references-{options.target}"], check=True, stdout=sys.stderr)


def default_compiler(options):
    """The one that the target takes unless told, as `paraiso doctor` says."""
    try:
        report = run_json([options.paraiso, "doctor", "--json"])
        level = report["native"] if options.target == "native" else options.target
        return next(one["compiler"] for one in report["targets"] if one["name"] == level)
    except (NotThere, Failed, ValueError, KeyError, StopIteration):
        return "g++"


def contestants_of(row, options):
    size_and_precision = lambda size: ["--size", size] + (
        ["--precision", row.precision] if row.precision else [])
    all_of_row = [Contestant(name, [options.paraiso, "bench", *row.app, "--json", "--schedule",
                                    "default", "--target", options.target, "--compiler",
                                    compiler, *size_and_precision(row.size)])
                  for name, compiler in (("ours", options.compiler), options.other_compiler)]
    for form in row.forms:
        program, *more = row.reference
        more = more if form == "best" else []
        all_of_row.append(Contestant(form, [str(references_of(options) / f"reference_{program}"),
                                            "--form", form, *more,
                                            *size_and_precision(row.size)]))
    return all_of_row


def check(best):
    """Compares the best form with the plain one before it is timed."""
    try:
        return run_json(best.command + ["--check"])
    except NotThere as reason:
        best.problem = f"not there yet: {reason}"
    except Failed as reason:
        best.problem = f"failed: differs from the plain form: {reason}"
    return None


def measure_row(row, options):
    contestants = contestants_of(row, options)
    checks = [check(one) for one in contestants if one.name == "best"]
    for _ in range(options.rounds):
        for threads in options.threads:
            for contestant in contestants:
                contestant.measure(threads)
    return {one.name: one for one in contestants}, checks


def bound(sample, rate, limits, precision):
    """Which limit is nearest, and what fraction of it is reached."""
    bandwidth = max(limits["copy"], limits["streamed_copy"])
    flops = limits["f32" if precision == "f32" else "f64"]["flops"]
    return max((sample["bytes_per_update"] * rate / bandwidth, "copy"),
               (sample["flops_per_update"] * rate / flops, "flops"))


def over_prediction(sample, rate):
    """The time of an update over what the cost model expects, or None."""
    predicted = sample.get("predicted")
    return 1e9 / rate / predicted["nanoseconds"] if predicted else None


def ratio_of_compilers(contestants, threads):
    """clang++'s speed over g++'s: the median of the rounds, met or not, and of how many."""
    clang, gcc = (contestants.get(name) or contestants["ours"] for name in ("clang", "gcc"))
    pairs = list(zip(clang.rates(threads), gcc.rates(threads)))
    if not pairs:
        return None
    ratio = statistics.median(clang / gcc for clang, gcc in pairs)
    return {"ratio": ratio, "met": COMPILERS[0] <= ratio <= COMPILERS[1], "rounds": len(pairs)}


def over_reference(ours, references):
    """Our speed over that of the reference's fastest form, met or not; None if any is missing."""
    if not ours or not all(references):
        return None
    ratio = ours / max(references)
    return {"ratio": ratio, "met": ratio >= LEAST}


def result_of(row, contestants, threads, limits, target="native"):
    """What the samples at one number of threads say; None: not measured, or no figure is set."""
    rate = {name: contestants[name].rate(threads) if name in contestants else None
            for name in ("ours", "plain", "best")}
    ours = rate["ours"]
    required = row.required if threads == 2 and row.required else None
    result = {**rate, "compilers": ratio_of_compilers(contestants, threads),
              "over_reference": over_reference(ours, [rate[form] for form in row.forms]),
              "required": required, "met": ours >= required * 1e6 if ours and required else None,
              "bound": None, "fraction_of_bound": None, "predicted_bound": None,
              "measured_over_predicted": None, "level": target}
    if ours:
        sample = contestants["ours"].samples[threads][-1]
        result["fraction_of_bound"], result["bound"] = bound(sample, ours, limits, row.precision)
        result["predicted_bound"] = (sample.get("predicted") or {}).get("bound")
        result["measured_over_predicted"] = over_prediction(sample, ours)
        result["level"] = sample.get("level") or target
    return result


def million(rate):
    return "-" if rate is None else f"{rate / 1e6:.1f}"


def quotient(value):
    return "-" if value is None else f"{value:.2f}"


def verdict(met):
    return {None: "", True: " met", False: " missed"}[met]


def text_of_ratio(over_reference):
    if not over_reference:
        return "-"
    return quotient(over_reference["ratio"]) + verdict(over_reference["met"])


def text_of_compilers(compilers):
    if not compilers:
        return "-"
    too_few = f" ({compilers['rounds']} of {ROUNDS} rounds)" if compilers["rounds"] < ROUNDS else ""
    return quotient(compilers["ratio"]) + verdict(compilers["met"]) + too_few


def line_of(row, threads, result, problem):
    ours, required = result["ours"], result["required"]
    limit = f"{100 * result['fraction_of_bound']:.0f} % of {result['bound']}" if ours else "-"
    return [row.name, row.size, row.precision or "-", result["level"], str(threads), problem or million(ours),
            text_of_compilers(result["compilers"]), million(result["plain"]), million(result["best"]),
            text_of_ratio(result["over_reference"]),
            f"{required:.0f}{verdict(result['met'])}" if required else "-", limit,
            result["predicted_bound"] or "-", quotient(result["measured_over_predicted"])]


HEADER = ["program", "size", "precision", "level", "threads", "ours", "clang++/g++", "plain", "best",
          "ours/best", "required", "bound", "model's bound", "measured / predicted"]


def print_line(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def output_of(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True,
                              cwd=ROOT).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def record_of_run():
    """What any figure depends on."""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "git_revision": output_of(["git", "rev-parse", "HEAD"]),
        "git_changes": output_of(["git", "status", "--porcelain", "--untracked-files=no"]),
        "machine": platform.platform(),
        "compilers": {name: output_of([name, "--version"]).partition("\n")[0]
                      for name in ("g++", "clang++")},
        "rows": [],
    }


def record_of_row(row, contestants, checks, results):
    return {**dataclasses.asdict(row), "checks": checks, "results": results,
            "contestants": {name: {"command": one.command, "problem": one.problem,
                                   "samples": one.samples}
                            for name, one in contestants.items()}}


def parse_with_places(parser, arguments, output):
    """Of every script here: where programs and results lie."""
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build",
                        help="where Paraiso and the references are built")
    parser.add_argument("--paraiso", help="another binary than BUILD/bin/paraiso")
    parser.add_argument("--output", type=pathlib.Path, help=f"BUILD/{output} unless told")
    options = parser.parse_args(arguments)
    options.paraiso = options.paraiso or str(options.build / "bin" / "paraiso")
    options.output = options.output or options.build / output
    return options


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", metavar="ROW", help="this row; may be repeated",
                        choices=[row.name for row in ROWS])
    parser.add_argument("--rounds", type=int, default=5, help="samples of each contestant; 5")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="1 2")
    parser.add_argument("--target", default=os.environ.get("PARAISO_TARGET") or "native",
                        help="what both are made for: native, x86-64-v3, ...")
    return parse_with_places(parser, arguments, "bench.json")


def measure_limits(options):
    program = str(references_of(options) / "reference_limits")
    return {threads: run_json([program, "--threads", str(threads)]) for threads in options.threads}


def print_limits(limits):
    for threads, limit in limits.items():
        print(f"limits, {threads} threads: copy {limit['copy'] / 1e9:.1f} GB/s, streamed "
              f"{limit['streamed_copy'] / 1e9:.1f} GB/s, L2 {limit['l2_copy'] / 1e9:.0f} GB/s, "
              f"L3 {limit['l3_copy'] / 1e9:.0f} GB/s; f64 {limit['f64']['flops'] / 1e9:.0f}, "
              f"f32 {limit['f32']['flops'] / 1e9:.0f} GFLOP/s")
    print("\nmillion cell updates a second, medians\n", flush=True)


def main(arguments):
    options = parse(arguments)
    build_references(options)
    options.compiler = default_compiler(options)
    options.other_compiler = ("clang", "clang++") if options.compiler == "g++" else ("gcc", "g++")
    try:
        limits = measure_limits(options)
    except (NotThere, Failed) as reason:
        print(f"error: the machine's limits: {reason}; build the target `references`",
              file=sys.stderr)
        return 1
    print_limits(limits)
    print_line(HEADER)
    print_line(["---"] * len(HEADER))
    record = {**record_of_run(), "target": options.target, "compiler": options.compiler,
              "rounds": options.rounds, "limits": limits}
    for row in ROWS:
        if options.only and row.name not in options.only:
            continue
        contestants, checks = measure_row(row, options)
        results = {threads: result_of(row, contestants, threads, limits[threads], options.target)
                   for threads in options.threads}
        for threads, result in results.items():
            print_line(line_of(row, threads, result, contestants["ours"].problem))
        for one in contestants.values():
            if one.problem and one.name != "ours":
                print(f"{row.name}, {one.name}: {one.problem}", file=sys.stderr)
        record["rows"].append(record_of_row(row, contestants, checks, results))
        options.output.write_text(json.dumps(record, indent=2) + "\n")
    print(f"\nevery sample is in {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
