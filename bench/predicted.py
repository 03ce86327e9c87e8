#!/usr/bin/env python3
"""Compares what the cost model predicts of the default schedules with what is measured.

Each app at sizes from those that fit into caches to those that don't: the best of 7 repeats of
about 0.1 s each. Prints a table in Markdown and how many rows lie within the bounds, and writes
every sample to a JSON file. A grid that does not fit the memory is named and left out. Where others
use the machine, too, runs of several hours tell more than one: `--best-of` takes earlier ones in.
"""

import argparse
import dataclasses
import json
import pathlib
import sys

import fit
from run import (Failed, NotThere, over_prediction, parse_with_places, print_line, record_of_run,
                 run_json)

REPEATS = 7
SECONDS = 0.1  # a repeat, by the prediction
WITHIN = (0.8, 1.25)  # measured over predicted
JUDGED = (0.7, 1.4)  # the same of a machine or app that nothing was fitted to
SAME_RUN = ("app", "problem", "size", "threads", "compiler", "program_hash", "schedule_hash")

# As in plan/machine_model.hpp: where a fit begins.
CONSTANTS = {"window": 200, "arithmetic_latency": 3, "load_latency": 6, "exposed": 0.25,
             "transfers_exposed": 0.25, "row_cycles": 25, "row_pointer_cycles": 0.7,
             "row_end_cycles": 30, "own_end_cycles": 20,
             "turns_from_memory": 1.12, "cache_edge": 0.5,
             "cache_softness": 0.75, "bytes_ahead": 512, "misses_a_page": 2}

SQUARES = ["x".join(2 * [str(n)]) for n in (256, 512, 1024, 2048, 4096, 8192)]
CUBES = ["x".join(3 * [str(n)]) for n in (64, 128, 256, 512)]


@dataclasses.dataclass(frozen=True)
class Sweep:
    app: list  # how `paraiso bench` is called, but for size, steps and threads
    sizes: list


SWEEPS = [
    Sweep(["hydro", "--dim", "2"], SQUARES),
    Sweep(["hydro", "--dim", "3"], CUBES),
    Sweep(["heat", "--dim", "2"], SQUARES),
    Sweep(["heat", "--dim", "3"], CUBES),
    # Denormal numbers ahead of a wave are data that the model does not know.
    Sweep(["acoustic", "--dim", "2", "--problem", "standing"], SQUARES),
    Sweep(["acoustic", "--dim", "3", "--problem", "standing"], CUBES),
    Sweep(["himeno"], ["126x62x62", "254x126x126", "510x254x254"]),  # S, M, L
    Sweep(["life", "--problem", "random"], SQUARES),
    Sweep(["wave", "--dim", "2"], SQUARES),
    Sweep(["wave", "--dim", "3"], CUBES),
    # Steps fused: what `--fuse auto` decides by.
    Sweep(["heat", "--dim", "3", "--fuse", "4"], CUBES[1:]),
    Sweep(["heat", "--dim", "3", "--fuse", "8"], CUBES[1:]),
    Sweep(["acoustic", "--dim", "3", "--problem", "standing", "--fuse", "2"], CUBES[1:]),
    Sweep(["acoustic", "--dim", "3", "--problem", "standing", "--fuse", "3"], CUBES[1:]),
]


def cells_of(sample):
    cells = 1
    for n in sample["size"]:
        cells *= n
    return cells


def steps_for(sample):
    """As many as take SECONDS, if the prediction is right; of fused steps whole calls, since what is
    left over is taken one by one."""
    seconds = sample["predicted"]["nanoseconds"] * 1e-9 * cells_of(sample)
    fuse = sample.get("fuse", 1)
    return fuse * max(1, round(SECONDS / seconds / fuse))


def measure(command):
    """The sample, and its best time of an update in nanoseconds. A first call compiles."""
    first = run_json(command + ["--steps", "1", "--repeat", "1"])
    steps = str(steps_for(first))
    sample = run_json(command + ["--steps", steps, "--repeat", str(REPEATS)])
    return sample, 1e9 * min(sample["seconds"]) / (sample["steps"] * cells_of(sample))


def earlier_rows(path):
    """Those of a file that an earlier run has written."""
    try:
        return json.loads(pathlib.Path(path).read_text())["rows"]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise argparse.ArgumentTypeError(
            f"{path} is not what an earlier run has written: {problem}") from problem


def best_of(nanoseconds, sample, earlier):
    """The least, also of earlier rows of the same generated code."""
    def run(of):
        return [of.get(key) for key in SAME_RUN]

    return min([nanoseconds] + [row["measured"] for row in earlier
                                if run(row["sample"]) == run(sample)])


def row_of(sample, nanoseconds):
    return {"measured": nanoseconds, "predicted": sample["predicted"]["nanoseconds"],
            "bound": sample["predicted"]["bound"],
            "measured_over_predicted": over_prediction(sample, 1e9 / nanoseconds),
            "sample": sample}


HEADER = ["app", "size", "measured", "predicted", "measured / predicted", "model's bound"]


def line_of(size, row):
    return [row["sample"]["app"], size, f"{row['measured']:.3g}", f"{row['predicted']:.3g}",
            f"{row['measured_over_predicted']:.2f}", row["bound"]]


def call_of(sweep, size, options):
    return [options.paraiso, "bench", *sweep.app, "--size", size, "--threads",
            str(options.threads), "--schedule", "default", "--compiler", options.compiler,
            *(["--target", options.target] if options.target else []), "--json"]


def rows_of(options):
    """Prints each row as soon as it is measured, or says why it is not."""
    earlier = [row for rows in options.best_of for row in rows]
    for sweep in SWEEPS:
        if options.only and sweep.app[0] not in options.only:
            continue
        for size in sweep.sizes:
            try:
                sample, nanoseconds = measure(call_of(sweep, size, options))
            except (NotThere, Failed) as reason:
                print(f"{' '.join(sweep.app)} {size}: not measured: {reason}", file=sys.stderr)
                continue
            row = row_of(sample, best_of(nanoseconds, sample, earlier))
            print_line(line_of(size, row))
            yield row


def start_of(machine):
    """The built-in constants, which a machine's file may change."""
    return {**CONSTANTS, **machine.get("constants", {})}


def leave_one_out(options):
    """Each app by constants that were fitted to all others; then what each constant is worth."""
    machine = json.loads(options.machine.read_text())
    rows = [fit.Row(options.paraiso, row) for row in best_rows(options.rows)]
    model, start = fit.Model(rows, machine), start_of(machine)
    print("measured over predicted, by constants that were fitted to all other apps\n")
    columns = ["app", "size", "steps fused", "measured", "measured / predicted"]
    print_line(columns)
    print_line(["---"] * len(columns))
    judged, found = [], {}
    for app in sorted({row.app for row in rows}):
        found[app] = fit.fit(model, start, lambda other, app=app: other != app)
        for row, ratio in zip(rows, model.ratios(found[app])):
            if row.app != app:
                continue
            judged.append(ratio)
            print_line([app, row.size, str(row.fuse), f"{row.measured:.3g}", f"{ratio:.2f}"])
    everyone = lambda app: True
    built_in = model.ratios(start)
    print(f"\n{fit.within(judged, *JUDGED)} of {len(judged)} lie within {JUDGED[0]} to {JUDGED[1]} "
          f"({fit.within(judged, *WITHIN)} within {WITHIN[0]} to {WITHIN[1]}); with the built-in "
          f"constants {fit.within(built_in, *JUDGED)}; the machine is {machine['processor']}")
    whole = fit.fit(model, start, everyone)
    print("fitted to all: " + json.dumps({name: float(f"{whole[name]:.3g}") for name in fit.FITTED}))
    if options.worth:
        print("error without a constant, all others fitted anew:")
        for name, more in sorted(fit.worth_of(model, start, everyone).items(), key=lambda x: -x[1]):
            print(f"  {name}: {100 * more:+.1f} %")
    return 0


def best_rows(files):
    """Of rows of the same code the fastest."""
    best = {}
    for row in (row for rows in files for row in rows):
        key = tuple(str(row["sample"].get(name)) for name in SAME_RUN + ("fuse", "dim"))
        if key not in best or row["measured"] < best[key]["measured"]:
            best[key] = row
    return list(best.values())


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", metavar="APP", help="this app; may be repeated",
                        choices=sorted({sweep.app[0] for sweep in SWEEPS}))
    parser.add_argument("--threads", type=int, default=2, help="2")
    parser.add_argument("--compiler", default="g++", help="g++")
    parser.add_argument("--target", default="", help="x86-64-v3, ...; this machine's own")
    parser.add_argument("--best-of", action="append", default=[], metavar="JSON", type=earlier_rows,
                        help="of an earlier run: the best of both counts; may be repeated")
    parser.add_argument("--leave-one-out", action="store_true",
                        help="measure nothing: judge each app by constants fitted to all others")
    parser.add_argument("--rows", action="append", default=[], metavar="JSON", type=earlier_rows,
                        help="for that: of an earlier run; the best of several counts")
    parser.add_argument("--machine", metavar="FILE", type=pathlib.Path,
                        help="for that: the machine of the rows, as `paraiso calibrate` wrote it")
    parser.add_argument("--worth", action="store_true",
                        help="for that: tell what each constant is worth, too")
    options = parse_with_places(parser, arguments, "predicted.json")
    if options.leave_one_out and not (options.rows and options.machine):
        parser.error("--leave-one-out needs --rows and --machine")
    return options


def main(arguments):
    options = parse(arguments)
    if options.leave_one_out:
        return leave_one_out(options)
    record = record_of_run()
    print("nanoseconds a cell update\n")
    print_line(HEADER)
    print_line(["---"] * len(HEADER))
    for row in rows_of(options):
        record["rows"].append(row)
        options.output.write_text(json.dumps(record, indent=2) + "\n")
    if not record["rows"]:
        return 1
    machine = record["rows"][-1]["sample"]["predicted"]["machine"]
    inside = sum(WITHIN[0] <= row["measured_over_predicted"] <= WITHIN[1] for row in record["rows"])
    print(f"\n{inside} of {len(record['rows'])} lie within {WITHIN[0]} to {WITHIN[1]}; the model "
          f"is of {machine}; every sample is in {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
