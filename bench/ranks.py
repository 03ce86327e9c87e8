#!/usr/bin/env python3
"""What ranks cost on this machine: `bench/ranks.py [PARAISO]`.

First, two ranks of one thread beside one rank of two threads, in turns: the share of the speed that is left. Then the
processor time of a step on 1, 2, 4, 8 and 16 ranks of one thread, all on one processor, so that no other rank slows memory
down: what kernels and messages take, by clocks that stand still while a rank waits or does not run. Shares are the median
of the turns', times the median or, of processors, the least of some repeats in turns. Other programs disturb both: the
machine should be idle.
"""
import json
import os
import statistics
import subprocess
import sys

PARAISO = sys.argv[1] if len(sys.argv) > 1 else "paraiso"
TURNS, LESS = 7, 3
RANKS = (1, 2, 4, 8, 16)
CASES = {  # steps of a call
    ("heat", "4096x4096"): 60,
    ("acoustic", "2048x2048"): 300,
    ("hydro", "192x192x192"): 4,
}


def words_of(case):
    app, size = case
    return [app, "--dim", str(size.count("x") + 1), "--size", size, "--schedule", "default"]


def bench(case, steps, *options, before=()):
    call = [*before, PARAISO, "bench", *words_of(case), "--steps", str(steps), "--repeat", "1", "--json", *options]
    return json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


def seconds(case, steps, *options):
    found = bench(case, steps, *options)
    return found["seconds"][0] / found["steps"]


def processor_seconds(case, steps, ranks):
    """Of a step, of all ranks together, on one processor."""
    pinned = ("taskset", "-c", str(min(os.sched_getaffinity(0))))
    found = bench(case, steps, "--threads", "1", "--ranks", str(ranks), before=pinned)
    return found["busy_seconds"][0] / found["steps"]


def main():
    print(f"{os.cpu_count()} processors")
    for case, steps in CASES.items():
        seconds(case, 1, "--threads", "2")  # compiles
        one, two = [], []
        for _ in range(TURNS):
            one.append(seconds(case, steps, "--threads", "2"))
            two.append(seconds(case, steps, "--ranks", "2", "--threads", "1"))
        print(f"{case[0]} {case[1]}: 1 rank of 2 threads {1e3 * statistics.median(one):.1f} ms a step, "
              f"2 ranks of 1 thread {1e3 * statistics.median(two):.1f}: "
              f"{statistics.median(a / b for a, b in zip(one, two)):.3f}", flush=True)
        turns = [{ranks: processor_seconds(case, steps, ranks) for ranks in RANKS} for _ in range(LESS)]
        times = {ranks: min(turn[ranks] for turn in turns) for ranks in RANKS}
        print("  processor time of a step, of that of 1 rank: "
              + ", ".join(f"{ranks} ranks {time / times[1]:.3f}" for ranks, time in times.items()), flush=True)


if __name__ == "__main__":
    main()
