"""`scoreboard` and `replay --import` from outside: tables, refusals, the same bytes twice."""
import gzip
import json
import os
import unittest

from command import CommandTest


def cache(configurations):
    """A file of Kernel Tuner: blocks 1, 2, 4, ... in four layouts, each with its time in milliseconds."""
    rows = {f"{block},{layout}": {"block": block, "layout": layout, "time": time, "compile_time": 10.0}
            for (block, layout), time in configurations.items()}
    return json.dumps({"device_name": "card", "kernel_name": "add", "problem_size": [64, 8],
                       "tune_params_keys": ["block", "layout"],
                       "tune_params": {"block": [2 ** n for n in range(16)], "layout": ["a", "b", "c", "d"]},
                       "objective": "time", "cache": rows})


def landscape():
    """A valley along the blocks; the layouts differ; one configuration fails."""
    times = {(2 ** n, layout): 1.0 + abs(n - 9) / 2 + step for n in range(16)
             for layout, step in zip("abcd", (0.5, 0.0, 2.0, 1.0))}
    times[1, "c"] = "RuntimeFailedConfig"
    return cache(times)


HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "himeno_scores.json")
KEPT_OF_ROWS = ("scores", "interval", "best_after", "best_after_intervals", "evaluations_to_goal", "evaluations_interval")


def rounded(value):
    """To six digits: sums may be taken in another order elsewhere."""
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


class Scoreboard(CommandTest):
    def test_a_part_of_it_is_as_it_was(self):
        """`scripts/rewrite-goldens.sh` rewrites the kept one; docs/scoreboard.md is then to be made anew."""
        recording = os.path.join(HERE, "..", "tune", "spaces", "himeno.recording")
        space, = self.succeed_json("scoreboard", recording, "--seeds", 5)["spaces"]
        found = {row["strategy"]: {key: rounded(row[key]) for key in KEPT_OF_ROWS}
                 for row in space["rows"]}
        found["calculated"] = {key: rounded(space[key]) for key in ("random_after", "random_times")}
        if os.environ.get("PARAISO_REWRITE"):
            with open(KEPT, "w") as file:
                file.write("{" + ",\n".join(f'"{name}": {json.dumps(row)}' for name, row in found.items()) + "}\n")
        with open(KEPT) as file:
            self.assertEqual(found, json.load(file))

    def import_landscape(self, name="add", *options):
        os.makedirs(self.path("spaces"), exist_ok=True)
        with open(self.path(f"{name}.json.gz"), "wb") as file:
            file.write(gzip.compress(landscape().encode()))
        self.assertEqual(self.succeed("replay", f"{name}.json.gz", "--import", *options, "--output",
                                      f"spaces/{name}.recording"), "")

    def test_compares_strategies_on_an_imported_space(self):
        self.import_landscape("add", "--complete", "--source", "elsewhere", "--licence", "MIT")
        header = json.loads(self.read("spaces/add.recording").splitlines()[0])
        self.assertEqual((header["recorded"], header["source"], header["licence"], header["kinds"]),
                         ("exhaustive", "elsewhere", "MIT", ["numbers", "names"]))
        call = ("scoreboard", "spaces", "--seeds", 5)
        board = self.succeed_json(*call, "--html", "board.html")
        space, = board["spaces"]
        self.assertEqual((space["individuals"], space["failures"]), (64, 1))
        rows = {row["strategy"]: row for row in space["rows"]}
        self.assertGreater(rows["surrogate"]["score"], 0.2)
        self.assertEqual(len(rows["random"]["scores"]), 5)
        for row in rows.values():
            for part, (low, high) in zip(row["best_after"], row["best_after_intervals"], strict=True):
                self.assertTrue(low <= part <= high, row)
            low, high = row["evaluations_interval"]
            self.assertLessEqual(low, row["evaluations_to_goal"])
            self.assertTrue(high is None or high >= row["evaluations_to_goal"], row)
        self.assertEqual(self.succeed_json(*call), board, "the same again")
        page = self.read("board.html")
        self.assertIn("add.recording: 64 individuals, 1 of them failed", page)
        low, high = rows["random"]["best_after_intervals"][0]
        self.assertIn(f"{rows['random']['best_after'][0]:.3f} [{low:.3f}, {high:.3f}]", page)
        self.succeed(*call, "--html", "again.html")
        self.assertEqual(self.read("again.html"), page)
        text = self.succeed(*call)
        self.assertIn("one row again: paraiso scoreboard FOLDER/FILE --strategy NAME --seeds 5\n", text)
        again = self.succeed_json("scoreboard", "spaces/add.recording", "--strategy", "swarm", "--seeds", 5)
        self.assertEqual(again["spaces"][0]["rows"], [rows["swarm"]])

    def test_a_page_that_cannot_be_written(self):
        """It says so before all the work."""
        self.import_landscape("add", "--complete")
        self.assert_fails("error: can't write `no/board.html`: No such file or directory\n",
                          "scoreboard", "spaces", "--html", "no/board.html")
        self.assert_fails("error: can't write `spaces`: it is a folder\n", "scoreboard", "spaces", "--html", "spaces")
        self.assertEqual(os.listdir(self.path("spaces")), ["add.recording"])

    def test_says_what_it_is_doing(self):
        self.import_landscape("add", "--complete")
        result = self.command("scoreboard", "spaces", "--seeds", 1, "--strategy", "random")
        self.assertEqual(result.stderr, "add.recording: random\n")

    def test_leaves_trajectories_out(self):
        self.import_landscape()
        said = ("`add.recording` is a trajectory: a search chose its individuals, most of them good, so that searches "
                "can't be compared on it\n")
        self.assert_fails("error: " + said, "scoreboard", "spaces/add.recording")
        self.assert_fails("left out: " + said + "error: `spaces` has no complete recording (`*.recording`)\n",
                          "scoreboard", "spaces")

    def test_of_what_is_no_recording(self):
        self.assert_fails("error: can't read `nowhere`: No such file or directory\n", "scoreboard", "nowhere")
        os.makedirs(self.path("spaces"))
        self.assert_fails("error: `spaces` has no complete recording (`*.recording`)\n", "scoreboard", "spaces")
        self.write("spaces/a.recording", "dear diary\n")
        self.assert_fails("a.recording:1: error: this is no line of a recording\n", "scoreboard", "spaces")

    def test_of_a_wrong_file_to_import(self):
        self.write("a.json", "{")
        self.assert_fails("error: `a.json` is no file of Kernel Tuner: it is not JSON\n", "replay", "a.json", "--import")

    def test_settings_of_a_strategy(self):
        self.import_landscape("add", "--complete")
        self.succeed("scoreboard", "spaces", "--seeds", 1, "--strategy", "genetic:population=8,mutation=0.3")
        self.assert_refused("error: `genetic` has no setting `size`\n"
                            "hint: it has population, children, mutation, stepping, patience\n",
                            "scoreboard", "spaces", "--strategy", "genetic:size=8")
        self.assert_refused("error: `population` of `genetic` is a number from 2 to 10000, not `x`\n",
                            "scoreboard", "spaces", "--strategy", "genetic:population=x")

    def test_what_is_given_twice(self):
        """It would count twice, and the interval would be too narrow."""
        self.import_landscape("add", "--complete")
        for command, file in ("scoreboard", "spaces"), ("replay", "spaces/add.recording"):
            self.assert_refused("error: strategy `anneal` is given twice\n", command, file,
                                "--strategy", "anneal", "--strategy", "random", "--strategy", "anneal")
            self.assert_refused("error: `population` of `genetic` is set twice\n", command, file,
                                "--strategy", "genetic:population=10,population=20")
            self.succeed(command, file, "--seeds", 1, "--strategy", "genetic", "--strategy", "genetic:population=10")


if __name__ == "__main__":
    unittest.main()
