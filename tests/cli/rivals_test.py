"""`tune --recipes` and `rivals` from outside."""
import html
import json
import os
import re
import sqlite3
import unittest

from command import CommandTest

DATABASE = ("--database", "t.sqlite")
FIGURES = ["1", "10-five", "10-one", "11", "12", "13", "6", "7", "8-flops", "8-size"]
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

    def measure_three(self):
        """Six recipes of three solvers, of which two are copies of the first."""
        self.succeed(*WAVE, "--recipes", 6)
        for name in ("second", "third"):
            self.copy_problem(name, "individual", "listed", "description")

    def test_solvers_are_held_out(self):
        self.measure_three()
        whole = self.succeed_json("rivals", *DATABASE)
        self.assertEqual([whole["recipes"], len(whole["spaces"]), whole["tries"]], [6, 3, [1, 5, 10, 30]])
        best = {rival["name"]: rival["median"][0] for rival in whole["rivals"]}
        self.assertEqual([best["neighbour"], best["champions"]], [1, 1])  # the others are copies
        self.change("vacuum into ?", self.path("u.sqlite"))
        twice = self.succeed_json("rivals", "--database", "t.sqlite,u.sqlite")
        self.assertEqual([twice["recipes"], len(twice["spaces"])], [6, 6])
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
        self.assert_fails("error: `nonsense` is not among the solvers that were measured: second, third, wave\n",
                          "rivals", *DATABASE, "--silent", "nonsense")
        parts = self.succeed("rivals", "--ablations", *DATABASE)
        self.assertIn("3 programs and sizes, 6 recipes: ", parts)
        for name in ("champions -architecture", "neighbour -algorithm", "fast -input", "ours -plan", "fast K=5 of one"):
            self.assertRegex(parts, rf"\n{name} +[01]\.[0-9]{{3}} ")
        self.assertNotIn("K=10", parts)

    def test_sizes_or_machines_are_held_out(self):
        """Of a solver that is known at another size or on another machine, something is learnt."""
        self.measure_three()
        best = lambda call: {rival["name"]: rival["median"][0] for rival in call["rivals"]}["neighbour"]
        for by, change in (("size", "size = '2000'"), ("machine", "host_fingerprint = 'another'")):
            self.assert_fails(f"error: all that was measured is of one {by}\n", "rivals", *DATABASE, "--by", by)
            self.change(f"update problem set {change} where machine <> 'wave'")
            found = self.succeed_json("rivals", *DATABASE, "--by", by)
            self.assertEqual([found["held_out_by"], len(found["spaces"]), best(found)], [by, 3, 1])
            quiet = self.succeed_json("rivals", *DATABASE, "--by", by, "--silent", "second")
            self.assertEqual(len(quiet["spaces"]), 2)
        self.assertEqual(self.succeed_json("rivals", *DATABASE)["held_out_by"], "solver")
        self.assert_refused("error: `--held-out` names solvers: leave out `--by size`\n",
                            "rivals", *DATABASE, "--by", "size", "--held-out", "wave")
        self.assert_refused("error: no way to hold out `sizes`: did you mean `size`?\nhint: there is solver, size, machine\n",
                            "rivals", *DATABASE, "--by", "sizes")

    def invent_three(self):
        """Six recipes of three solvers, each faster than the one before it, and slower as the model expects."""
        self.succeed(*WAVE, "--recipes", 1)
        (genes, genome), = self.rows("select genes, genome from problem, individual")
        place = next(at for at, (gene, alleles) in enumerate(json.loads(genes)) if len(alleles) >= 6)
        for table in ("individual", "listed"):
            self.change(f"delete from {table}")
        for number, letter in enumerate("ABCDEF"):
            own = genome[:place] + letter + genome[place + 1:]
            self.change("insert into individual (problem, session, genome, genome_hash, method, temperature, score, deviation, "
                        "samples, reason, schedule_hash, code_hash, compile_seconds, born, finished) select 1, min(id), ?, ?, "
                        "'recipe', 0, ?, 0, '', '', '', '', 0, 0, 0 from session", own, number, 1e6 * (number + 1))
            self.change("insert into listed values (1, ?, ?, ?)", number, own, number + 1)
        for name in ("second", "third"):
            self.copy_problem(name, "individual", "listed", "description")

    def test_figures_of_known_speeds(self):
        self.invent_three()
        printed = self.succeed("rivals", *DATABASE, "--figures", "figures")
        self.assertEqual(sorted(os.listdir(self.path("figures"))),
                         [*(f"figure-{name}.csv" for name in FIGURES), "figures.html"])
        tables = {name: self.read(f"figures/figure-{name}.csv") for name in FIGURES}
        self.assert_known_figures(tables)
        page = html.unescape(re.sub('src="data:[^"]*"', "", self.read("figures/figures.html")))
        self.assertIn("<h1>Figures of FAST (2015)</h1>", page)
        self.assertIn("3 programs and sizes, 6 recipes", page)
        for name in FIGURES:
            self.assertRegex(page, f'<h2 id="s[0-9]+">Figure {name}</h2>')
        claims = dict(re.findall(r"figure (\S+): (.*)\n", printed))
        self.assertEqual(sorted(claims), FIGURES)
        self.assertEqual(claims["6"], "larger sets share more: 20 % of 100, 78 % of 2,100")
        self.assertEqual(printed.count("\n  can't be told, there is too little data: "), len(FIGURES), "of three solvers")
        for line in printed.splitlines():
            self.assertIn(line.strip().split(": ", 1)[1], page)

    def assert_known_figures(self, tables):
        names = [f"{solver} {self.rows('select program_hash from problem')[0][0][:6]} 1000"
                 for solver in ("second", "third", "wave")]
        by_program = lambda head, row: head + "\n" + "".join(f"{name},{row}\n" for name in names)
        self.assertEqual(tables["6"], "solutions,overlap,overlap_by_chance\n1,1,0.166667\n2,1,0.333333\n3,1,0.5\n"
                         "4,1,0.666667\n5,1,0.833333\n6,1,1\n")
        self.assertEqual(tables["7"], "solutions,speed_over_best,least\n1,1,1\n2,0.833333,0.833333\n3,0.666667,0.666667\n"
                         "4,0.5,0.5\n5,0.333333,0.333333\n6,0.166667,0.166667\n")
        self.assertEqual(tables["12"], by_program("program,part_of_the_predicted,part_of_the_list", "1,0.166667"))
        for name in ("8-flops", "8-size"):
            self.assertEqual(tables[name], "coefficient_of_variation,overlap,pairs\n", "no two differ")
        self.assertEqual(tables["10-one"].splitlines()[:2], ["solutions,speed_over_best,least,by_chance", "1,1,1,0.583333"])
        self.assertEqual(tables["1"].splitlines()[1], "1,0,0.833333")
        self.assertEqual(tables["11"], by_program("program,fast,ours,neighbour,model,default,drawn", "1,1,1,6,6,3.5"))
        self.assertEqual(tables["13"], by_program("program,fast,best_of_the_list,constant,model", "6,6,6,1"))

    def test_databases_that_say_nothing(self):
        self.assert_fails("error: can't read `t.sqlite`: No such file or directory\n", "rivals", *DATABASE)
        self.assertFalse(os.path.exists(self.path("t.sqlite")))
        self.invent_three()
        known = self.succeed_json("rivals", *DATABASE)
        self.change("update description set features = replace(features, '\"version\":1', '\"version\":0')")
        again = self.succeed_json("rivals", *DATABASE)
        self.assertEqual([again["spaces"], again["recipes"]], [known["spaces"], 6], "found out again, from the program's text")
        damaged = "error: the description of problem 1 is damaged\n"
        self.change("update program set text = 'paraiso 1 of another kind'")
        self.assert_fails(damaged, "rivals", *DATABASE)
        self.change("delete from program")
        self.assert_fails("error: all measured lists are of programs described by another version of Paraiso\n",
                          "rivals", *DATABASE)
        self.change("update description set features = '{'")
        before = self.bytes_of("t.sqlite")
        self.assert_fails(damaged, "rivals", *DATABASE)
        self.assertEqual(self.bytes_of("t.sqlite"), before)

    def test_figures_need_a_folder_that_can_be_made(self):
        self.write("figures", "")
        self.invent_three()
        result = self.command("rivals", *DATABASE, "--figures", "figures")
        self.assertEqual((result.returncode, result.stderr),
                         (1, "error: can't make the folder `figures`: a file of that name is in the way\n"))

    def test_a_list_is_no_search(self):
        self.assert_refused(
            "error: `--recipes` measures a list: leave out `--budget`, `--total` and `--from`\n",
            *WAVE, "--recipes", 3, "--budget", 4)


if __name__ == "__main__":
    unittest.main()
