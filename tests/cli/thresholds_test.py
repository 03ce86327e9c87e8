"""`thresholds`: from which size on each version of a kernel runs, found on one ladder of sizes and judged on another."""
import json
import os
import re
import unittest

from command import CommandTest
from report_test import HEADER
from tuning import TuneTest
from versions_test import ASKED, HEAT, VERSIONS


class Ladder:
    def assert_disjoint(self, found):
        """No size is timed twice, and none that judges was tuned on, whatever was added."""
        sizes = [size["size"] for ladder in ("tuned", "judged") for size in found[ladder]]
        self.assertEqual(len(sizes), len(set(sizes)), sizes)

    def assert_not_slower(self, found):
        """No size of either ladder is 3 % slower with what runs than with the usual version."""
        usual = found["versions"].index(found["usual"])
        thresholds = [found["thresholds"][name] for version in found["versions"][:-1]
                      for name in found["thresholds"] if name.endswith("." + version)]
        for size in found["tuned"] + found["judged"]:
            holds = [least <= value for least, value in zip(thresholds, size["compared"])] + [True]
            self.assertLessEqual(size["seconds"][holds.index(True)], 1.03 * size["seconds"][usual], size["size"])

    def assert_ladder(self, found, sizes):
        """Sizes are added between these, and each threshold is said to lie between two that were timed."""
        self.assert_disjoint(found)
        timed = [size["size"] for size in found["tuned"]]
        self.assertEqual([size for size in timed if size in sizes], sizes)
        self.assertEqual(len(timed), len(sizes) + sum(one["added"] for one in found["between"]))
        self.assertEqual(sorted(one["threshold"] for one in found["between"]), sorted(found["thresholds"]))
        for one in found["between"]:
            self.assertLessEqual(one["added"], 4)
            self.assertLessEqual({one["below"], one["above"]}, {"", *timed})


class Thresholds(CommandTest, Ladder):
    def test_are_found_judged_and_written(self):
        self.write("heat.versions", VERSIONS)
        found = self.succeed_json("thresholds", *HEAT, *ASKED, "--size", "64x32", "--sizes", 3, "--rounds", 1,
                                  "--threads", 1, "--output", "heat.tuning")
        self.assertEqual(found["versions"], ["large", "rows", "base"])
        self.assertEqual(found["usual"], "base")  # none has the default schedule
        self.assert_ladder(found, ["32x16", "45x23", "64x32"])
        self.assertEqual([size["size"] for size in found["judged"]], ["27x13", "38x19", "54x27"])
        self.assertEqual(found["tuned"][-1]["compared"], [64 * 32 * 8, 64 * 32])
        self.assertLessEqual(found["worst"], 1.03)
        self.assert_not_slower(found)
        thresholds = found["thresholds"]
        self.assertEqual(self.read("heat.tuning"),
                         "".join(f"{name}={value}\n" for name, value in sorted(thresholds.items())))
        for size, version in zip(found["judged"], found["chosen"]):
            large, rows = size["compared"]
            self.assertEqual(version, "large" if thresholds["heat.proceed.large"] <= large else
                             "rows" if thresholds["heat.proceed.rows"] <= rows else "base")
            ran = self.succeed_json("run", *HEAT, *ASKED, "--tuning", "heat.tuning", "--size", size["size"],
                                    "--threads", 1, "--steps", 1, "--quiet")
            self.assertEqual(ran["version"], version)
        self.assert_drawn(found)
        self.write("heat.json", json.dumps(found))
        self.assertEqual(min(row["result"] for row in self.succeed_json("thresholds", "heat", "--tuners", "heat.json")), 1)

    def assert_drawn(self, found):
        """`report` reads what was printed, and shows the same sizes, times and versions."""
        self.write("heat.json", json.dumps(found))
        self.write("heat.recording", HEADER + '["A", 2e6, 1e3, "start", [], ""]\n')
        self.succeed("report", "heat.recording", "--output", "report.html", "--thresholds", "heat.json")
        rows = dict(re.findall(r"<tr><td>(\d+x\d+)</td><td>judged</td>(.*)</tr>", self.read("report.html")))
        self.assertEqual(len(rows), len(found["judged"]))
        for size, version in zip(found["judged"], found["chosen"]):
            *ratios, runs = re.findall("<td[^>]*>([^<]*)</td>", rows[size["size"]])
            self.assertEqual(runs, version)
            self.assertEqual(ratios, [f"{seconds / size['seconds'][2]:.3f}" for seconds in size["seconds"]])

    def test_wrong_calls(self):
        self.write("heat.versions", VERSIONS)
        size = ("--size", "9x9", "--sizes", 2)
        self.assert_refused("error: `--output` needs `--versions FILE`: what is proposed is written by `--list FILE`, with "
                            "its thresholds\n", "thresholds", *HEAT, *size, "--output", "heat.tuning")
        self.assert_refused("error: `--list` is for versions that are proposed: leave out `--versions`\n", "thresholds",
                            *HEAT, *size, *ASKED, "--list", "new.versions")
        self.assert_refused("error: `--shapes` needs two axes: it makes rows shorter, and more of them\n", "thresholds",
                            "heat", "--dim", 1, "--size", 9, "--shapes")
        self.assert_refused("error: no size lies between those up to 1x1, to judge thresholds by: take a larger `--size`\n",
                            "thresholds", *HEAT, "--size", "1x1")

    def test_of_small_grids_have_fewer_sizes(self):
        self.write("heat.versions", VERSIONS)
        found = self.succeed_json("thresholds", *HEAT, *ASKED, "--size", "6x6", "--sizes", 12, "--rounds", 1, "--threads", 1)
        self.assert_disjoint(found)
        self.assertLessEqual({"1x1", "2x2", "3x3", "4x4", "6x6"}, {size["size"] for size in found["tuned"]})
        self.assertEqual([size["size"] for size in found["judged"]], ["5x5"])


def times(rows, versions):
    """What `thresholds --json` prints, of all that `--tuners` reads: seconds of each version by what is compared."""
    ladder = [{"size": f"{value}x1", "compared": [value] * (len(versions) - 1), "seconds": seconds} for value, seconds in rows]
    return json.dumps({"versions": versions, "usual": versions[-1], "best_single": versions[0], "gain": 1,
                       "thresholds": {f"heat.proceed.{v}": 1 for v in versions[:-1]},
                       "tuned": ladder, "judged": ladder})


class Tuners(CommandTest):
    """On times whose best thresholds are known."""

    # Best by thresholds between 10 and 100, and 100 and 1000: 4 s; untuned 13 s. One size takes 90 s: it is stopped at 6 s.
    SPLIT = times([(10, [2, 90, 1]), (100, [2, 1, 3]), (1000, [1, 2, 4]), (10000, [1, 2, 5])], ["large", "middle", "base"])
    # `large` is best of all sizes at the smallest, too.
    TWICE = times([(10, [1, 1.5]), (100, [2, 1]), (1000, [9, 3]), (9000, [4, 9])], ["large", "base"])

    def compare(self, text):
        self.write("heat.json", text)
        rows = self.succeed_json("thresholds", "heat", "--tuners", "heat.json")
        self.table = self.succeed("thresholds", "heat", "--tuners", "heat.json").splitlines()
        return rows

    def test_have_these_counts_and_results(self):
        rows = self.compare(self.SPLIT)
        self.assertEqual([(row["tuner"], row["seed"], row["tries"], row["eliminated"], row["runs"], row["result"],
                           row["over_untuned"]) for row in rows],
                         [("old", 1, 1000, 0, 4000, 1, 3.25),
                          ("old", 2, 1000, 0, 4000, 1, 3.25),
                          ("old", 3, 1000, 0, 4000, 1, 3.25),
                          ("comparison", 0, 25, 0, 12, 1, 3.25),  # (4 + 1)^2; each version at each size
                          ("branch", 0, 12, 3, 12, 1, 3.25),  # of the 15 paths, four begin with what takes 90 s
                          ("final", 1, 7, 0, 10, 1, 3.25),
                          ("final", 2, 4, 0, 7, 1.25, 2.6),  # ends where no step is better
                          ("final", 3, 6, 0, 9, 1, 3.25),
                          ("monotone", 0, 8, 0, 8, 1, 3.25),
                          ("checked", 0, 12, 0, 12, 1, 3.25)])
        exact = {row["tuner"]: row["seconds"] for row in rows if row["seed"] == 0}
        self.assertEqual([exact["comparison"], exact["branch"], exact["checked"]], [114, 30, 114])
        self.assertEqual([row["not_monotone"] for row in rows], [[]] * len(rows))
        self.assertEqual(len(self.table), 1 + len(rows))
        self.assertEqual(self.table[4].split(), ["comparison", "25", "0", "12", "114", "7", "1.000", "3.250"])
        self.assertEqual(self.table[6].split()[:2], ["final", "1"])

    def test_tell_of_times_that_are_not_monotone(self):
        rows = self.compare(self.TWICE)
        self.assertEqual({row["tuner"]: row["not_monotone"] for row in rows if row["not_monotone"]},
                         {"checked": [{"threshold": "heat.proceed.large", "size": "10x1", "ratio": 1.5}]})
        self.assertEqual(self.table[-1], "not monotone: one split by `heat.proceed.large` makes 10x1 take 1.50 times as long")
        self.assertEqual(len(self.table), 1 + len(rows) + 1)
        self.assertEqual(rows[-1]["over_untuned"], 14.5 / 9.5)

    def test_of_other_programs_are_refused(self):
        self.write("heat.json", self.TWICE)
        self.assert_fails("error: `heat.json` is not of `wave`: it has a threshold `heat.proceed.large`\n", "thresholds",
                          "wave", "--tuners", "heat.json")


class Proposed(TuneTest, Ladder):
    """Versions that nobody wrote down."""

    TIMED = ("--sizes", 3, "--rounds", 1, "--threads", 1, "--database", "t.sqlite")

    def assert_consistent(self, found, measure):
        """What is kept is a list that `run` takes, and every size of it runs what was said."""
        fates = {one["name"]: one["fate"] for one in found["proposed"]}
        self.assertLessEqual(len(fates), 4)
        self.assertEqual(found["proposed"][-1]["name"], "usual")
        version_of = {line: line if line in fates else line.rsplit("_", 1)[0] for line in found["versions"]}  # usual_2
        self.assertEqual(set(version_of.values()), {name for name, fate in fates.items() if fate.startswith("kept: ")})
        self.assertIn(found["usual"], fates)
        for fate in fates.values():
            self.assertRegex(fate, r"^(kept: (runs at [0-9x]+( to [0-9x]+)?( and [0-9x]+( to [0-9x]+)?)*, [0-9.]+ times as fast as `usual` there|"
                                   r"as the base, which runs only where thresholds are set for it)|left out: (it is best at no size|it would make .*|"
                                   r"without it, .* times as long, and no size more))$")
        self.assertLessEqual(found["worst"], 1.03)
        self.assert_disjoint(found)
        self.assert_not_slower(found)
        for one in found["not_monotone"]:
            self.assertEqual(one["measure"], measure)
            self.assertIn(one["threshold"], found["thresholds"])
            self.assertIn(one["size"], [size["size"] for size in found["tuned"]])
        for ladder, beside in found["beside_fastest"].items():
            self.assertIn(beside["runs"]["size"], [size["size"] for size in found[ladder]])
            self.assertLessEqual(1, beside["runs"]["mean"])
            self.assertLessEqual(beside["runs"]["mean"], beside["runs"]["worst"])
        lines = found["list"].splitlines()
        self.assertEqual([line.split()[0] for line in lines], found["versions"])
        for line in lines[:-1]:
            self.assertRegex(line, f" when [0-9]+ <= {measure}$")

    def test_are_timed_kept_and_written(self):
        found = self.succeed_json("thresholds", *HEAT, "--size", "64x32", *self.TIMED, "--list", "new.versions")
        self.assert_consistent(found, "state_bytes")
        self.assertEqual([one["from"] for one in found["proposed"]][-1], "the default schedule")
        self.assertEqual(os.path.exists(self.path("new.versions")), len(found["versions"]) > 1)

    def test_of_shapes_compare_rows(self):
        found = self.succeed_json("thresholds", *HEAT, "--size", "256x8", *self.TIMED, "--shapes")
        self.assert_consistent(found, "row_bytes")
        self.assertLessEqual({"64x32", "128x16", "256x8"}, {size["size"] for size in found["tuned"]})
        # A size at which a version was slower is tuned on, and sizes beside it judge.
        taken_in, wanted = found["taken_in"], ["45x46", "91x23", "181x11"]
        judged = [size["size"] for size in found["judged"]]
        self.assertEqual([size for size in judged if not taken_in or size in wanted],
                         [size for size in wanted if size not in taken_in])

    def test_champions_are_among_them(self):
        self.succeed(*self.WAVE, "--budget", 3)
        self.crown()
        found = self.succeed_json("thresholds", "wave", "--dim", 1, "--size", 2000, *self.TIMED)
        self.assert_consistent(found, "state_bytes")
        champion, = (one for one in found["proposed"] if one["name"] == "tuned_1000")
        self.assertEqual(champion["from"], "tuned at 1000, 3.00 times the default there")
        self.write("two.versions", f"tuned {champion['schedule']} when 0 <= cells\nusual default\n")
        ran = self.succeed_json("run", "wave", "--dim", 1, "--size", 50, "--steps", 1, "--quiet", "--versions",
                                "two.versions")
        self.assertEqual(ran["version"], "tuned")


if __name__ == "__main__":
    unittest.main()
