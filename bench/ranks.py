#!/usr/bin/env python3
"""What ranks cost on this machine: `bench/ranks.py [PARAISO]`.

First, two ranks of one thread beside one rank of two threads, in turns: the share of the speed that is left. Then the
processor time of a step of one thread on 1, 2, 4, 8 and 16 ranks, which share the processors here; waiting costs none.
Shares are the median of the turns', times the median or, of processors, the least. Other programs disturb both: the machine
should be idle.
"""
import json
import os
import resource
import statistics
import subprocess
import sys

PARAISO = sys.argv[1] if len(sys.argv) > 1 else "paraiso"
TURNS, LESS = 7, 3
CASES = {  # steps of a call
    ("heat", "4096x4096"): 60,
    ("acoustic", "2048x2048"): 300,
    ("hydro", "192x192x192"): 4,
}


def bench(case, steps, *options):
    """Seconds of a step, and of the processors' time of all."""
    app, size = case
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    call = [PARAISO, "bench", app, "--dim", str(size.count("x") + 1), "--size", size, "--steps", str(steps),
            "--repeat", "1", "--json", "--schedule", "default", *options]
    found = json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return min(found["seconds"]) / found["steps"], used


def processor_time(case, steps, ranks):
    """Of a step, without what each call does before."""
    more = 3 * steps
    divided = ("--ranks", str(ranks)) if ranks > 1 else ()
    long, short = (bench(case, n, "--threads", "1", *divided)[1] for n in (more, steps))
    return (long - short) / (more - steps)


def main():
    print(f"{os.cpu_count()} processors")
    for case, steps in CASES.items():
        bench(case, steps, "--threads", "2")  # compiles
        one, two = [], []
        for _ in range(TURNS):
            one.append(bench(case, steps, "--threads", "2")[0])
            two.append(bench(case, steps, "--ranks", "2", "--threads", "1")[0])
        print(f"{case[0]} {case[1]}: 1 rank of 2 threads {1e3 * statistics.median(one):.1f} ms a step, "
              f"2 ranks of 1 thread {1e3 * statistics.median(two):.1f}: "
              f"{statistics.median(a / b for a, b in zip(one, two)):.3f}", flush=True)
        times = {ranks: min(processor_time(case, steps, ranks) for _ in range(LESS)) for ranks in (1, 2, 4, 8, 16)}
        print("  processor time of a step, of that of 1 rank: "
              + ", ".join(f"{ranks} ranks {time / times[1]:.3f}" for ranks, time in times.items()), flush=True)


if __name__ == "__main__":
    main()
