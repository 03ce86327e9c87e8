"""bench/sparse_recordings.py, with a program that only pretends to search."""

import json
import pathlib
import sys
import unittest

from pretending import Pretending

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import sparse_recordings  # noqa: E402

# On four individuals and more the strategies rank as on the whole; on fewer the other way round. Every second half of the seeds
# has the last two the other way round.
FAKE = """#!/usr/bin/env python3
import json, sys
names = [name for word, name in zip(sys.argv, sys.argv[1:]) if word == "--strategy"]
seeds = int(sys.argv[sys.argv.index("--seeds") + 1])
few = len(open(sys.argv[2]).readlines()) < 5
rows = []
for at, name in enumerate(names):
    late = {3: 4, 4: 3}.get(at, at)
    place = [at] * (seeds // 2) + [late] * (seeds - seeds // 2)
    rows.append({"strategy": name, "scores": [one if few else -one + 0.01 * -at for one in place]})
print(json.dumps({"spaces": [{"rows": rows[::-1]}]}))
"""


class SparseRecordings(Pretending):
    FAKE = FAKE

    def setUp(self):
        super().setUp()
        self.recording = self.folder / "card.recording"
        header = {"paraiso_recording": 3, "recorded": "exhaustive", "distribution": "", "machine": "add"}
        self.rows = [[letter, float(at), 0.0, "exhaustive", [], "", [None, None, None], []] for at, letter in enumerate("ABCDEF")]
        self.recording.write_text("".join(json.dumps(one) + "\n" for one in [header, *self.rows]))

    def test_a_drawn_part_is_a_recording_that_says_so(self):
        header, *rows = map(json.loads, sparse_recordings.drawn(self.recording, 4, 1).splitlines())
        self.assertEqual(header, {"paraiso_recording": 3, "recorded": "drawn", "distribution": "random", "machine": "add"})
        whole = {row[0]: row for row in self.rows}
        self.assertEqual(len({row[0] for row in rows}), 4)
        for row in rows:
            self.assertEqual(row, [*whole[row[0]][:3], "random", *whole[row[0]][4:]])
        parts = {sparse_recordings.drawn(self.recording, 4, seed) for seed in range(10)}
        self.assertGreater(len(parts), 5)

    def test_agreement_of_parts_with_the_whole(self):
        table = self.printed(sparse_recordings.main, self.recording, "--individuals", 3, 5, "--draws", 2, "--seeds", 4,
                             "--paraiso", self.paraiso)
        self.assertEqual(table, "| individuals | card |\n| ---: | ---: |\n| 3 | -1.0 (-1.0 to -1.0) |\n| 5 | 1.0 (1.0 to 1.0) |\n"
                         "| all | 0.8 |\n")


if __name__ == "__main__":
    unittest.main()
