"""Whether spaces of Kernel Tuner are imported as they are: each file against what Python reads of it, and damaged.

    python3 bench/imported_spaces.py build/bin/paraiso FOLDER/convolution_A100.json.gz FOLDER/convolution_A100_T4.json.gz ...

Of each cache or T4 file: the recording has all its configurations, its best time and its failures, and is printed again as it
was read. Cut, nested without end, or with a value that no parameter has, the file is refused in one sentence. Fails if one of
it is not so.
"""
import copy
import gzip
import json
import math
import os
import subprocess
import sys
import tempfile

ERROR_TIME = 1e20  # what old files note for a failure
TOLERANCE = 1e-12  # a recording has speeds: twice divided by


def is_time(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < ERROR_TIME


def times_of(space):
    """In milliseconds, one a configuration; None for a failure."""
    if "cache" in space:
        return [row["time"] if is_time(row["time"]) else None for row in space["cache"].values()]
    times = []
    for row in space["results"]:
        found = [one["value"] for one in row["measurements"] if one["name"] == "time"]
        times.append(found[0] if row["invalidity"] == "correct" and found and is_time(found[0]) else None)
    return times


def damaged(space, text):
    """Files that are none, by what is wrong with them."""
    strange = copy.copy(space)
    if "cache" in space:
        last = list(space["cache"])[-1]
        strange["cache"] = {**space["cache"], last: {**space["cache"][last], space["tune_params_keys"][0]: "?"}}
    else:
        last = space["results"][-1]
        strange["results"] = space["results"][:-1] + [{**last, "configuration": {"?": 1}}]
    compressed = gzip.compress(text, 1)
    return {"cut": text[:len(text) // 2], "cut when compressed": compressed[:len(compressed) // 2],
            "one byte short": compressed[:-9], "nested": b'{"cache": ' + b"[" * 1000000,
            "strange": json.dumps(strange).encode(), "no file of its kind": b"[1]", "empty": b""}


class Importer:
    def __init__(self, paraiso, folder):
        self.paraiso, self.folder = paraiso, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *arguments):
        return subprocess.run([self.paraiso, "replay", *arguments], cwd=self.folder, capture_output=True, text=True)

    def imported(self, path):
        self.run(path, "--import", "--complete", "--output", "space.recording")
        with open(self.path("space.recording")) as file:
            return file.read()

    def differences(self, path, space):
        """What is not as in the file, in words."""
        text = self.imported(path)
        speeds = [json.loads(line)[1] for line in text.splitlines()[1:]]
        times, seen = times_of(space), [1e3 / speed if speed else None for speed in speeds]
        for place, (time, found) in enumerate(zip(times, seen)):
            if (time is None) != (found is None) or (time and not math.isclose(time, found, rel_tol=TOLERANCE)):
                yield f"configuration {place + 1} has {found}, not {time}"
                break
        if len(seen) != len(times):
            yield f"{len(seen)} configurations, not {len(times)}"
        self.run("space.recording", "--output", "again.recording")
        with open(self.path("again.recording")) as file:
            if file.read() != text:
                yield "printed again, it is another file"

    def accepted(self, space, text):
        """What should have been refused in one sentence."""
        for what, data in damaged(space, text).items():
            with open(self.path("damaged.json"), "wb") as file:
                file.write(data)
            result = self.run("damaged.json", "--import", "--complete", "--output", "damaged.recording")
            sentence = result.stderr.startswith("error: `damaged.json` is no file of Kernel Tuner: ") \
                and result.stderr.count("\n") == 1
            if result.returncode != 1 or not sentence or os.path.exists(self.path("damaged.recording")):
                yield f"{what}: exit {result.returncode}, `{result.stderr.strip()[:200]}`"


def main(paraiso, paths):
    wrong = 0
    for path in paths:
        with gzip.open(path) as file:
            text = file.read()
        space = json.loads(text)
        times = times_of(space)
        with tempfile.TemporaryDirectory() as folder:
            importer = Importer(os.path.abspath(paraiso), folder)
            complaints = [*importer.differences(os.path.abspath(path), space), *importer.accepted(space, text)]
        print(f"{os.path.basename(path)}: {len(times)} configurations, {times.count(None)} failed, best "
              f"{min(time for time in times if time):.6g} ms: {'; '.join(complaints) or 'as in the file'}", flush=True)
        wrong += bool(complaints)
    print(f"{len(paths) - wrong} of {len(paths)} files as they are")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
