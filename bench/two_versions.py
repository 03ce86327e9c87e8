#!/usr/bin/env python3
"""Is any app slower than in another build of Paraiso? `bench/two_versions.py EARLIER [NOW] [--rounds N] [--only ROW ...]`

Both `paraiso` executables run each app by turns with their own default schedule, a cache of their own and the machine as they
measure it. Prints median speeds in million cell updates per second, and the median of the ratios of the rounds. `--target
native x86-64-v3` measures each row for both; a build that knows no targets can only be asked for `native`. A row that one of
the two builds can't run says why on standard error, and the rest goes on.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

ROWS = {
    "hello": "hello --dim 1 --size 16777216",
    "hydro1": "hydro --dim 1 --size 1048576",
    "hydro2": "hydro --dim 2 --size 1024x1024",
    "hydro2-small": "hydro --dim 2 --size 512x512",
    "hydro2-f32": "hydro --dim 2 --size 1024x1024 --precision f32",
    "hydro3": "hydro --dim 3 --size 128x128x128",
    "heat2": "heat --dim 2 --size 4096x4096",
    "heat3": "heat --dim 3 --size 512x512x512",
    "heat3-f32": "heat --dim 3 --size 256x256x256 --precision f32",
    "wave2": "wave --dim 2 --size 4096x4096",
    "wave3": "wave --dim 3 --size 256x256x256",
    "acoustic2": "acoustic --dim 2 --size 4096x4096",
    "acoustic": "acoustic --size 512x512x512",
    "himeno": "himeno --size 510x254x254",
    "life": "life --size 4096x4096",
}


class Failed(Exception):
    """A call that came to nothing, with what it said."""


def speed(paraiso, cache, row, threads, target):
    words = [paraiso, "bench", *ROWS[row].split(), "--schedule", "default", "--threads", str(threads), "--json"]
    words += [] if target == "native" else ["--target", target]
    result = subprocess.run(words, capture_output=True, text=True, env=dict(os.environ, PARAISO_CACHE=cache))
    if result.returncode != 0:
        raise Failed(f"{' '.join(words)}: {(result.stderr.strip().splitlines() or ['no message'])[0]}")
    return json.loads(result.stdout)["cell_updates_per_second"] / 1e6


def measured(both, rounds, *what):
    """The row's last cells: speeds of the two builds, and the ratio."""
    speeds = ([], [])
    for one in range(rounds + 1):  # the first one compiles
        for which in (0, 1) if one % 2 else (1, 0):
            speeds[which].append(speed(*both[which], *what))
    before, after = (samples[1:] for samples in speeds)
    ratio = statistics.median(b / a for a, b in zip(before, after))
    return f"{statistics.median(before):.4g} | {statistics.median(after):.4g} | {ratio:.2f}"


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("earlier")
    parser.add_argument("now", nargs="?", default="build/bin/paraiso")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--target", nargs="+", default=["native"])
    parser.add_argument("--only", nargs="+", default=list(ROWS), choices=list(ROWS), metavar="ROW")
    return parser.parse_args()


def main():
    call, failed = options(), False
    print("| row | target | threads | earlier | now | now / earlier |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as earlier, tempfile.TemporaryDirectory() as now:
        both = [(os.path.abspath(call.earlier), earlier), (os.path.abspath(call.now), now)]
        for target in call.target:
            for threads in call.threads:
                for row in call.only:
                    try:
                        cells = measured(both, call.rounds, row, threads, target)
                    except Failed as failure:
                        cells, failed = "- | - | -", True
                        print(failure, file=sys.stderr)
                    print(f"| {row} | {target} | {threads} | {cells} |", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
