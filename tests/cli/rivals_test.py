"""`tune --recipes` and `rivals` from outside."""
import json
import re
import sqlite3
import unittest

from command import CommandTest

DATABASE = ("--database", "t.sqlite")
WAVE = ("tune", "wave", "--dim", 1, "--threads", 1, "--size", 1000, "--repeat", 1, "--rounds", 6, *DATABASE)


class Rivals(CommandTest):
    def rows(self, query):
        return sqlite3.connect(self.path("t.sqlite")).execute(query).fetchall()

    def test_a_list_is_measured_once(self):
        self.succeed(*WAVE, "--recipes", 3)
        listed = self.rows("select number, genome from listed order by number")
        self.assertEqual([number for number, genome in listed], [0, 1, 2])
        measured = self.rows("select genome from individual")
        self.assertEqual(set(measured), {(genome,) for number, genome in listed})
        self.succeed(*WAVE, "--recipes", 3)
        self.assertEqual(self.rows("select genome from individual"), measured)
        self.assert_fails(
            "error: the list of recipes is measured for fewer than three solvers\n"
            "hint: `scripts/record-training.sh` measures it\n", "rivals", *DATABASE)
        self.assert_reported()

    def assert_reported(self):
        """A solver like it, whose champion is the last recipe: `report` says what that let expect."""
        self.copy_problem("heat", "description", "contest")
        (best,), = self.rows("select genome from listed where number = 2")
        self.succeed("replay", "t.sqlite", "--problem", 1, "--output", "t.recording")
        with open(self.path("t.recording")) as file:  # which corrects scores as reports do
            scores = {line[0]: line[1] for line in map(json.loads, file.readlines()[1:])}
        self.change("update contest set won = 1, score = 2 * start_score, genome = ? where problem = 2", best)
        self.succeed("report", "t.sqlite", "--problem", 1, "--output", "report.html")
        with open(self.path("report.html")) as file:
            page = file.read()
        self.assertEqual(re.findall("<p>(Predicted is .*?)[.] ", page),
                         ["Predicted is what was best for heat 1000, 2.00 times as fast as the default"])
        row, = re.findall("<tr><td>heat 1000</td>(.*)</tr>", page)
        self.assertEqual(re.findall("<td[^>]*>([^<]*)</td>", row)[:3], ["1.00", "2.000", f"{scores[best] / 1e6:.4g}"])

    def change(self, statement, *values):
        database = sqlite3.connect(self.path("t.sqlite"))
        database.execute(statement, values)
        database.commit()
        database.close()

    def copy_problem(self, solver, *tables):
        """Problem 1 once more as that of another solver, with its rows of `tables`."""
        (last,), = self.rows("select max(id) from problem")
        for table in ("problem", *tables):
            columns = [column[1] for column in self.rows(f"pragma table_info({table})")]
            own = "id" if table == "problem" else "problem"
            changed = {"id": "null", "key": f"'{solver}'", "machine": f"'{solver}'", own: str(last + 1)}
            chosen = ", ".join(changed.get(column, column) for column in columns)
            self.change(f"insert into {table} select {chosen} from {table} where {own} = 1")

    def test_solvers_are_held_out(self):
        self.succeed(*WAVE, "--recipes", 6)
        for name in ("second", "third"):
            self.copy_problem(name, "individual", "listed", "description")
        whole = self.succeed_json("rivals", *DATABASE)
        self.assertEqual([whole["recipes"], len(whole["spaces"]), whole["tries"]], [6, 3, [1, 5, 10, 30]])
        best = {rival["name"]: rival["median"][0] for rival in whole["rivals"]}
        self.assertEqual([best["neighbour"], best["champions"]], [1, 1])  # the others are copies
        text = self.succeed("rivals", *DATABASE)
        self.assertRegex(text, r"\nfast +[01]\.[0-9]{3} ")
        self.assertNotIn("-input", text)
        self.assertEqual(set(whole["overlap_r2"]), {"fast", "ours", "likeness", "neighbour", "constant"})
        self.assertRegex(text, r"\nconstant +-?[0-9]+\.[0-9]{3}  the mean of the known programs\n")
        self.assertIn(f"3 of them are predicted for: list {whole['list']}\n", text)
        low, high = whole["rivals"][0]["median_interval"][0]
        self.assertLessEqual(low, high)
        quiet = self.succeed_json("rivals", *DATABASE, "--silent", "third")
        self.assertEqual(len(quiet["spaces"]), 2)
        self.assertNotEqual(quiet["list"], whole["list"])
        self.assert_fails("error: nobody is left to judge\n", "rivals", *DATABASE, "--silent", "wave,second,third")
        parts = self.succeed("rivals", "--ablations", *DATABASE)
        self.assertIn("3 programs and sizes, 6 recipes: ", parts)
        for name in ("champions -architecture", "neighbour -algorithm", "fast -input", "ours -plan", "fast K=5 of one"):
            self.assertRegex(parts, rf"\n{name} +[01]\.[0-9]{{3}} ")
        self.assertNotIn("K=10", parts)

    def test_a_list_is_no_search(self):
        self.assert_refused(
            "error: `--recipes` measures a list: leave out `--budget`, `--total` and `--from`\n",
            *WAVE, "--recipes", 3, "--budget", 4)


if __name__ == "__main__":
    unittest.main()
