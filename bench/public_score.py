"""Whether our public score's baseline is that of the package: its curve on spaces of Kernel Tuner.

    python3 -m venv V; V/bin/pip install autotuning-methodology==1.1.0
    V/bin/python bench/public_score.py build/bin/paraiso FOLDER/convolution_A100.json.gz ...

Prints the largest relative difference of each file's curve, and fails if one is more than 1e-6.
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile

import numpy
from autotuning_methodology.baseline import RandomSearchCalculatedBaseline
from autotuning_methodology.searchspace_statistics import SearchspaceStatistics


def package_curve(times):
    """From the first to the last budget that counts, in the file's unit."""
    space = SearchspaceStatistics.__new__(SearchspaceStatistics)  # its constructor reads T4 files only
    space.minimization = True
    space.objective_performances_total_sorted = numpy.sort(numpy.array(times, float))
    space.objective_performances_total = space.objective_performances_total_sorted_nan = \
        space.objective_performances_total_sorted
    first, last = (space.cutoff_point(part)[1] for part in (0.5, 0.95))
    return RandomSearchCalculatedBaseline(space).get_curve_over_fevals(numpy.arange(first, last + 1))


def our_curve(paraiso, path):
    with tempfile.TemporaryDirectory() as folder:
        recording = os.path.join(folder, "space.recording")
        subprocess.run([paraiso, "replay", path, "--import", "--complete", "--output", recording], check=True)
        board = subprocess.run([paraiso, "scoreboard", recording, "--strategy", "random", "--seeds", "1", "--json"],
                               check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return 1e3 * numpy.array(json.loads(board.stdout)["spaces"][0]["random_times"])


def main(paraiso, paths):
    worst = 0
    for path in paths:
        cache = json.load(gzip.open(path))["cache"]
        theirs = package_curve([row["time"] for row in cache.values() if isinstance(row["time"], (int, float))])
        difference = numpy.max(numpy.abs(our_curve(paraiso, path) / theirs - 1))
        worst = max(worst, difference)
        print(f"{os.path.basename(path)}: {len(theirs)} budgets, largest relative difference {difference:.1e}")
    return int(worst > 1e-6)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
