#!/usr/bin/env python3
"""How soon does `tune --predict` find a fast schedule for a program of a kind that its database has not seen?

    python3 bench/predict_live.py FOLDER --known bench/results/training-2026-11-29-larger.sqlite.gz \\
        --program "heat --dim 2 --size 512x512" --program "wave --dim 3 --size 64x64x64" --threads 1

Of each program three ways are compared, each with as many tries: `tune --predict` on a copy of the database from which all
problems of the program's solver are taken out (those of `--leave-out NAME` too), `tune` with its default strategy on an empty
database, and the default schedule, which is the first try of both. `--predict` does not stop at what is good enough here, so
that its backup search is seen as well; the column `stops at` is where it would have. Each seed is a search of each way.

Single measurements tell which schedule a search would take after so many tries. All these are timed again in the end, by turns,
while nothing else may run, and only those times count: a fraction is of the fastest that a program's searches came to.

Each search has a database of its own in FOLDER, and what is there is not measured again: it can be stopped at any moment. The
table is printed and, with all that it is made of, written to FOLDER/table.md and table.json. Words it does not know go to
`tune` and `bench`.
"""
import argparse
import gzip
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import sqlite3
import statistics
import subprocess
import sys

PROGRAMS = ["heat --dim 2 --size 1024x1024", "wave --dim 3 --size 128x128x128", "acoustic --dim 2 --size 1024x1024",
            "himeno --size 126x62x62", "hydro --dim 2 --size 512x512", "life --size 2048x2048"]
AFTER = (1, 5, 10, 30, 100)
ENOUGH = 0.95  # of the gain that is expected, as in tune/fast/trying_list.hpp
WAYS = ("predict", "search")


def without(database, families):
    """Takes all problems of these solvers out of a database of tuning results."""
    marks = ", ".join("?" * len(families))
    gone = f"(select id from problem where machine in ({marks}))"
    tables = [name for name, in database.execute("select name from sqlite_master where type = 'table'")]
    for table in tables:
        if any(column == "problem" for _, column, *_ in database.execute(f"pragma table_info({table})")):
            database.execute(f"delete from {table} where problem in {gone}", families)
    database.execute(f"delete from problem where machine in ({marks})", families)
    left = "(select id from individual)"
    database.execute(f"delete from parent where child not in {left}")
    database.execute(f"delete from remeasurement where individual not in {left}")
    database.commit()


def copied(known, path, families):
    """The database that is learnt from, without some solvers."""
    opened = gzip.open(known) if known.suffix == ".gz" else open(known, "rb")
    with opened as source, open(path, "wb") as copy:
        shutil.copyfileobj(source, copy)
    database = sqlite3.connect(path)
    without(database, families)
    database.close()


def rows(path, question):
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as opened:
        return opened.execute(question).fetchall()


def solver_of(path):
    """Of the problem that was tuned there last."""
    return rows(path, "select machine from problem order by id desc limit 1")[0][0]


def tries_of(path, count):
    """Of the problem that was tuned there last: genomes and speeds, one after the other; 0 is a failure."""
    return rows(path, "select genome, score from individual where problem = (select max(id) from problem) "
                      f"order by finished, id limit {count}")


def call(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(words)}: {done.stderr.strip()}")
    return done


def search(options, program, folder, way, seed):
    """The database of one search, and what it said of its prediction."""
    path = folder / f"{way}-{seed}.sqlite"
    said = path.with_suffix(".said")
    if not said.exists():
        path.unlink(missing_ok=True)
        if way == "predict":
            copied(options.known, path, [solver_of(folder / f"search-{seed}.sqlite"), *options.leave_out])
        end = ["--predict", "--good-enough", "1000"] if way == "predict" else []
        done = call([options.paraiso, "tune", *shlex.split(program), *options.more, *end, "--seed", str(seed),
                     "--total", str(options.tries), "--repeat", str(options.repeat), "--rounds", "6", "--database", str(path)])
        said.write_text(next((line for line in done.stderr.splitlines() if "predicted: " in line), ""))
    return path, said.read_text()


def records(tries):
    """The schedules that a search would have taken, each with the number of the try that it was: the best so far."""
    best, found = 0, []
    for number, (genome, speed) in enumerate(tries, 1):
        if speed > best:
            best = speed
            found.append((number, genome))
    return found


def stops_at(tries, default, said):
    """The try that is good enough; None without a prediction, or if none is."""
    expected = re.search(r"([\d.]+) times the default is expected", said)
    start = next((speed for genome, speed in tries if genome == default), 0)
    if not expected or start <= 0:
        return None
    enough = ENOUGH * float(expected[1]) * start
    return next((number for number, (_, speed) in enumerate(tries, 1) if speed >= enough), None)


def timed_by_turns(options, program, folder, genomes):
    """Cell updates per second of each, the median of some rounds; what is known in `times.json` is not timed again."""
    known = folder / "times.json"
    samples = json.loads(known.read_text()) if known.exists() else {}
    for number in range(options.turns):
        for genome in genomes if number % 2 else genomes[::-1]:
            if len(samples.setdefault(genome, [])) > number:
                continue
            done = call([options.paraiso, "bench", *shlex.split(program), *options.more, "--schedule", "genome:" + genome,
                         "--repeat", str(options.repeat), "--json"])
            samples[genome].append(json.loads(done.stdout)["cell_updates_per_second"])
            known.write_text(json.dumps(samples))
    return {genome: statistics.median(samples[genome][:options.turns]) for genome in genomes}


def curve(found, speed, best, count):
    """The fraction of the best after each number of tries."""
    fractions, at = [], dict(found)
    genome = None
    for number in range(1, count + 1):
        genome = at.get(number, genome)
        fractions.append(speed[genome] / best if genome else 0)
    return fractions


def measured(options, program):
    """All that is known of a program."""
    folder = options.folder / re.sub(r"\W+", "-", program)
    folder.mkdir(parents=True, exist_ok=True)
    searches = []
    for seed, way in itertools.product(range(1, options.seeds + 1), reversed(WAYS)):
        path, said = search(options, program, folder, way, seed)
        default = rows(path, "select start from contest where problem = (select max(id) from problem)")[0][0]
        tries = tries_of(path, options.tries)
        searches.append({"way": way, "seed": seed, "said": said, "tries": len(tries), "records": records(tries),
                         "stops_at": stops_at(tries, default, said) if way == "predict" else None})
        print(f"{program}: {way}, seed {seed}: {len(tries)} tries", file=sys.stderr, flush=True)
    genomes = list(dict.fromkeys([default, *(genome for one in searches for _, genome in one["records"])]))
    speed = timed_by_turns(options, program, folder, genomes)
    best = max(speed.values())
    for one in searches:
        one["fractions"] = curve(one["records"], speed, best, options.tries)
    return {"program": program, "best": best, "default": speed[default] / best, "searches": searches}


def first_at(fractions, least):
    """The number of the first try from which on it is reached; None if it never is."""
    return next((number for number, fraction in enumerate(fractions, 1) if fraction >= least), None)


def middle(numbers):
    """The median; what never happens is more than all numbers, and a dash as the median."""
    found = statistics.median_high(float("inf") if number is None else number for number in numbers)
    return "-" if found == float("inf") else f"{found:g}"


def line(name, way, searches, after):
    fractions = [f"{statistics.median(one['fractions'][count - 1] for one in searches):.3f}" for count in after]
    reached = middle(first_at(one["fractions"], 0.95) for one in searches)
    own_best = middle(one["records"][-1][0] if one["records"] else None for one in searches)
    stops = middle(one["stops_at"] for one in searches) if way == "predict" else ""
    return f"| {name} | {way} | {' | '.join(fractions)} | {reached} | {own_best} | {stops} |"


def table(found, options):
    after = [count for count in AFTER if count <= options.tries]
    yield f"| program | way | {' | '.join(map(str, after))} | tries to 0.95 | tries to its best | stops at |"
    yield "| --- | --- |" + " ---: |" * (len(after) + 3)
    for one in found:
        steady = [f"{one['default']:.3f}"] * len(after)
        yield f"| {one['program']} | default | {' | '.join(steady)} | {1 if one['default'] >= 0.95 else '-'} | | |"
        for way in WAYS:
            yield line("", way, [each for each in one["searches"] if each["way"] == way], after)
    steady = [f"{statistics.median(one['default'] for one in found):.3f}"] * len(after)
    yield f"| all, median | default | {' | '.join(steady)} | | | |"
    for way in WAYS:
        yield line("", way, [each for one in found for each in one["searches"] if each["way"] == way], after)
    yield (f"\n{options.seeds} seeds, {options.tries} tries each, {options.turns} rounds by turns; "
           f"learnt from {options.known.name}.")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--known", type=pathlib.Path, required=True, help="a database of tuning results, .gz or not")
    parser.add_argument("--program", action="append", default=[],
                        help="and its size; may be repeated; default: " + "; ".join(PROGRAMS))
    parser.add_argument("--leave-out", action="append", default=[], metavar="SOLVER", help="may be repeated: training, ...")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--tries", type=int, default=30)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--paraiso", default=os.environ.get("PARAISO", "build/bin/paraiso"))
    options, options.more = parser.parse_known_args()
    options.program = options.program or PROGRAMS
    return options


def main():
    options = parsed()
    options.folder.mkdir(parents=True, exist_ok=True)
    found = []
    for program in options.program:
        found.append(measured(options, program))
        text = "\n".join(table(found, options))
        (options.folder / "table.md").write_text(text + "\n")
        (options.folder / "table.json").write_text(json.dumps({"known": str(options.known), "tries": options.tries,
                                                               "seeds": options.seeds, "programs": found}, indent=1))
    print(text)


if __name__ == "__main__":
    main()
