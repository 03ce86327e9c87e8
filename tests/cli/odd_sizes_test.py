"""Rows that end within a vector are as fast as others: the lanes beyond their ends compute with ordinary numbers.

Such lanes held what lay in memory, as pointers do, which as floats are denormal numbers: grids of 250x250 cells took 3.6
times as long as those of 256x256."""
import unittest

from command import CommandTest


class OddSizes(CommandTest):
    def speed(self, dimension, size):
        measured = self.succeed_json("bench", "heat", "--dim", dimension, "--size", size, "--threads", 1, "--repeat", 3,
                                     "--steps", 200)
        return measured["cell_updates_per_second"]

    def test_as_fast_as_whole_vectors(self):
        for dimension, whole, odd in ((2, "256x256", "250x250"), (3, "48x48x48", "45x48x48")):
            with self.subTest(dimension=dimension):
                rounds = [(self.speed(dimension, odd), self.speed(dimension, whole)) for _ in range(3)]
                self.assertGreater(max(a for a, _ in rounds), 0.55 * max(b for _, b in rounds))


if __name__ == "__main__":
    unittest.main()
