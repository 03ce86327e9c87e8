"""What the tests of `tune` share. Gives: TuneTest."""
import json
import os
import sqlite3
import tempfile

from command import CommandTest


class TuneTest(CommandTest):
    """A small search, and the rows that it leaves in its database."""
    GRID = ("wave", "--dim", 1, "--size", 1000, "--threads", 1, "--database", "t.sqlite")
    WAVE = ("tune", *GRID, "--repeat", 2, "--rounds", 6)

    def rows(self, query):
        return sqlite3.connect(self.path("t.sqlite")).execute(query).fetchall()

    def crown(self, genome=None):
        """Says that the best has won, which a short search can't promise."""
        database = sqlite3.connect(self.path("t.sqlite"))
        database.execute("update contest set won = 1, score = 3 * start_score")
        if genome:
            database.execute("update contest set genome = ?", (genome,))
        database.commit()
        database.close()

    def alleles(self, problem):
        """Of each start, the allele of each gene."""
        (table,), = self.rows(f"select genes from problem where id = {problem}")
        starts = self.rows("select genome from individual where method = 'start' and"
                           f" problem = {problem} order by id")
        return [{gene: alleles["ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(letter)]
                 for (gene, alleles), letter in zip(json.loads(table), genome)}
                for genome, in starts]

    def with_faults(self, environment, faults):
        """The same with other faults, and nothing compiled yet."""
        folder = tempfile.mkdtemp(dir=self.folder)
        return {**environment, "FAULTS": faults, "PARAISO_CACHE": folder,
                "FAULT_LOG": os.path.join(folder, "faults")}
