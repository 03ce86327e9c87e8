#!/usr/bin/env python3
"""What ranks cost on this machine: `bench/ranks.py [PARAISO]`.

First, two ranks of one thread beside one rank of two threads, in turns: the share of the speed that is left. Then the
processor time of a step on 1, 2, 4, 8 and 16 ranks of one thread, all on one processor, so that no other rank slows memory
down: what kernels and messages take, by clocks that stand still while a rank waits or does not run. Shares are the median
of the turns', times the median or, of processors, the least of some repeats in turns. Other programs disturb both: the
machine should be idle.

Ranks that take turns on one processor every few milliseconds throw each other's cells out of its caches, as they do not
where each has a processor. So each runs until it waits (`chrt --fifo 1`), which root may ask for; `--turns` leaves it to the
system, as does a system that refuses.
"""
import json
import os
import statistics
import subprocess
import sys

TAKE_TURNS = "--turns" in sys.argv
PARAISO = next((word for word in sys.argv[1:] if word != "--turns"), "paraiso")
TURNS, LESS, REPEATS = 7, 3, 3
UNTIL_IT_WAITS = ("chrt", "--fifo", "1")
RANKS = (1, 2, 4, 8, 16)
CASES = {  # steps of a call
    ("heat", "4096x4096"): 60,
    ("acoustic", "2048x2048"): 300,
    ("hydro", "192x192x192"): 4,
}


def words_of(case):
    app, size = case
    return [app, "--dim", str(size.count("x") + 1), "--size", size, "--schedule", "default"]


def bench(case, steps, *options, before=(), repeats=1):
    call = [*before, PARAISO, "bench", *words_of(case), "--steps", str(steps), "--repeat", str(repeats), "--json", *options]
    return json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


def seconds(case, steps, *options):
    found = bench(case, steps, *options)
    return found["seconds"][0] / found["steps"]


def can_run_until_it_waits():
    return not TAKE_TURNS and subprocess.run([*UNTIL_IT_WAITS, "true"], capture_output=True).returncode == 0


def processor_seconds(case, steps, ranks, before):
    """Of a step, of all ranks together, on one processor; and what messages took of it."""
    found = bench(case, steps, "--threads", "1", "--ranks", str(ranks), before=before, repeats=REPEATS)
    return min((busy / found["steps"], messages / found["steps"])
               for busy, messages in zip(found["busy_seconds"], found["message_seconds"])), found["shell_work"]


def shares(case, steps, before):
    turns = [{ranks: processor_seconds(case, steps, ranks, before) for ranks in RANKS} for _ in range(LESS)]
    least = {ranks: min(turn[ranks] for turn in turns) for ranks in RANKS}
    (one, _), _ = least[1]
    for ranks, ((busy, messages), shell_work) in least.items():
        yield (f"{ranks} ranks {busy / one:.3f} (messages {messages / one:.3f}, "
               f"parts compute {1 + shell_work:.3f} times their cells)")


def main():
    before = ("taskset", "-c", str(min(os.sched_getaffinity(0))))
    if can_run_until_it_waits():
        before = (*UNTIL_IT_WAITS, *before)
    print(f"{os.cpu_count()} processors; on one, ranks " + ("run until they wait" if "chrt" in before else "take turns"))
    for case, steps in CASES.items():
        seconds(case, 1, "--threads", "2")  # compiles
        one, two = [], []
        for _ in range(TURNS):
            one.append(seconds(case, steps, "--threads", "2"))
            two.append(seconds(case, steps, "--ranks", "2", "--threads", "1"))
        print(f"{case[0]} {case[1]}: 1 rank of 2 threads {1e3 * statistics.median(one):.1f} ms a step, "
              f"2 ranks of 1 thread {1e3 * statistics.median(two):.1f}: "
              f"{statistics.median(a / b for a, b in zip(one, two)):.3f}", flush=True)
        print("  processor time of a step, of that of 1 rank: " + ", ".join(shares(case, steps, before)), flush=True)


if __name__ == "__main__":
    main()
