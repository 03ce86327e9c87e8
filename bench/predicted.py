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

from run import (Failed, NotThere, over_prediction, parse_with_places, print_line, record_of_run,
                 run_json)

REPEATS = 7
SECONDS = 0.1  # a repeat, by the prediction
WITHIN = (0.8, 1.25)  # measured over predicted
SAME_RUN = ("app", "problem", "size", "threads", "compiler", "program_hash", "schedule_hash")

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
]


def cells_of(sample):
    cells = 1
    for n in sample["size"]:
        cells *= n
    return cells


def steps_for(sample):
    """As many as take SECONDS, if the prediction is right."""
    seconds = sample["predicted"]["nanoseconds"] * 1e-9 * cells_of(sample)
    return max(1, round(SECONDS / seconds))


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
            str(options.threads), "--schedule", "default", "--compiler", options.compiler, "--json"]


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


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", metavar="APP", help="this app; may be repeated",
                        choices=sorted({sweep.app[0] for sweep in SWEEPS}))
    parser.add_argument("--threads", type=int, default=2, help="2")
    parser.add_argument("--compiler", default="g++", help="g++")
    parser.add_argument("--best-of", action="append", default=[], metavar="JSON", type=earlier_rows,
                        help="of an earlier run: the best of both counts; may be repeated")
    return parse_with_places(parser, arguments, "predicted.json")


def main(arguments):
    options = parse(arguments)
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
