#!/usr/bin/env python3
"""Are schedules in the order that `simulate` foretells? `bench/forecast_order.py [PARAISO]`, on an idle machine.

Ranks of one thread, more than there are processors, take steps of heat and hydro with messages awaited first and computed
meanwhile (`exchange`), with one exchange for several steps (`--fuse`), and with no value or every value stored. For each number
of ranks: milliseconds of a step foretold and measured (medians of turns), and of the pairs that are foretold to differ by 5 % and
more, how many have that order. How large steps are is not asked: ranks that share a processor wait for each other's turns.
"""
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile

PARAISO = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "paraiso"
RANKS, TURNS = (4, 8, 16), 3
CASES = {  # steps of a call, and steps for one exchange
    ("heat", "1024x1024"): (240, (1, 2, 3, 4, 6)),
    ("hydro", "512x512"): (24, (1,)),
}


def told(*words):
    call = [PARAISO, *map(str, words)]
    return subprocess.run(call, check=True, capture_output=True, text=True).stdout


def schedule(folder, app, size, exchange):
    """The default schedule's file with another exchange."""
    lines = told("show", app, "--dim", size.count("x") + 1, "--size", size, "--genes").splitlines(keepends=True)
    name = os.path.join(folder, f"{app}-{exchange}.schedule")
    with open(name, "w") as file:
        file.writelines(f"proceed/exchange = {exchange}\n" if line.startswith("proceed/exchange") else line for line in lines)
    return name


def in_order(pairs):
    sure = [(a < b) == (c < d) for (a, c), (b, d) in itertools.combinations(pairs, 2) if max(a, b) > 1.05 * min(a, b)]
    return f"{sum(sure)} of {len(sure)}"


def variants(folder, app, size, fusions):
    for exchange in "blocking", "overlapped":
        yield exchange, ("--schedule", schedule(folder, app, size, exchange)), exchange
    yield "none stored", ("--schedule", "genome:A"), "blocking"
    yield "all stored", ("--schedule", "genome:" + 4000 * "D"), "blocking"
    for steps in fusions[1:]:
        yield f"fuse {steps}", ("--schedule", "default", "--fuse", steps), "blocking"


def measure(folder, app, size, steps, fusions):
    shape = [app, "--dim", size.count("x") + 1, "--size", size]
    for ranks in RANKS:
        all_of = list(variants(folder, app, size, fusions))
        foretold, measured = {}, {name: [] for name, _, _ in all_of}
        for name, options, exchange in all_of:
            point, = json.loads(told("simulate", *shape, "--ranks", ranks, "--machine", f"{folder}/here.dot", *options,
                                     "--exchange", exchange, "--json"))["points"]
            foretold[name] = point["seconds_per_step"]
        for turn in range(TURNS + 1):  # the first compiles
            for name, options, _ in all_of:
                found = json.loads(told("bench", *shape, "--ranks", ranks, "--threads", 1, *options, "--steps", steps,
                                        "--repeat", 1, "--json"))
                if turn > 0:
                    measured[name].append(found["seconds"][0] / found["steps"])
        rows = {name: (foretold[name], statistics.median(measured[name])) for name in foretold}
        print(f"{app} {size}, {ranks} ranks: " + ", ".join(
            f"{name} {1e3 * a:.2f} and {1e3 * b:.2f}" for name, (a, b) in rows.items()) + f"; {in_order(rows.values())} in order",
            flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        told("calibrate", "--hardware", f"{folder}/here.dot")
        for (app, size), (steps, fusions) in CASES.items():
            measure(folder, app, size, steps, fusions)


if __name__ == "__main__":
    main()
