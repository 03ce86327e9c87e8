"""`run --ranks` and `--divide`: what one rank computes, and calls that can't be."""
import unittest

from command import CommandTest

HEAT = ("run", "heat", "--dim", 2, "--size", "12x10", "--steps", 6, "--quiet")


class Ranks(CommandTest):
    def test_json_is_that_of_one_rank(self):
        one = self.succeed_json(*HEAT, "--checkpoint", "one")
        self.assertEqual(one["ranks"], 1)
        self.write("parts", "divide 1 at 7\n  divide 0 at 1\n    leaf\n    leaf\n  leaf\n")
        for more, ranks in ((("--ranks", 3), 3), (("--divide", "2x2"), 4),
                            (("--divide", "parts", "--threads", 2), 3),
                            (("--ranks", 5, "--backend", "interpreter"), 5)):
            several = self.succeed_json(*HEAT, *more, "--checkpoint", "several")
            self.assertEqual(several["ranks"], ranks)
            for what in ("fields", "scalars", "errors", "steps", "time", "end"):
                self.assertEqual(several[what], one[what])
            if "--backend" not in more:
                self.assertEqual(self.bytes_of("several"), self.bytes_of("one"))

    def test_fused_steps_are_taken_one_by_one(self):
        one = self.succeed_json(*HEAT, "--fuse", 2)
        several = self.succeed_json(*HEAT, "--fuse", 2, "--ranks", 3)
        self.assertEqual(several["fields"], one["fields"])

    def test_more_ranks_than_cells(self):
        self.assert_refused("error: a grid of 12x10 cells can't be divided into 121 parts\n",
                            *HEAT, "--ranks", 121)
        self.assert_refused("error: axis 1 of 10 cells can't be cut into 11 parts\n",
                            *HEAT, "--divide", "1x11")
        self.assert_refused("error: a process has at most 1024 ranks, not 1025\n",
                            "run", "heat", "--dim", 1, "--size", 2000, "--ranks", 1025)

    def test_contradictions(self):
        self.assert_refused("error: `--ranks 3`, but `--divide 2x2` makes 4 parts\n",
                            *HEAT, "--divide", "2x2", "--ranks", 3)
        self.assert_refused(
            "error: `--ranks` needs `--backend` openmp or interpreter: `opencl` has the whole grid\n",
            *HEAT, "--ranks", 2, "--backend", "opencl")


if __name__ == "__main__":
    unittest.main()
