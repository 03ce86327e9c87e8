"""What a prediction costs where the database is large: processor seconds of `paraiso predict`.

    python3 bench/predict_rows.py build/bin/paraiso bench/results/training-2026-11-26.sqlite.gz [ROWS]

The individuals of each problem are copied, each time as slow as it was and as another genome, until there are ROWS of them
(100,000 if none is given). Prints the median of several calls, with few rows and with many: features, query and answer, the
start of the program included.
"""
import gzip
import os
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile

CALLS = 9
PREDICT = ["predict", "heat", "--size", "128x64x64", "--precision", "f32", "--database"]


def multiply(path, rows):
    """The same measurements under other hashes of genomes, which nobody compares with the letters."""
    database = sqlite3.connect(path)
    columns = [column for _, column, *_ in database.execute("pragma table_info(individual)")]
    own = {"id": "null", "genome_hash": "genome_hash + :copy"}
    count, = database.execute("select count(*) from individual").fetchone()
    last, = database.execute("select max(id) from individual").fetchone()
    copy = f"insert into individual ({', '.join(columns)}) select {', '.join(own.get(c, c) for c in columns)} " \
           f"from individual where id <= {last} limit :most"
    made = count
    for number in range(1, rows // count + 2):
        made += database.execute(copy, {"copy": number, "most": max(0, min(count, rows - made))}).rowcount
    database.commit()
    database.close()
    return made


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
        few = processor_seconds(paraiso, path)
        made = multiply(path, int(rows))
        print(f"processor seconds: {processor_seconds(paraiso, path):.3f} with {made} individuals, {few:.3f} with few")


if __name__ == "__main__":
    main(*sys.argv[1:])
