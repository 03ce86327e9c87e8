#!/usr/bin/env python3
"""Two ranks of one thread as `simulate` foretells them and as they are: `bench/two_ranks.py [PARAISO]`, on two idle processors.

Milliseconds of a step, medians of turns. Beside the forecast two others that know how long a part takes on this machine and
add to that what the forecast says of messages: of a part alone, and of two programs that have a part each at the same time.
Their differences tell what is owed to the cost model, to what processors share, and to ranks that wait for each other.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

PARAISO = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "paraiso"
TURNS = 5
CASES = {  # the part of a rank, and steps of a call
    ("heat", "4096x4096"): ("4096x2048", 40),
    ("hydro", "1024x1024"): ("1024x512", 20),
    ("hydro", "96x96x96"): ("96x96x48", 40),
    ("acoustic", "256x256x256"): ("256x256x128", 40),
    ("wave", "2048x2048"): ("2048x1024", 80),
}


def start(*words, **environment):
    return subprocess.Popen([PARAISO, *map(str, words), "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            env={**os.environ, **environment})


def told(process):
    out, _ = process.communicate()
    if process.returncode != 0:
        sys.exit(f"{process.args} failed")
    return json.loads(out)


def step(process):
    found = told(process)
    return found["seconds"][0] / found["steps"]


def measure(folder, app, size, part, steps):
    def bench(cells, *more):
        """With locks of its own: two at a time take no turns."""
        return start("bench", app, "--dim", size.count("x") + 1, "--size", cells, "--schedule", "default", "--threads", 1,
                     "--steps", steps, "--repeat", 1, *more, PARAISO_LOCKS=tempfile.mkdtemp(dir=folder))

    point, = told(start("simulate", app, "--dim", size.count("x") + 1, "--size", size, "--ranks", 2,
                        "--machine", f"{folder}/here.dot"))["points"]
    foretold, messages = point["seconds_per_step"], point["seconds_per_step"] - point["seconds_computing"]
    step(bench(part)), step(bench(size, "--ranks", 2))  # compile
    ranks, alone, beside = [], [], []
    for _ in range(TURNS):
        ranks.append(step(bench(size, "--ranks", 2)))
        alone.append(step(bench(part)))
        two = [bench(part), bench(part)]
        beside.append(max(map(step, two)))
    measured = statistics.median(ranks)
    others = [statistics.median(one) + messages for one in (alone, beside)]
    print(f"{app} {size}: measured {1e3 * measured:.2f} ms; over it: forecast {foretold / measured:.2f}, by a part alone "
          f"{others[0] / measured:.2f}, by two at a time {others[1] / measured:.2f}", flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PARAISO, "calibrate", "--hardware", f"{folder}/here.dot"], check=True, capture_output=True)
        for (app, size), (part, steps) in CASES.items():
            measure(folder, app, size, part, steps)


if __name__ == "__main__":
    main()
