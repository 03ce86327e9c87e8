"""Kernel Tuner's own strategies on the spaces that `paraiso scoreboard` is tried on, with the same budget, seeds and score.

Needs kernel-tuner 1.5.0 from PyPI (`python3 -m venv V; V/bin/pip install kernel-tuner==1.5.0`) and a folder of its cache
files (`*.json.gz`). First, ours:

    for f in FOLDER/*.json.gz; do paraiso replay "$f" --import --complete --output SPACES/$(basename "$f" .json.gz).recording; done
    paraiso scoreboard SPACES --json > ours.json

then theirs, in simulation mode, one line of JSON a search (what is there already is not run again):

    V/bin/python bench/against_kernel_tuner.py run FOLDER theirs.jsonl --strategy genetic_algorithm --strategy hybrid_vndx

They search what ours search: all configurations of the file. `tune_cache` by itself takes those for the space that succeeded,
and never meets one that fails; here a failure is an evaluation like any other. Each space and seed draws numbers of its own.

The table, with the difference of our best strategy and theirs over the spaces that both have:

    python3 bench/against_kernel_tuner.py compare ours.json theirs.jsonl

Whether ours leads with settings that never saw what they are judged on: of several (`paraiso scoreboard SPACES --json
--strategy genetic --strategy genetic:population=20 ...`; `ours.json` may also be a folder of such files) the best one on
some kernels is chosen and judged on the others: on each kernel the choice of the others, or with `--fold KERNEL` on that
one the choice of all others, and on the others its choice.

    python3 bench/against_kernel_tuner.py nested ours.json theirs.jsonl [--fold dedispersion] [--only genetic]
"""
import argparse
import collections
import gzip
import json
import math
import os
import random
import sys
import tempfile
import zlib

FIRST_PART, LAST_PART = 0.5, 0.95
RESAMPLES = 2000


class PublicScore:
    """As in paraiso/tune/scoreboard/public_score.hpp, from the times of all configurations that succeeded."""

    def __init__(self, times):
        self.times = sorted(times, reverse=True)
        self.best = self.times[-1]
        self.first, self.last = self.budget_to(FIRST_PART), self.budget_to(LAST_PART)
        if self.last < self.first + 2:
            self.last += 2 if self.first == 0 else 1
            self.first -= self.first > 0

    def budget_to(self, part):
        count = len(self.times)
        median = (self.times[count // 2] + self.times[(count - 1) // 2]) / 2
        goal = self.best + (median - self.best) * (1 - part)
        rank = next(r for r, time in enumerate(self.times) if time <= goal)
        rank -= self.times[rank] == self.best
        return math.ceil(rank / (count + 1 - rank))

    def random(self, evaluations):
        count = len(self.times)
        return self.times[min(count - 1, round(evaluations * (count + 1) / (evaluations + 1)))]

    def __call__(self, curve):
        total = 0
        for x in range(self.first, self.last + 1):
            time = min(curve[min(x, len(curve)) - 1], self.times[0]) if x and curve else self.times[0]
            total += (self.random(x) - time) / (self.random(x) - self.best)
        return total / (self.last - self.first + 1)


def curve_of(results, keys):
    """The shortest time after each evaluation of a configuration that is new, whether it fails or not."""
    seen, curve, best = set(), [], math.inf
    for result in results:
        configuration = tuple(str(result[key]) for key in keys)
        if configuration in seen:
            continue
        seen.add(configuration)
        time = result.get("time")
        if isinstance(time, (int, float)) and not isinstance(time, bool):
            best = min(best, time)
        curve.append(best)
    return curve


def all_recorded(cache):
    """The configurations of a cache file, also those that fail."""
    return {tuple(row[key] for key in cache["tune_params_keys"]) for row in cache["cache"].values()}


def seed_of(space, seed):
    """Each space draws other numbers: those of one size would else be searched in the same order."""
    return zlib.crc32(f"{space} {seed}".encode())


class FastKernelTuner:
    """Kernel Tuner with what does not change between searches made once: the file and the space; and the distances of
    hybrid_vndx's neighbours with numpy. Neither changes what is searched: what a space remembers of its neighbours, and that a
    search takes from it, each search begins without. The space is all that was recorded (`all_recorded`)."""

    originals = []

    def __init__(self, path):
        import numpy
        import kernel_tuner.interface as interface
        import kernel_tuner.util as util
        from kernel_tuner.strategies import gen_hybrid_vndx

        self.interface, self.path, self.numpy = interface, path, numpy
        made = {}
        if not self.originals:
            self.originals.extend((interface.Searchspace, util.read_cache, util.process_cache))
        space, read, process = self.originals

        def once(name, make):
            if name not in made:
                made[name] = make()
            return made[name]

        interface.Searchspace = lambda *args, **options: self.forgetful(once("space", lambda: space(*args, **options)))
        util.read_cache = lambda *args, **options: once("read", lambda: read(*args, **options))
        util.process_cache = lambda *args, **options: once("process", lambda: process(*args, **options))
        util.infer_restrictions_from_cache = self.within_what_was_recorded(util.FunctionConstraint)
        gen_hybrid_vndx.HybridVNDX.knn_predict = self.knn_predict()

    @staticmethod
    def within_what_was_recorded(constraint):
        def infer(cache):
            recorded = all_recorded(cache)
            return constraint(lambda *values: values in recorded)

        return infer

    @staticmethod
    def forgetful(space):
        for memory, empty in (("_Searchspace__neighbor_cache", dict), ("_Searchspace__neighbor_partial_cache",
                                                                       lambda: collections.defaultdict(list))):
            setattr(space, memory, {method: empty() for method in getattr(space, memory)})
        return space

    def knn_predict(self):
        numpy = self.numpy

        def predict(self, configuration, history):
            if getattr(self, "rows_of", None) is not history:
                self.rows_of, self.codes = history, {}
                self.rows = numpy.empty((self.budget + 10, len(configuration)), dtype=numpy.int32)
                self.filled = 0
            encode = lambda c: [self.codes.setdefault((i, v), len(self.codes)) for i, v in enumerate(c)]
            while self.filled < len(history):
                self.rows[self.filled] = encode(history[self.filled][0])
                self.filled += 1
            distances = (self.rows[:self.filled] != numpy.array(encode(configuration), dtype=numpy.int32)).sum(axis=1)
            nearest = numpy.argsort(distances, kind="stable")[:self.k]
            return sum(history[n][1] for n in nearest) / len(nearest)

        return predict

    def search(self, strategy, evaluations, seed):
        random.seed(seed)
        self.numpy.random.seed(seed)
        results, _ = self.interface.tune_cache(self.path, strategy=strategy, quiet=True, verbose=False,
                                               strategy_options={"max_fevals": evaluations})
        return results


def rows_of(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return list(map(json.loads, file))


def silently(act):
    with open(os.devnull, "w") as nowhere:
        out, sys.stdout = sys.stdout, nowhere
        try:
            return act()
        finally:
            sys.stdout = out


def run_space(call, space, text, done):
    cache = json.loads(text)
    times = [row["time"] for row in cache["cache"].values() if isinstance(row["time"], (int, float))]
    score = PublicScore(times)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, space + ".json")
        with open(path, "wb") as file:
            file.write(text)
        tuner = FastKernelTuner(path)
        for strategy in call.strategy:
            for seed in range(1, call.seeds + 1):
                if (space, strategy, seed) in done:
                    continue
                results = silently(lambda: tuner.search(strategy, max(score.last, 300), seed_of(space, seed)))
                row = {"space": space, "strategy": strategy, "seed": seed,
                       "score": score(curve_of(results, cache["tune_params_keys"]))}
                with open(call.results, "a") as file:
                    file.write(json.dumps(row) + "\n")
                print(f"{space} {strategy}: {seed} of {call.seeds}", file=sys.stderr)


def run(call):
    done = {(row["space"], row["strategy"], row["seed"]) for row in rows_of(call.results)}
    for name in sorted(os.listdir(call.folder)):
        space = name.removesuffix(".json.gz")
        if name.endswith(".json.gz") and (not call.space or space in call.space):
            run_space(call, space, gzip.open(os.path.join(call.folder, name)).read(), done)


def mean(values):
    return sum(values) / len(values)


def middle_of(values):
    """Where 95 % of them lie."""
    values = sorted(values)
    return values[len(values) // 40], values[-1 - len(values) // 40]


def interval(groups, others=None):
    """95 %, of the mean over groups of means, or of its difference from `others`, by resampling the seeds."""
    chance = random.Random(1)
    again = lambda values: mean(chance.choices(values, k=len(values)))
    return middle_of(mean([again(group) for group in groups]) - (mean([again(group) for group in others]) if others else 0)
                     for _ in range(RESAMPLES))


def text(score, between):
    return f"{score:.3f} [{between[0]:.3f}, {between[1]:.3f}]"


def our_searches(path):
    """The scores of all seeds by strategy, then space, from a file of `scoreboard --json` or a folder of them."""
    found = {}
    files = [os.path.join(path, name) for name in sorted(os.listdir(path))] if os.path.isdir(path) else [path]
    for path in files:
        with open(path) as file:
            board = json.load(file)
        for space in board["spaces"]:
            for row in space["rows"]:
                found.setdefault(row["strategy"], {})[space["file"].removesuffix(".recording")] = row["scores"]
    return found


def their_searches(path):
    found = {}
    for row in rows_of(path):
        found.setdefault(row["strategy"], {}).setdefault(row["space"], []).append(row["score"])
    return found


def spaces_of_all(call, *owners):
    spaces = set.intersection(*(set(by_space) for owner in owners for by_space in owner.values()))
    return [s for s in sorted(spaces) if not call.space or s in call.space]


def compare(call):
    ours, theirs = our_searches(call.ours), their_searches(call.theirs)
    searches = {("paraiso", name): by_space for name, by_space in ours.items()}
    searches.update({("Kernel Tuner", name): by_space for name, by_space in theirs.items()})
    spaces = spaces_of_all(call, ours, theirs)
    print("| strategy | " + " | ".join(spaces) + " | all |")
    print("| --- |" + " ---: |" * (len(spaces) + 1))
    total = lambda by_space: mean([mean(by_space[s]) for s in spaces])
    for (owner, strategy), by_space in sorted(searches.items(), key=lambda item: -total(item[1])):
        cells = [f"{mean(by_space[s]):.3f}" for s in spaces]
        print(f"| {owner}: {strategy} | " + " | ".join(cells) + " | "
              + text(total(by_space), interval([by_space[s] for s in spaces])) + " |")
    best = {owner: max((key for key in searches if key[0] == owner), key=lambda key: total(searches[key]))
            for owner in ("paraiso", "Kernel Tuner")}
    mine, other = ([searches[best[owner]][s] for s in spaces] for owner in ("paraiso", "Kernel Tuner"))
    difference = mean(list(map(mean, mine))) - mean(list(map(mean, other)))
    print(f"\n{best['paraiso'][1]} of paraiso less {best['Kernel Tuner'][1]} of Kernel Tuner: "
          + text(difference, interval(mine, other)))


def kernel_of(space):
    return space.split("_")[0]


def mean_over_kernels(scores_of, spaces):
    """Each kernel counts the same, however many cards it was recorded on."""
    kernels = sorted({kernel_of(s) for s in spaces})
    return mean([mean([scores_of(s) for s in spaces if kernel_of(s) == k]) for k in kernels])


def folds_of(spaces, kernel):
    """Pairs of spaces to choose on and spaces to judge on; the latter are all spaces, together."""
    judged = [[kernel], sorted({kernel_of(s) for s in spaces} - {kernel})] if kernel else \
        [[k] for k in sorted({kernel_of(s) for s in spaces})]
    return [([s for s in spaces if kernel_of(s) not in kernels], [s for s in spaces if kernel_of(s) in kernels])
            for kernels in judged]


def judge(ours, folds):
    """The choice of each fold, and the mean score of each space under a choice that did not see it."""
    chosen, scores = [], {}
    for train, test in folds:
        best = max(sorted(ours), key=lambda name: mean_over_kernels(lambda s: ours[name][s], train))
        chosen.append(best)
        scores.update({s: ours[best][s] for s in test})
    return chosen, scores


def again(searches, chance):
    """Mean scores after resampling the seeds of each search."""
    return {name: {s: mean(chance.choices(scores, k=len(scores))) for s, scores in by_space.items()}
            for name, by_space in searches.items()}


def nested(call):
    ours = {name: by_space for name, by_space in our_searches(call.ours).items()
            if not call.only or name.split(":")[0] in call.only}
    theirs = their_searches(call.theirs)
    spaces = spaces_of_all(call, ours, theirs)
    folds = folds_of(spaces, call.fold)
    means = lambda searches: {name: {s: mean(by_space[s]) for s in spaces} for name, by_space in searches.items()}
    chosen, scores = judge(means(ours), folds)
    total = lambda by_space: mean([by_space[s] for s in spaces])
    rival = max(theirs, key=lambda name: total(means(theirs)[name]))
    for (train, test), best in zip(folds, chosen):
        kernels = lambda part: ", ".join(sorted({kernel_of(s) for s in part}))
        print(f"chosen on {kernels(train)}: {best}, on {kernels(test)} "
              f"{mean([scores[s] for s in test]):.3f} ({rival} of Kernel Tuner {mean([mean(theirs[rival][s]) for s in test]):.3f})")
    chance = random.Random(1)
    kept, chosen_again = [], []
    for _ in range(RESAMPLES):
        drawn, other = again(ours, chance), total(again({rival: theirs[rival]}, chance)[rival])
        kept.append(mean([drawn[best][s] for (train, test), best in zip(folds, chosen) for s in test]) - other)
        chosen_again.append(total(judge(drawn, folds)[1]) - other)
    lead = total(scores) - total(means(theirs)[rival])
    print(f"all: {total(scores):.3f}, {rival} of Kernel Tuner {total(means(theirs)[rival]):.3f}, difference "
          + text(lead, middle_of(kept)) + "; with choices made anew in each resample, of "
          + f"{len(ours)} settings, " + text(mean(chosen_again), middle_of(chosen_again)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("run")
    command.add_argument("folder")
    command.add_argument("results")
    command.add_argument("--strategy", action="append", required=True)
    command.add_argument("--space", action="append")
    command.add_argument("--seeds", type=int, default=100)
    command.set_defaults(act=run)
    command = commands.add_parser("compare")
    command.add_argument("ours")
    command.add_argument("theirs")
    command.add_argument("--space", action="append")
    command.set_defaults(act=compare)
    command = commands.add_parser("nested")
    command.add_argument("ours")
    command.add_argument("theirs")
    command.add_argument("--space", action="append")
    command.add_argument("--fold")
    command.add_argument("--only", action="append")
    command.set_defaults(act=nested)
    call = parser.parse_args()
    call.act(call)


if __name__ == "__main__":
    main()
