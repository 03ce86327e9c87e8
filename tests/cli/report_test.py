"""`report` from outside: what its page shows, and what it refuses, with the file as it was."""
import gzip
import base64
import json
import os
import re
import sqlite3
import unittest

from command import CommandTest

HEADER = (
    '{"paraiso_recording": 2, "machine": "heat", "program_hash": "a", "numbers": "fma", '
    '"element": "f64", "backend": "openmp", "compiler": "g++", "threads": 1, "size": "8x8", '
    '"host": "desk", "host_fingerprint": "cpu", "generator": "made", "initial": "hot", '
    '"parameters": "", "genes": [["k/vectors", ["1", "2"]]]}\n'
)
VERSIONS = {
    "versions": ["large", "base"], "usual": "base", "best_single": "large", "gain": 1, "thresholds": {"heat.proceed.large": 50},
    "tuned": [{"size": "5x5", "compared": [25], "seconds": [2e-6, 1e-6]},
              {"size": "9x9", "compared": [81], "seconds": [2e-6, 4e-6]}],
    "judged": [{"size": "7x7", "compared": [49], "seconds": [2e-6, 1.9e-6]}],
}


class Report(CommandTest):
    CALL = ("--output", "report.html")

    def refuse(self, status, text, *arguments):
        self.expect(status, text, "report", *arguments, *self.CALL)
        self.assertFalse(os.path.exists(self.path("report.html")))

    def test_of_a_recording(self):
        self.write("heat.recording", HEADER + '["A", 2e6, 1e3, "start", [], ""]\n'
                   '["B", 0.0, 0.0, "mutation", [1], "it was ended by signal 11"]\n')
        self.assertEqual(self.succeed("report", "heat.recording", *self.CALL), "report.html\n")
        page = self.read("report.html")
        self.assertIn("<h1>Tuning of heat, 8x8</h1>", page)
        self.assertIn("it was ended by signal 11", page)

    def curves(self, title):
        """The names of the curves in the page's picture of this title."""
        picture, = re.findall(f'<img alt="{title}" src="data:image/svg.xml;base64,([^"]*)"',
                              self.read("report.html"))
        drawn = base64.b64decode(picture).decode().split("<title>gnuplot_plot_")[1:]
        return [re.findall("<text>([^<]*)</text>", curve)[0] for curve in drawn if "<text>" in curve]

    def test_shows_the_curves_and_tables_of_what_it_is_given(self):
        self.make_database()
        self.write("other.recording", HEADER + '["A", 2e6, 1e3, "start", [], ""]\n')
        self.succeed("report", "old.sqlite", "other.recording", *self.CALL)
        self.assertIn(
            "champion and ancestors",
            self.curves("All individuals, and the family tree of the champion"))
        self.assertEqual(self.curves("Best so far"), ["old.sqlite", "other.recording"])
        self.assertEqual(self.curves("Roofline")[-2:], ["default", "best"])
        tables = re.findall("<caption>(.*)</caption>", self.read("report.html"))
        self.assertEqual(tables, [
            "Births", "Sessions", "The family tree", "Gene by gene", "Contribution distance",
            "Fitness relative to the parents", "Correlations", "Family lines as Markov chains"])

    def test_draws_which_version_runs_at_which_size(self):
        self.write("heat.recording", HEADER + '["A", 2e6, 1e3, "start", [], ""]\n')
        self.write("heat.json", json.dumps(VERSIONS))
        self.succeed("report", "heat.recording", *self.CALL, "--thresholds", "heat.json")
        self.assertIn("<td>9x9</td><td>tuned</td><td class=\"number\">0.500</td>", self.read("report.html"))
        self.assertEqual(self.curves("Which version runs at which size"),
                         ["large", "base", "heat.proceed.large = 50"])

    def test_of_a_tuning_on_ranks_draws_versions_too(self):
        header = HEADER.replace('"8x8"', '"8x8 on 2 ranks (1x2)"')
        self.write("heat.recording", header + '["A", 2e6, 1e3, "start", [], ""]\n')
        self.write("heat.json", json.dumps(VERSIONS))
        self.succeed("report", "heat.recording", *self.CALL, "--thresholds", "heat.json")

    def test_of_thresholds_of_another_program(self):
        self.write("heat.recording", HEADER + '["A", 2e6, 1e3, "start", [], ""]\n')
        self.write("wave.json", json.dumps(VERSIONS).replace("heat.", "wave."))
        self.refuse(1, "error: `wave.json` is not for `heat`: it has the threshold `wave.proceed.large`\n",
                    "heat.recording", "--thresholds", "wave.json")

    def test_of_thresholds_in_another_number_of_dimensions(self):
        self.write("heat.recording", HEADER + '["A", 2e6, 1e3, "start", [], ""]\n')
        self.write("heat.json", re.sub(r"\b(\d)x\d", r"\1x\1x\1", json.dumps(VERSIONS)))
        self.refuse(1, "error: `heat.json` is not for `heat` 8x8: it has the size 5x5x5\n",
                    "heat.recording", "--thresholds", "heat.json")

    def test_of_thresholds_that_are_none(self):
        self.write("heat.recording", HEADER + '["A", 2e6, 1e3, "start", [], ""]\n')
        self.write("heat.tuning", "heat.proceed.large=50\n")
        self.refuse(1, "error: `heat.tuning` is not what `paraiso thresholds --json` prints\n",
                    "heat.recording", "--thresholds", "heat.tuning")
        self.refuse(1, "error: can't read `no.json`: No such file or directory\n", "heat.recording",
                    "--thresholds", "no.json")

    def test_of_a_file_that_is_not_there(self):
        self.refuse(1, "error: can't read `no.sqlite`: No such file or directory\n", "no.sqlite")

    def test_of_a_file_that_is_something_else(self):
        self.write("notes.txt", "dear diary\n")
        foreign = "error: `{}` is neither a tuning database nor a recording\n"
        self.refuse(1, foreign.format("notes.txt"), "notes.txt")
        self.assert_fails(foreign.format("notes.txt"), "replay", "notes.txt")
        self.write("empty", "")
        self.refuse(1, "error: `empty` is empty: it is neither a tuning database nor a recording\n", "empty")
        hint = "hint: `replay FILE --import` reads the cache and T4 files of Kernel Tuner\n"
        self.write("cache.json", "{}\n")
        self.assert_fails(foreign.format("cache.json") + hint, "replay", "cache.json")
        with gzip.open(self.path("p.json.gz"), "w") as file:
            file.write(b"{}")
        self.assert_fails(foreign.format("p.json.gz") + hint, "replay", "p.json.gz")

    def test_of_a_recording_takes_no_option_of_others(self):
        self.write("heat.recording", HEADER + '["A", 2e6, 1e3, "start", [], ""]\n')
        no_database = "error: `--problem` is for a tuning database, and `heat.recording` is a recording\n"
        self.refuse(2, no_database, "heat.recording", "--problem", 7)
        self.assert_refused(no_database, "replay", "heat.recording", "--problem", 3)
        self.assert_refused("error: `--problem` is for a tuning database, and `--import` reads none\n",
                            "replay", "heat.recording", "--import", "--problem", 3)
        for option in ("--source", "--licence"):
            self.assert_refused(f"error: `{option}` is written into a recording: it needs `--output FILE`\n",
                                "replay", "heat.recording", option, "words")

    def test_a_written_recording_is_told_as_one_object(self):
        self.write("heat.recording", HEADER + '["A", 2e6, 1e3, "start", [], ""]\n')
        self.assertEqual(self.succeed_json("replay", "heat.recording", "--output", "z.recording"),
                         {"machine": "heat", "individuals": 1, "recording": "z.recording"})

    def test_of_a_tuning_without_individuals(self):
        self.write("heat.recording", HEADER)
        self.refuse(1, "error: `heat.recording` has no individuals\n", "heat.recording")

    def test_of_another_programs_database(self):
        database = sqlite3.connect(self.path("photos.sqlite"))
        database.execute("create table photo (id integer)")
        database.commit()
        database.close()
        before = self.bytes_of("photos.sqlite")
        self.refuse(
            1,
            "error: `photos.sqlite` is the database of another program\n"
            "hint: give a file of its own to the tuning\n",
            "photos.sqlite",
        )
        self.assertEqual(self.bytes_of("photos.sqlite"), before)

    def make_database(self, change=""):
        """An old one, as a copy that came from elsewhere."""
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "version_3.sql")) as file:
            script = file.read()
        database = sqlite3.connect(self.path("old.sqlite"))
        database.executescript(script + change)
        database.close()

    def test_of_an_older_database_changes_nothing(self):
        self.make_database()
        before = self.bytes_of("old.sqlite")
        self.assertEqual(self.succeed("report", "old.sqlite", *self.CALL), "report.html\n")
        page = self.read("report.html")
        self.assertIn("<h1>Tuning of heat, 8x8</h1>", page)
        self.assertIn("It is the champion, which runs use.", page)
        self.assertIn("Left out: prediction beside search (this version has not described the problem: `paraiso tune` "
                      "does that); versions by size (no `--thresholds FILE` was given).", page)
        replayed = self.succeed_json("replay", "old.sqlite", "--seeds", 1)
        self.assertEqual(replayed["individuals"], 2)
        self.assertEqual(self.bytes_of("old.sqlite"), before)
        self.assertEqual(sorted(os.listdir(self.folder)), ["old.sqlite", "report.html"])

    def test_of_a_damaged_gene_table(self):
        for genes, how in (
            ('[["k/vectors", ["1"', "the gene table of problem 1 can't be read"),
            ('[["k/vectors", []]]', "gene `k/vectors` has no alleles in problem 1"),
        ):
            with self.subTest(how):
                self.make_database(f"update problem set genes = '{genes}';")
                said = f"error: the tuning database `old.sqlite` is damaged: {how}\n"
                self.refuse(1, said, "old.sqlite")
                self.assert_fails(said, "replay", "old.sqlite")
                os.remove(self.path("old.sqlite"))

    def test_of_a_damaged_genome(self):
        self.make_database("update individual set genome = 'A7B' where id = 2;")
        said = "error: the tuning database `old.sqlite` is damaged: `A7B` of problem 1 is not a genome\n"
        self.refuse(1, said, "old.sqlite")
        self.assert_fails(said, "replay", "old.sqlite")

    def test_of_a_problem_without_individuals(self):
        self.make_database("insert into problem select 2, 'other', machine, program_hash, numbers, element,"
                           " backend, compiler, threads, size, host, host_fingerprint, gene_table_hash, genes"
                           " from problem;")
        said = "error: problem 2 of `old.sqlite` has no individuals\n"
        self.refuse(1, said, "old.sqlite", "--problem", 2)
        self.assert_fails(said, "replay", "old.sqlite", "--problem", 2)

    def test_into_a_folder_that_is_not_there(self):
        self.write("heat.recording", HEADER + '["A", 2e6, 1e3, "start", [], ""]\n')
        self.assert_fails(
            "error: can't write `no/report.html`: No such file or directory\n",
            "report", "heat.recording", "--output", "no/report.html",
        )
        self.assert_fails("error: can't write `no/report.html`: No such file or directory\n",
                          "report", "what is read later", "--output", "no/report.html")

    def test_without_gnuplot(self):
        self.write("heat.recording", HEADER + '["A", 2e6, 1e3, "start", [], ""]\n')
        self.expect(
            1,
            "error: no `gnuplot` on PATH: it draws the charts of a report\n"
            "hint: `apt-get install gnuplot-nox` has it\n",
            "report", "heat.recording", *self.CALL, env={"PATH": self.folder},
        )


if __name__ == "__main__":
    unittest.main()
