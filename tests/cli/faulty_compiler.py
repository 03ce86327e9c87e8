#!/usr/bin/env python3
"""A compiler that spoils what it compiles: for testing that a tuning survives it and `verify` tells it.

Stands as `g++` on PATH, in front of the real one ($REAL_COMPILER). Of the programs that come, told apart
by their text without comments, number n suffers the nth of the words in $FAULTS; those behind the end are
left alone. What was done to whom is appended to $FAULT_LOG.
"""
import fcntl
import hashlib
import os
import re
import sys

FAULTS = os.environ["FAULTS"].split()

KERNEL = re.compile(r"(void wave::proceed\(\) \{)")


def spoiled(text, fault):
    if fault == "crash":
        return KERNEL.sub(r"\1 __builtin_trap();", text)
    if fault == "hang":
        return KERNEL.sub(r"\1 for (volatile int on = 1; on;) {}", text)
    if fault == "slow":
        return KERNEL.sub(r"\1 for (volatile int i = 0; i < 200000; i = i + 1) {}", text)
    if fault == "wrong":  # not by much, not everywhere
        return KERNEL.sub(r"\1 if (g_[0] > 0) g_[0] *= 1 + 1e-15;", text)
    if fault == "garbage":
        return "#include <unistd.h>\n#include <stdio.h>\n" + KERNEL.sub(
            r'\1 puts("(*)&^%"); fflush(stdout); _exit(0);', text)
    if fault == "refusal":
        return "#error not today\n" + text
    return text


def fault_of(text):
    key = hashlib.sha256(re.sub(r"//.*", "", text).encode()).hexdigest()
    with open(os.environ["FAULT_LOG"], "a+") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        log.seek(0)
        known = [line.split() for line in log]
        for other, fault in known:
            if other == key:
                return fault
        fault = FAULTS[len(known)] if len(known) < len(FAULTS) else "none"
        print(key, fault, file=log)
        return fault


for word in sys.argv[1:]:
    if word.endswith("wave.cpp"):
        with open(word) as file:
            source = file.read()
        with open(word, "w") as file:
            file.write(spoiled(source, fault_of(source)))
os.execv(os.environ["REAL_COMPILER"], [os.environ["REAL_COMPILER"], *sys.argv[1:]])
