"""What a prediction costs where the database is large: processor seconds of `paraiso predict`.

    python3 bench/predict_rows.py build/bin/paraiso bench/results/training-2026-11-26.sqlite.gz [ROWS]

A row is a tuned problem with features of its own, to which a prediction compares the program: the problems of the recording are
copied, each number of their features times a random factor (2 to the power of a normal deviation of 0.5), until there are ROWS of
them (100,000 if none is given: 1.7 GB, and some minutes). `paraiso tune` then finds out their places, as it does once in a database
of before there were any. Prints the median of several calls, with few rows and with many: features, query and answer, the start
of the program included.
"""
import gzip
import json
import os
import random
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

CALLS = 9
PREDICT = ["predict", "heat", "--size", "128x64x64", "--precision", "f32", "--database"]
TUNE = ["tune", "wave", "--dim", "1", "--size", "1000", "--threads", "1", "--recipes", "1", "--repeat", "1", "--rounds", "6", "--database"]


def perturbed(features, chance):
    features = json.loads(features)
    numbers = {name: float(f"{value * 2 ** chance.gauss(0, 0.5):.6g}") for name, value in features["numbers"].items()}
    return json.dumps({**features, "numbers": numbers}, separators=(",", ":"))


def copy_of(database, table, problem, copy, changed):
    """A row of the problem once more, as that of `copy`."""
    columns = [column for _, column, *_ in database.execute(f"pragma table_info({table})")]
    values = {"id" if table == "problem" else "problem": copy, **changed}
    chosen = ", ".join(f":{column}" if column in values else column for column in columns)
    of = "id" if table == "problem" else "problem"
    database.execute(f"insert into {table} ({', '.join(columns)}) select {chosen} from {table} where {of} = {problem}", values)


def multiply(path, rows):
    database = sqlite3.connect(path)
    chance = random.Random(1)
    known = database.execute("select problem, features, key from description join contest using (problem) "
                             "join problem on problem.id = problem order by problem").fetchall()
    last, = database.execute("select max(id) from problem").fetchone()
    for number in range(rows - len(known)):
        problem, features, key = known[number % len(known)]
        copy = last + 1 + number
        copy_of(database, "problem", problem, copy, {"key": f"{key} {number}"})
        copy_of(database, "description", problem, copy, {"features": perturbed(features, chance)})
        copy_of(database, "contest", problem, copy, {})
    database.commit()
    database.close()


def described(path):
    return sqlite3.connect(path).execute("select count(*) from place join contest using (problem)").fetchone()[0]


def processor_seconds(paraiso, path):
    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([paraiso, *PREDICT, path], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return statistics.median(once() for _ in range(CALLS))


def main(paraiso, kept, rows=100_000):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tuning.sqlite")
        with gzip.open(kept) as source, open(path, "wb") as copy:
            shutil.copyfileobj(source, copy)
        place = lambda: subprocess.run([paraiso, *TUNE, path], check=True, capture_output=True)
        place()
        few, few_rows = processor_seconds(paraiso, path), described(path)
        multiply(path, int(rows))
        place()
        print(f"processor seconds: {processor_seconds(paraiso, path):.3f} with {described(path)} described problems, "
              f"{few:.3f} with {few_rows}")


if __name__ == "__main__":
    main(*sys.argv[1:])
