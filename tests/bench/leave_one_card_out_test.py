"""bench/leave_one_card_out.py on planted spaces: what a card has in common with its like is found without a try, what it has
in common with none by the backup search alone, and nobody looks at the card that is held out."""
import gzip
import itertools
import json
import math
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import leave_one_card_out as cards  # noqa: E402

GRID = list(itertools.product(range(20), range(20)))
BEST = {"NVIDIA": (3, 4), "AMD": (15, 16)}


def space(card, best=None):
    """A funnel around the best place of the vendor, a little aside of it for each card."""
    x, y = best or BEST[cards.CARDS[card][-1]]
    times = {(a, b): 1 + 0.05 * math.hypot(a - x, b - y) + 0.001 * ((a * 7 + b * 13 + len(card)) % 5) for a, b in GRID}
    times[0, 0] = math.inf
    return cards.Space("planted", card, cards.CARDS[card], ["a", "b"], times)


def after(row, asked, known):
    return cards.fractions(asked, cards.tries(row, known, asked, cards.MARKS[-1]))


class LeaveOneCardOut(unittest.TestCase):
    def setUp(self):
        self.all = [space(card) for card in cards.CARDS]
        self.asked, self.known = self.all[0], self.all[1:]

    def test_like_cards_tell(self):
        for row in ("fast", "alike"):
            with self.subTest(row):
                self.assertGreater(after(row, self.asked, self.known)[0], 0.95)
        self.assertLess(after("mean", self.asked, self.known)[0], 0.9, "of the others most are AMD's")

    def test_the_backup_finds_what_no_card_knew(self):
        asked = space("A100", best=(17, 3))
        for row in ("fast", "alike", "mean"):
            with self.subTest(row):
                self.assertLess(after(row, asked, self.known)[-1], 0.85)
                self.assertGreater(after(row + "+backup", asked, self.known)[-1], 0.98)

    def test_nobody_sees_what_is_asked(self):
        other = space("A100", best=(17, 3))
        for row in ("fast", "alike", "mean", "alike+backup"):
            self.assertEqual(cards.tries(row, self.known, self.asked, 10), cards.tries(row, self.known, other, 10), row)

    def test_reads_files_of_kernel_tuner(self):
        rows = {f"{a},{b}": {"a": a, "b": b, "time": 1.0 + a if b else "RuntimeFailedConfig"} for a in (1, 2) for b in (0, 1)}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "add_A100.json.gz")
            with gzip.open(path, "wt") as file:
                json.dump({"tune_params_keys": ["a", "b"], "cache": rows}, file)
            found = cards.read(path)
        self.assertEqual((found.kernel, found.card), ("add", "A100"))
        self.assertEqual(found.logs, {(1, 1): 0.0, (2, 1): math.log(2 / 3), (1, 0): None, (2, 0): None})


if __name__ == "__main__":
    unittest.main()
