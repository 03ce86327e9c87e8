#!/usr/bin/env python3
"""Instructions of a step before there were ranks and now: `bench/before_ranks.py [COMMIT]`, with git, g++ and valgrind.

The golden programs, of one to three dimensions, with sides of every kind, integers and a sum, as they were generated before
solvers knew parts of grids and as they are generated now, one schedule each. Times on a machine that others use differ by
more than what is asked: 1 %.
"""
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
BEFORE = sys.argv[1] if len(sys.argv) > 1 else "8a8d8c9~1"
FLAGS = ("-std=c++17", "-O3", "-march=x86-64-v3", "-ffp-contract=off", "-w", "-I.")
SIZES = {"wave_1d": (65536,), "diffusion_2d": (512, 512), "life_2d": (512, 512), "relaxation_2d": (512, 512),
         "channel_3d": (64, 64, 64)}
FEW, MANY = 2, 8  # steps
MAIN = """#include <cstdlib>
#include "{name}.hpp"
int main(int, char** words) {{
  paraiso_solver::{name} solver({{{size}}}, 1);
  {begin}
  for (int step = 0; step < std::atoi(words[1]); ++step) solver.proceed();
}}
"""


def call(*words, **options):
    result = subprocess.run([*map(str, words)], capture_output=True, **options)
    if result.returncode != 0:
        sys.exit(f"{words[0]}: {result.stderr.decode()}")
    return result.stdout


def unpack(commit, folder):
    """Of support, all headers that the emitted ones join."""
    paths = ["paraiso/support", "cmake/embed.cmake", *(f"tests/golden/{program}" for program in SIZES)]
    call("tar", "-x", "-C", folder, input=call("git", "-C", SOURCE, "archive", commit, *paths))
    with open(f"{folder}/cmake/embed.cmake") as file:
        headers = re.search(r"set\(PARAISO_SUPPORT_HEADERS([^)]*)\)", file.read())[1].split()
    with open(f"{folder}/paraiso_support.hpp", "w") as file:
        file.write("".join(f'#include "{header}"\n' for header in headers))


def build(folder, program):
    golden = f"{folder}/tests/golden/{program}"
    with open(f"{golden}/program.om") as file:
        text = file.read()
    name = re.search(r"^machine (\w+)", text, re.MULTILINE)[1]
    begin = re.search(r"^kernel (\w+) initial", text, re.MULTILINE)
    os.rename(f"{golden}/plain.hpp", f"{golden}/{name}.hpp")
    with open(f"{golden}/main.cpp", "w") as file:
        file.write(MAIN.format(name=name, size=", ".join(map(str, SIZES[program])),
                               begin=f"solver.{begin[1]}();" if begin else ""))
    call("g++", *FLAGS, f"-I{golden}", f"{golden}/main.cpp", f"{golden}/plain.cpp", "-o", f"{golden}/example", cwd=folder)
    return f"{golden}/example"


def instructions(example, steps):
    counted = f"{example}.counted"
    call("valgrind", "--tool=callgrind", f"--callgrind-out-file={counted}", example, steps)
    with open(counted) as file:
        return int(re.search(r"^summary: (\d+)", file.read(), re.MULTILINE)[1])


def main():
    found = {}
    for commit in (BEFORE, "HEAD"):
        with tempfile.TemporaryDirectory() as folder:
            unpack(commit, folder)
            for program in SIZES:
                example = build(folder, program)
                few, many = (instructions(example, steps) for steps in (FEW, MANY))
                found[program, commit] = (many - few) / (MANY - FEW)
    for program in SIZES:
        before, now = found[program, BEFORE], found[program, "HEAD"]
        print(f"{program}: {before:.0f} instructions a step at {BEFORE}, {now:.0f} now: {now / before:.4f}")


if __name__ == "__main__":
    main()
