#!/usr/bin/env python3
"""Is any app slower than in another build of Paraiso? `bench/two_versions.py EARLIER [NOW] [--rounds N] [--only ROW ...]`

Both `paraiso` executables run each app by turns with their own default schedule, a cache of their own and the machine as they
measure it. Prints median speeds in million cell updates per second, and the median of the ratios of the rounds.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

ROWS = {
    "hydro2": "hydro --dim 2 --size 1024x1024",
    "hydro2-small": "hydro --dim 2 --size 512x512",
    "hydro2-f32": "hydro --dim 2 --size 1024x1024 --precision f32",
    "hydro3": "hydro --dim 3 --size 128x128x128",
    "heat3": "heat --dim 3 --size 512x512x512",
    "heat3-f32": "heat --dim 3 --size 256x256x256 --precision f32",
    "wave3": "wave --dim 3 --size 256x256x256",
    "acoustic": "acoustic --size 512x512x512",
    "himeno": "himeno --size 510x254x254",
    "life": "life --size 4096x4096",
}


def speed(paraiso, cache, row, threads):
    words = [paraiso, "bench", *ROWS[row].split(), "--schedule", "default", "--threads", str(threads), "--json"]
    result = subprocess.run(words, capture_output=True, text=True, env=dict(os.environ, PARAISO_CACHE=cache))
    if result.returncode != 0:
        sys.exit(f"{' '.join(words)}: {result.stderr}")
    return json.loads(result.stdout)["cell_updates_per_second"] / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("earlier")
    parser.add_argument("now", nargs="?", default="build/bin/paraiso")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", nargs="+", default=list(ROWS), choices=list(ROWS), metavar="ROW")
    call = parser.parse_args()
    print("| row | threads | earlier | now | now / earlier |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as earlier, tempfile.TemporaryDirectory() as now:
        both = [(os.path.abspath(call.earlier), earlier), (os.path.abspath(call.now), now)]
        for threads in call.threads:
            for row in call.only:
                speeds = ([], [])
                for one in range(call.rounds + 1):  # the first one compiles
                    for which in (0, 1) if one % 2 else (1, 0):
                        speeds[which].append(speed(*both[which], row, threads))
                before, after = (samples[1:] for samples in speeds)
                ratio = statistics.median(b / a for a, b in zip(before, after))
                print(f"| {row} | {threads} | {statistics.median(before):.4g} | {statistics.median(after):.4g} | {ratio:.2f} |",
                      flush=True)


if __name__ == "__main__":
    main()
