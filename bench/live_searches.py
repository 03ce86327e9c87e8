#!/usr/bin/env python3
"""Do searches that measure rank like those that are replayed?

    python3 bench/live_searches.py FOLDER --recording tests/tune/spaces/heat.recording heat --dim 2 --size 256x256 --threads 1

As the replayed ones, a search begins with an individual of the recording that its seed draws, the same for all strategies. Each
has a database of its own in FOLDER; what is there already is not measured again, so that it can be stopped at any moment.
--at-once 2 begins two searches at a time: their compilers overlap, and one of them times.

The table has, of the searches of a strategy, the speed of the best schedule so far over the best one that any search found: the
median of the seeds after 5, 10, 30, .. schedules, and the mean over schedules and seeds, by which they rank, with an interval of
95 % over the seeds. Beside it stands the score of `paraiso scoreboard` on the recording; the last line is Kendall's tau of the
two rankings.
"""
import argparse
import itertools
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from against_kernel_tuner import interval, text
from predict_live import rows

STRATEGIES = ["greedy", "anneal", "torczon", "genetic", "random"]
AFTER = (5, 10, 30, 100, 300)


def drawn(recording, seed):
    """The genome of an individual that did not fail."""
    rows = [json.loads(line) for line in recording.read_text().splitlines()[1:]]
    return random.Random(seed).choice([row[0] for row in rows if row[1]])


def search(options, strategy, seed):
    database = options.folder / f"{strategy}-{seed}.sqlite"
    done = database.with_suffix(".done")
    if not done.exists():
        command = [options.paraiso, "tune", *options.program, "--strategy", strategy, "--seed", str(seed),
                   "--from", "genome:" + drawn(options.recording, seed), "--total", str(options.schedules),
                   "--repeat", str(options.repeat), "--rounds", "6", "--database", str(database)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        done.touch()
    require_same_space(options.recording, database)
    return speeds_of(database)[:options.schedules]


def require_same_space(recording, database):
    """Letters would mean other schedules where the program, or the planner's choices, have changed since it was recorded."""
    with open(recording) as file:
        header = json.loads(file.readline())
    (program, genes), = rows(database, "select program_hash, genes from problem")
    if (program, json.loads(genes)) != (header["program_hash"], header["genes"]):
        raise SystemExit(f"`{recording}` was recorded of another program, or of an older version: its genomes would be misread")


def speeds_of(database):
    """As they were measured, one after the other; 0 is a failure."""
    return [score for score, in rows(database, "select score from individual order by finished, id")]


def best_so_far(speeds, best, count):
    """After each of so many schedules; a search that ended sooner stays where it was."""
    curve = [speed / best for speed in itertools.accumulate(speeds, max)]
    return curve + curve[-1:] * (count - len(curve))


def scoreboard(paraiso, recording, strategies, *more):
    """Its report on one recording."""
    command = [paraiso, "scoreboard", str(recording), "--json", *more]
    for strategy in strategies:
        command += ["--strategy", strategy]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def replayed(options):
    """The mean score of each strategy on the recording."""
    report = scoreboard(options.paraiso, options.recording, options.strategy)
    return {one["strategy"]: one["score"] for one in report["standings"]}


def kendall(one, other):
    """Of two lists; pairs of equal values count as if they disagreed."""
    pairs = list(itertools.combinations(range(len(one)), 2))
    agree = sum((one[a] - one[b]) * (other[a] - other[b]) > 0 for a, b in pairs)
    return (2 * agree - len(pairs)) / len(pairs)


def table(options, speeds):
    best = max(max(one) for of in speeds.values() for one in of)
    scores = replayed(options)
    after = [count for count in AFTER if count <= options.schedules]
    yield f"| strategy | {' | '.join(map(str, after))} | mean | replayed, score |"
    yield "| --- |" + " ---: |" * (len(after) + 2)
    means = {}
    for strategy, of in speeds.items():
        curves = [best_so_far(one, best, options.schedules) for one in of]
        own = [statistics.fmean(curve) for curve in curves]
        means[strategy] = statistics.fmean(own)
        medians = " | ".join(f"{statistics.median(curve[count - 1] for curve in curves):.3f}" for count in after)
        yield f"| {strategy} | {medians} | {text(means[strategy], interval([own]))} | {scores[strategy]:.3f} |"
    tau = kendall([means[one] for one in speeds], [scores[one] for one in speeds])
    yield f"\n{options.seeds} seeds, the best has {best:.4g} updates a second. Kendall's tau of the last two columns: {tau:.2f}."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--recording", type=pathlib.Path, required=True)
    parser.add_argument("--strategy", action="append", default=[], help="may be repeated; default: " + ", ".join(STRATEGIES))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--schedules", type=int, default=100, help="of each search")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("--paraiso", default=os.environ.get("PARAISO", "build/bin/paraiso"))
    options, options.program = parser.parse_known_args()
    options.strategy = options.strategy or STRATEGIES
    options.folder.mkdir(parents=True, exist_ok=True)
    jobs = [(strategy, seed) for seed in range(1, options.seeds + 1) for strategy in options.strategy]
    speeds = {strategy: [] for strategy in options.strategy}
    with ThreadPoolExecutor(options.at_once) as pool:
        searches = [pool.submit(search, options, *job) for job in jobs]
        try:
            for count, ((strategy, seed), running) in enumerate(zip(jobs, searches), 1):
                speeds[strategy].append(running.result())
                print(f"{count} of {len(jobs)}: {strategy}, seed {seed}", file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    print("\n".join(table(options, speeds)))


if __name__ == "__main__":
    main()
