#!/usr/bin/env python3
"""How much of a space must be recorded, so that searches rank on the recording as on the whole space?

    paraiso replay space.json.gz --import --complete --output FOLDER/space.recording
    python3 bench/sparse_recordings.py FOLDER/*.recording --individuals 79 300 1000

Of each exhaustive recording so many individuals are drawn at random, as if no more had been measured. The table has Kendall's tau
between the strategies' scores on them and on the whole: the median of the draws, the lowest and the highest. Its last row is what
chance leaves of it: between the first half of the seeds and the other half, both on the whole space.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import tempfile

from live_searches import STRATEGIES, kendall, scoreboard


def drawn(recording, count, seed):
    """The text of a recording of so many of its individuals, drawn at random."""
    first, *lines = recording.read_text().splitlines()
    header = json.loads(first) | {"recorded": "drawn", "distribution": "random"}
    rows = [json.loads(line) for line in random.Random(seed).sample(lines, count)]
    return "".join(json.dumps(row) + "\n" for row in [header, *([*row[:3], "random", *row[4:]] for row in rows)])


def scores(options, recording):
    """Of each strategy, by seeds."""
    report = scoreboard(options.paraiso, recording, STRATEGIES, "--seeds", str(options.seeds))
    found = {one["strategy"]: one["scores"] for one in report["spaces"][0]["rows"]}
    return [found[strategy] for strategy in STRATEGIES]


def agreement(one, other):
    return kendall([statistics.fmean(of) for of in one], [statistics.fmean(of) for of in other])


def row(options, name, taus_of):
    """A cell of each recording; of several values their median and range."""
    cells = []
    for recording in options.recording:
        taus = taus_of(recording)
        between = f" ({min(taus):.1f} to {max(taus):.1f})" if len(taus) > 1 else ""
        cells.append(f"{statistics.median(taus):.1f}{between}")
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", type=pathlib.Path, nargs="+", help="exhaustive ones")
    parser.add_argument("--individuals", type=int, nargs="+", default=[79, 300, 1000])
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=100, help="of each strategy on each recording")
    parser.add_argument("--paraiso", default=os.environ.get("PARAISO", "build/bin/paraiso"))
    options = parser.parse_args()
    whole = {recording: scores(options, recording) for recording in options.recording}
    print(f"| individuals | {' | '.join(recording.stem for recording in options.recording)} |")
    print("| ---: |" + " ---: |" * len(options.recording))
    with tempfile.TemporaryDirectory() as folder:
        part = pathlib.Path(folder) / "part.recording"

        def part_against_whole(recording, count, seed):
            part.write_text(drawn(recording, count, seed))
            return agreement(scores(options, part), whole[recording])

        for count in options.individuals:
            row(options, count, lambda recording, count=count: [part_against_whole(recording, count, seed)
                                                                for seed in range(1, options.draws + 1)])
    half = options.seeds // 2
    row(options, "all", lambda recording: [agreement([of[:half] for of in whole[recording]], [of[half:] for of in whole[recording]])])


if __name__ == "__main__":
    main()
