#!/usr/bin/env python3
"""What `both` (docs/predict.md) is worth where the default is taken unless the gain that it expects is above a margin.

    python3 bench/predict_margin.py DATABASE          # of `tune --recipes`: speeds of one list of recipes in many programs

Each solver is held out in turn. Prints, for each margin, the median over spaces of the first try's speed over the best of the
list, the worst first try over the default's speed, and in how many spaces it is not the default; then the same with the margin
chosen without the solver that is held out: the least that keeps 0.97 of the default on all others.
"""
import math
import sqlite3
import statistics
import sys

SLOWEST = 0.05  # as paraiso/tune/rivals/orders.cpp
MARGINS = (1, 1.02, 1.05, 1.07, 1.1, 1.15, 1.2, 1.3, 1.5)
GOAL = 0.97


def log_of(speed):
    return math.log(max(speed, SLOWEST))


def spaces(path):
    """(solver, speeds, the cost model's times) of each program and size in which the whole list was measured."""
    file = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    found = []
    for problem, solver in file.execute("select id, machine from problem order by id").fetchall():
        listed = file.execute("select genome, model from listed where problem = ? order by number", (problem,)).fetchall()
        speeds = dict(file.execute("select genome, score from individual where problem = ?", (problem,)))
        if listed and all(genome in speeds for genome, _ in listed):
            found.append((solver, [speeds[genome] for genome, _ in listed], [time for _, time in listed]))
    count = min(len(speed) for _, speed, _ in found)
    return [(solver, speed[:count], time[:count]) for solver, speed, time in found if speed[0] > 0]


def first_try(known, asked):
    """The recipe that is expected to gain most over the default, and that gain."""
    _, _, times = asked
    gains = []
    for recipe, time in enumerate(times):
        model = log_of(min(times) / time) - log_of(min(times) / times[0])
        others = sum(log_of(speed[recipe] / max(speed)) - log_of(speed[0] / max(speed)) for _, speed, _ in known) / len(known)
        gains.append(model + others)
    best = max(range(len(gains)), key=gains.__getitem__)
    return best, math.exp(gains[best])


def main(path):
    judged = []  # (solver, of the best, of the default, expected gain; and of the best if the default is taken)
    all_spaces = spaces(path)
    for asked in all_spaces:
        solver, speed, _ = asked
        recipe, gain = first_try([space for space in all_spaces if space[0] != solver], asked)
        judged.append((solver, speed[recipe] / max(speed), speed[recipe] / speed[0], gain if recipe else 1, speed[0] / max(speed)))

    def taken(one, margin):
        return one[3] > margin

    def worst(of, margin):
        return min((one[2] if taken(one, margin) else 1 for one in of), default=1)

    def row(name, margins):
        fractions = [one[1] if taken(one, m) else one[4] for one, m in zip(judged, margins)]
        least = min(one[2] if taken(one, m) else 1 for one, m in zip(judged, margins))
        print(f"| {name} | {statistics.median(fractions):.3f} | {least:.3f} | "
              f"{sum(taken(one, m) for one, m in zip(judged, margins))} of {len(judged)} |")

    print("| expected gain above | of the best, without a run | worst / default | not the default |\n| --- | --- | --- | --- |")
    for margin in MARGINS:
        row(margin, [margin] * len(judged))

    def chosen(solver):
        others = [one for one in judged if one[0] != solver]
        return next((m for m in MARGINS if worst(others, m) >= GOAL), MARGINS[-1])

    row("chosen on the others", [chosen(one[0]) for one in judged])
    for solver in sorted({one[0] for one in judged}):
        least = min(one[2] for one in judged if one[0] == solver)
        print(f"{solver}: {least:.3f} of the default at worst without a margin; {chosen(solver)} is chosen on the others")


if __name__ == "__main__":
    main(sys.argv[1])
