"""A folder with a program in the place of `paraiso` that only pretends to measure, for tests of what calls it.

Gives: Pretending. Needs: a class variable FAKE, the program's text.
"""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
import unittest.mock


class Pretending(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.paraiso = self.folder / "paraiso"
        self.paraiso.write_text(self.FAKE)
        self.paraiso.chmod(0o755)

    def printed(self, main, *arguments):
        """What a script's `main` prints when it is called so."""
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(io.StringIO()), \
                unittest.mock.patch.object(sys, "argv", ["", *map(str, arguments)]):
            main()
        return text.getvalue()
