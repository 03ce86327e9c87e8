"""bench/imported_spaces.py: small files of both formats are imported as they are, and what is not is noticed."""
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARAISO = os.environ["PARAISO"]

TIMES = {(16, "row"): 4.0, (16, "tile"): 3.7, (32, "row"): "RuntimeFailedConfig", (32, "tile"): 1.3}
CACHE = {"device_name": "card", "kernel_name": "add", "problem_size": [64, 8], "tune_params_keys": ["block", "layout"],
         "tune_params": {"block": [16, 32], "layout": ["row", "tile"]}, "objective": "time",
         "cache": {f"{block},{layout}": {"block": block, "layout": layout, "time": time}
                   for (block, layout), time in TIMES.items()}}
T4 = {"metadata": {"timeunit": "miliseconds"}, "schema_version": "1.0.0", "results": [
    {"configuration": {"block": block, "layout": layout}, "times": {"compilation": 5.0, "runtimes": []},
     "invalidity": "correct" if isinstance(time, float) else "runtime",
     "measurements": [{"name": "time", "value": time, "unit": ""}]} for (block, layout), time in TIMES.items()]}

# Loses a configuration, adds a line when it prints again, and takes whatever it is given.
CARELESS = f"""#!/bin/sh
"{PARAISO}" "$@" 2>/dev/null
case "$*" in
*again.recording) echo >>again.recording;;
*space.recording) sed -i 3d space.recording;;
esac
"""


class ImportedSpaces(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def check(self, paraiso):
        paths = []
        for name, space in (("add.json.gz", CACHE), ("add_T4.json.gz", T4)):
            paths.append(os.path.join(self.folder, name))
            with gzip.open(paths[-1], "wt") as file:
                json.dump(space, file)
        script = os.path.join(SOURCE, "bench", "imported_spaces.py")
        return subprocess.run([sys.executable, "-B", script, paraiso, *paths], capture_output=True, text=True)

    def test_both_formats_are_imported_as_they_are(self):
        result = self.check(PARAISO)
        self.assertEqual(result.stdout, "add.json.gz: 4 configurations, 1 failed, best 1.3 ms: as in the file\n"
                         "add_T4.json.gz: 4 configurations, 1 failed, best 1.3 ms: as in the file\n2 of 2 files as they are\n")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_what_is_not_as_in_the_file_is_noticed(self):
        path = os.path.join(self.folder, "careless")
        with open(path, "w") as file:
            file.write(CARELESS)
        os.chmod(path, 0o755)
        result = self.check(path)
        self.assertEqual(result.returncode, 1)
        line = result.stdout.splitlines()[0]
        self.assertIn("ms: configuration 2 has None, not 3.7; 3 configurations, not 4; printed again, it is another file; "
                      "cut: exit 0, ``; cut when compressed: exit 0, ``; one byte short: exit 0, ``; nested: exit 0, ``; "
                      "strange: exit 0, ``; no file of its kind: exit 0, ``; empty: exit 0, ``", line)


if __name__ == "__main__":
    unittest.main()
