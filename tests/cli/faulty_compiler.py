#!/usr/bin/env python3
"""A compiler that spoils what it compiles: for testing that a tuning survives it and `verify` tells it.

Stands as `g++` on PATH, in front of the real one ($REAL_COMPILER). Of the programs that come, told apart
by their text without comments, number n suffers the nth of the words in $FAULTS; those behind the end are
left alone. What was done to which schedule is appended to $FAULT_LOG. Faults that begin with `late` show on large
grids only: not while an individual is checked, but when it is timed.
"""
import fcntl
import hashlib
import os
import re
import sys

# What is done in each step of `wave`, whose state is `f` and `g`.
FAULTS = {
    "none": "",
    "slow": "for (volatile int i = 0; i < 200000; i = i + 1) {}",
    "crash": "__builtin_trap();",
    "hang": "for (;;) pause();",
    "wrong": "if (g_[0] > 0) g_[0] *= 1 + 1e-15;",  # not by much, not everywhere
    "garbage": r'puts("(*)&^%"); fflush(stdout); _exit(0);',
    "late_wrong": "if (g_[0] > 0) g_[0] *= 1 + 1e-15;",
    "late_nan": 'g_[0] = __builtin_nan("");',
    "late_rest": "return;",
    "late_abort": "abort();",
    "late_silence": "close(1); close(2); for (;;) pause();",
    # Each of the two has less than it may, both together have more.
    "late_greed": "memset(malloc(640u << 20), 1, 640u << 20); fork(); sleep(60);",
}
INCLUDES = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
REFUSAL = "#error not today\n"
KERNEL = "void wave::proceed() {"


def spoiled(text, fault):
    if fault == "refusal":
        return REFUSAL + text
    work = FAULTS[fault]
    if fault.startswith("late"):
        work = "if (grid_.size[0] > 100) { " + work + " }"
    return INCLUDES + text.replace(KERNEL, KERNEL + " " + work)


def fault_of(text):
    key = hashlib.sha256(re.sub(r"//.*", "", text).encode()).hexdigest()
    with open(os.environ["FAULT_LOG"], "a+") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        log.seek(0)
        known = [line.split() for line in log]
        for other, fault, _ in known:
            if other == key:
                return fault
        faults = os.environ["FAULTS"].split()
        fault = faults[len(known)] if len(known) < len(faults) else "none"
        print(key, fault, re.search(r"schedule ([0-9a-f]+)", text).group(1), file=log)
        return fault


for word in sys.argv[1:]:
    if word.endswith("wave.cpp"):
        with open(word) as file:
            source = file.read()
        if not source.startswith((REFUSAL, INCLUDES)):  # else it has failed with a precompiled header, and comes again
            with open(word, "w") as file:
                file.write(spoiled(source, fault_of(source)))
words = ["-O1" if word == "-O3" else word for word in sys.argv[1:]]  # which takes less time
os.execv(os.environ["REAL_COMPILER"], [os.environ["REAL_COMPILER"], *words])
