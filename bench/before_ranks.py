#!/usr/bin/env python3
"""Instructions of a step before there were ranks and now: `bench/before_ranks.py [COMMIT]`, with git, g++ and valgrind.

The same golden program of three dimensions, with sides of every kind and a sum, as it was generated before solvers knew
parts of grids and as it is generated now. Times on a machine that others use differ by more than what is asked: 1 %.
"""
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
BEFORE = sys.argv[1] if len(sys.argv) > 1 else "8a8d8c9~1"
PROJECT = "tests/golden/channel_3d/project"
FLAGS = ("-std=c++17", "-O3", "-march=x86-64-v3", "-ffp-contract=off", "-w", "-I.", f"-I{PROJECT}")
FEW, MANY = 4, 24  # steps


def call(*words, **options):
    result = subprocess.run([*map(str, words)], capture_output=True, **options)
    if result.returncode != 0:
        sys.exit(f"{words[0]}: {result.stderr.decode()}")
    return result.stdout


def unpack(commit, folder):
    paths = ["paraiso/support", "cmake/embed.cmake", PROJECT]
    archive = call("git", "-C", SOURCE, "archive", commit, *paths)
    call("tar", "-x", "-C", folder, input=archive)


def build(folder):
    """Of support, all headers that the emitted ones join."""
    with open(f"{folder}/cmake/embed.cmake") as file:
        headers = re.search(r"set\(PARAISO_SUPPORT_HEADERS([^)]*)\)", file.read())[1].split()
    with open(f"{folder}/paraiso_support.hpp", "w") as file:
        file.write("".join(f'#include "{header}"\n' for header in headers))
    call("g++", *FLAGS, f"{PROJECT}/main.cpp", f"{PROJECT}/channel.cpp", "-o", "example", cwd=folder)


def instructions(folder, steps):
    call("valgrind", "--tool=callgrind", "--callgrind-out-file=counted", "./example", steps, cwd=folder)
    with open(f"{folder}/counted") as file:
        return int(re.search(r"^summary: (\d+)", file.read(), re.MULTILINE)[1])


def main():
    found = {}
    for commit in (BEFORE, "HEAD"):
        with tempfile.TemporaryDirectory() as folder:
            unpack(commit, folder)
            build(folder)
            few, many = (instructions(folder, steps) for steps in (FEW, MANY))
            found[commit] = (many - few) / (MANY - FEW)
            print(f"{commit}: {found[commit]:.0f} instructions a step", flush=True)
    print(f"now {found['HEAD'] / found[BEFORE]:.4f} of before")


if __name__ == "__main__":
    main()
