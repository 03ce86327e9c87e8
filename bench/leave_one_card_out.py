"""FAST's procedure on spaces that others recorded: what a kernel's best configurations are on a card, from other cards.

    python3 bench/leave_one_card_out.py FOLDER [--rows NAME,...] [--json]

FOLDER has cache files of Kernel Tuner, KERNEL_CARD.json.gz, of one kernel on several of the cards below: from the benchmark hub
(https://github.com/AutoTuningAssociation/benchmark_hub, MIT), cachefiles/convolution_milo/A100.json.gz as
convolution_A100.json.gz, and so on. Each card is held out in turn: nothing is known of it but its features. Prints the speed
over that of its best configuration after 1, 5, 10 and 30 tries: medians and worst over all spaces. Needs nothing but Python.
"""
import argparse
import gzip
import json
import math
import os
import statistics

MARKS = (1, 5, 10, 30)
K = 25          # of the best of each card, as in FAST
LISTED = 10     # tries from the list, before the backup search
SLOWEST = 0.05  # a configuration that fails counts as so slow
RIDGE = 0.1

# What vendors say: lanes for f32, MHz, GB/s, MB of the last cache on the chip that all share, KB shared within a block, width.
CARDS = {
    "A100": (6912, 1410, 1555, 40, 164, 32, "NVIDIA"), "A4000": (6144, 1560, 448, 4, 100, 32, "NVIDIA"),
    "A6000": (10752, 1800, 768, 6, 100, 32, "NVIDIA"), "MI250X": (7040, 1700, 1638, 8, 64, 64, "AMD"),
    "W6600": (1792, 2900, 224, 2, 64, 32, "AMD"), "W7800": (4480, 2500, 576, 6, 64, 32, "AMD"),
}


class Space:
    """A kernel on a card: the logarithm of each configuration's speed, None where it fails."""

    def __init__(self, kernel, card, features, keys, times):
        self.kernel, self.card, self.features, self.keys = kernel, card, features, keys
        best = min(times.values())
        self.logs = {c: math.log(best / time) if math.isfinite(time) else None for c, time in times.items()}

    def known(self, configuration):
        """As seen from another card."""
        log = self.logs.get(configuration)
        return max(log, math.log(SLOWEST)) if log is not None else math.log(SLOWEST)

    def optimal(self):
        return sorted(self.logs, key=lambda c: -self.known(c))[:K]


def read(path):
    kernel, card = os.path.basename(path).removesuffix(".json.gz").split("_")
    cache = json.load(gzip.open(path))
    keys = cache["tune_params_keys"]
    time_of = lambda row: row["time"] if isinstance(row["time"], (int, float)) else math.inf
    times = {tuple(row[key] for key in keys): time_of(row) for row in cache["cache"].values()}
    return Space(kernel, card, CARDS[card], keys, times)


def differences(one, other):
    """Of numbers in factors of two, of a word 1."""
    return [abs(math.log2(a / b)) for a, b in zip(one[:-1], other[:-1])] + [float(one[-1] != other[-1])]


def likeness(one, other):
    """As of our features: 1/2 at a factor of two in everything; a vendor is as much as a factor of four."""
    apart = differences(one.features, other.features)
    return 4 ** -math.sqrt(statistics.fmean(d * d for d in apart[:-1]) + 4 * apart[-1])


def overlap(one, other):
    return len(set(one.optimal()) & set(other.optimal())) / K


def solved(matrix, right):
    """By elimination; the matrix is positive definite."""
    rows = [row + [value] for row, value in zip(matrix, right)]
    for i, pivot in enumerate(rows):
        for row in rows[i + 1:]:
            part = row[i] / pivot[i]
            row[i:] = [a - part * b for a, b in zip(row[i:], pivot[i:])]
    found = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        found[i] = (rows[i][-1] - sum(rows[i][j] * found[j] for j in range(i + 1, len(rows)))) / rows[i][i]
    return found


def overlap_regression(known):
    """FAST's cubic of the differences of features, of their sizes in factors of two and with a ridge: pairs are few."""
    terms = lambda one, other: [d ** power for d in differences(one.features, other.features) for power in (1, 2, 3)] + [1.0]
    pairs = [(one, other) for i, one in enumerate(known) for other in known[:i]]
    rows, shared = [terms(*pair) for pair in pairs], [overlap(*pair) for pair in pairs]
    scale = [1 / max(1e-12, max(abs(row[t]) for row in rows)) for t in range(len(rows[0]))]
    rows = [[value * factor for value, factor in zip(row, scale)] for row in rows]
    size = range(len(scale))
    matrix = [[sum(row[i] * row[j] for row in rows) + (RIDGE if i == j else 0) for j in size] for i in size]
    weights = solved(matrix, [sum(row[i] * y for row, y in zip(rows, shared)) for i in size])
    return lambda one, other: sum(w * f * t for w, f, t in zip(weights, scale, terms(one, other)))


def by_weight(known, weights, configurations):
    """By the weighted mean of what is known of each configuration."""
    total = sum(weights)
    prior = {c: sum(w * space.known(c) for w, space in zip(weights, known)) / total for c in configurations}
    return sorted(configurations, key=lambda c: -prior[c]), prior


def mean(known, asked):
    return by_weight(known, [1.0] * len(known), list(asked.logs))


def alike(known, asked):
    return by_weight(known, [likeness(space, asked) for space in known], list(asked.logs))


def fast(known, asked):
    """The union of the best K of each known card, in the order of votes: the predicted overlaps, earlier places more."""
    expected = overlap_regression(known)
    weights = [max(0.01, expected(space, asked)) for space in known]
    votes = dict.fromkeys(asked.logs, 0.0)
    for weight, space in zip(weights, known):
        for place, configuration in enumerate(space.optimal()):
            if configuration in votes:
                votes[configuration] += weight * (1 - place / (2 * K))
    order, prior = by_weight(known, weights, list(asked.logs))
    return sorted(order, key=lambda c: -votes[c]), prior


class Backup:
    """The search where the list was not good enough: expected improvement under a Gaussian process around what is expected from
    other cards. Two configurations are as alike as their parameters are near (a ordered range is 1 long), and as what other cards
    say of them."""

    SIZE, LENGTH, CARDS, NOISE = 0.5, 2.0, 0.3, 0.02

    def __init__(self, known, asked, prior):
        self.asked, self.prior, self.all = asked, prior, list(asked.logs)
        values = [sorted({c[p] for c in self.all}, key=lambda v: (str(type(v)), v)) for p in range(len(asked.keys))]
        place = [{v: i / max(1, len(of) - 1) for i, v in enumerate(of)} for of in values]
        self.places = [[at[v] for at, v in zip(place, c)] for c in self.all]
        means = [statistics.fmean(map(space.known, self.all)) for space in known]
        self.others = [[self.CARDS * (space.known(c) - m) for space, m in zip(known, means)] for c in self.all]
        self.variances = [self.SIZE ** 2 + sum(o * o for o in other) for other in self.others]
        self.rows, self.told = [], []  # of each one told: its covariances with all, less what those before it explain
        self.index = {c: i for i, c in enumerate(self.all)}

    def covariances(self, n):
        place, other = self.places[n], self.others[n]
        return [self.SIZE ** 2 * math.exp(-sum(map(abs, map(float.__sub__, place, p))) / self.LENGTH)
                + sum(map(float.__mul__, other, o)) for p, o in zip(self.places, self.others)]

    def tell(self, configuration):
        n = self.index[configuration]
        row = self.covariances(n)
        for before in self.rows:
            part = before[n]
            row = [r - part * b for r, b in zip(row, before)]
        root = math.sqrt(max(row[n], 0) + self.NOISE ** 2)
        row = [r / root for r in row]
        self.variances = [v - r * r for v, r in zip(self.variances, row)]
        self.rows.append(row)
        self.told.append((configuration, n, root))

    def seen(self):
        """Logarithms of the speeds told; a failure is worse than the worst."""
        logs = [self.asked.logs[c] for c, *_ in self.told]
        worst = min((log for log in logs if log is not None), default=0.0)
        return [worst - 1 if log is None else log for log in logs]

    def ask(self):
        seen = self.seen()
        surprise = [log - self.prior[c] for log, (c, *_) in zip(seen, self.told)]
        middle = statistics.median(surprise)
        parts = []  # of what is not explained by those before
        for k, (_, n, root) in enumerate(self.told):
            explained = sum(self.rows[j][n] * parts[j] for j in range(k))
            parts.append((surprise[k] - middle - explained) / root)
        means = [self.prior[c] + middle for c in self.all]
        for part, row in zip(parts, self.rows):
            means = [m + part * r for m, r in zip(means, row)]
        best, told = max(seen), {n for _, n, _ in self.told}
        gains = ((improvement(m - best, math.sqrt(max(v, 1e-9))), -n)
                 for n, (m, v) in enumerate(zip(means, self.variances)) if n not in told)
        return self.all[-max(gains)[1]]


def improvement(above, deviation):
    """That is expected of a normal variable, over 0."""
    z = above / deviation
    return deviation * (z * 0.5 * (1 + math.erf(z / math.sqrt(2))) + math.exp(-z * z / 2) / math.sqrt(2 * math.pi))


def tries(row, known, asked, count):
    """The configurations that a row tries, in order."""
    order, prior = ORDERS[row.removesuffix("+backup")](known, asked)
    if not row.endswith("+backup"):
        return order[:count]
    backup, tried = Backup(known, asked, prior), order[:min(LISTED, count)]
    for configuration in tried:
        backup.tell(configuration)
    while len(tried) < min(count, len(order)):
        tried.append(backup.ask())
        backup.tell(tried[-1])
    return tried


ORDERS = {"mean": mean, "fast": fast, "alike": alike}
ROWS = ["mean", "fast", "alike", "mean+backup", "fast+backup", "alike+backup"]


def fractions(asked, tried):
    """After each of the marks."""
    speeds = [math.exp(asked.logs[c]) if asked.logs[c] is not None else 0.0 for c in tried]
    return [max(speeds[:mark]) for mark in MARKS]


def held_out(spaces, row):
    """By kernel and card."""
    found = {}
    for asked in spaces:
        known = [s for s in spaces if s.kernel == asked.kernel and s.card != asked.card]
        found[asked.kernel, asked.card] = fractions(asked, tries(row, known, asked, MARKS[-1]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--json", action="store_true")
    call = parser.parse_args()
    files = sorted(name for name in os.listdir(call.folder) if name.endswith(".json.gz"))
    spaces = [read(os.path.join(call.folder, name)) for name in files]
    board = {row: held_out(spaces, row) for row in call.rows.split(",")}
    if call.json:
        print(json.dumps({row: {"_".join(space): values for space, values in of.items()} for row, of in board.items()}, indent=1))
        return
    print(f"{len(spaces)} spaces: the speed over the best one's after " + ", ".join(map(str, MARKS)) + " tries")
    print("| | median | worst | least after the last |\n| --- | --- | --- | --- |")
    for row, of in board.items():
        columns = list(zip(*of.values()))
        numbers = lambda pick: ", ".join(f"{pick(column):.3f}" for column in columns)
        kernel, card = min(of, key=lambda space: of[space][-1])
        print(f"| `{row}` | {numbers(statistics.median)} | {numbers(min)} | {kernel} {card} |")


if __name__ == "__main__":
    main()
