"""Fits the constants of the cost model that no machine can measure, and judges them where they were not fitted.

What was measured comes from files that `predicted.py` has written. For each row one `paraiso bench
--predict-only` waits for machines on its standard input and answers what it expects there, so that a fit of
some hundred trials takes seconds. A fit is a coordinate search: each constant in turn is tried some factors
up and down, and what lowers the error stays.
"""

import json
import math
import subprocess

FACTORS = (0.5, 0.7, 0.85, 1.2, 1.4, 2.0)
ROUNDS = 3
CAP = math.log(2.5)  # a row further out says that something else is wrong, and counts no more
# Where the fit begins is what is built in. At these values a constant does nothing.
NEUTRAL = {
    "window": 1e9, "arithmetic_latency": 1, "load_latency": 3, "exposed": 0, "transfers_exposed": 0, "row_cycles": 0,
    "row_pointer_cycles": 0, "row_end_cycles": 0, "own_end_cycles": 0,
    "turns_from_memory": 1, "cache_edge": 1, "cache_softness": 0.01,
    "bytes_ahead": 0, "misses_a_page": 0,
}
FITTED = ["transfers_exposed", "exposed", "window", "cache_edge",
          "cache_softness", "row_cycles"]
GAIN = 0.98  # what lowers the error by less fits noise


class Row:
    """One measured size of one program, and a process that predicts it."""

    def __init__(self, paraiso, row):
        sample = row["sample"]
        self.app, self.size = sample["app"], "x".join(map(str, sample["size"]))
        self.fuse, self.dim = sample["fuse"], sample["dim"]
        self.measured = row["measured"]
        call = [paraiso, "bench", self.app, "--size", self.size, "--precision", sample["precision"],
                "--threads", str(sample["threads"]), "--compiler", sample["compiler"],
                "--fuse", str(self.fuse),
                "--schedule", f"genome:{sample['gene_table_hash']}:{sample['genome']}",
                "--predict-only"]
        if self.app not in ("himeno", "life"):
            call += ["--dim", str(self.dim)]
        if sample["problem"]:
            call += ["--problem", sample["problem"]]
        self.process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)

    def ask(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def answer(self):
        return json.loads(self.process.stdout.readline())["nanoseconds"]


class Model:
    """Predictions of all rows for given constants on one machine; each set is asked for once."""

    def __init__(self, rows, machine):
        self.rows, self.machine, self.known = rows, machine, {}

    def ratios(self, constants):
        """Measured over predicted, one a row."""
        key = tuple(sorted(constants.items()))
        if key not in self.known:
            line = json.dumps({**self.machine, "constants": constants}) + "\n"
            for row in self.rows:
                row.ask(line)
            self.known[key] = [row.measured / row.answer() for row in self.rows]
        return self.known[key]

    def error(self, constants, counts):
        """The mean over apps of the mean square of a row's logarithm; `counts` says which apps do."""
        sums = {}
        for row, ratio in zip(self.rows, self.ratios(constants)):
            if counts(row.app):
                sums.setdefault(row.app, []).append(min(abs(math.log(ratio)), CAP) ** 2)
        return sum(sum(one) / len(one) for one in sums.values()) / len(sums)


def fit(model, start, counts, names=None):
    """The constants with the least error of the apps that count."""
    best, least = dict(start), model.error(start, counts)
    for _ in range(ROUNDS):
        before = least
        for name in names or FITTED:
            for factor in FACTORS:
                trial = {**best, name: best[name] * factor}
                error = model.error(trial, counts)
                if error < GAIN * least:
                    best, least = trial, error
        if least > 0.99 * before:
            break
    return best


def within(ratios, low, high):
    return sum(low <= ratio <= high for ratio in ratios)


def worth_of(model, start, everyone):
    """How much the error grows where a constant does nothing, all others fitted anew around it."""
    whole = model.error(fit(model, start, everyone), everyone)
    worth = {}
    for name, neutral in NEUTRAL.items():
        others = [one for one in FITTED if one != name]
        error = model.error(fit(model, {**start, name: neutral}, everyone, others), everyone)
        worth[name] = math.sqrt(error / whole) - 1
    return worth
