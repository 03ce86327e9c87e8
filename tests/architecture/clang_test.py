"""Paraiso itself is accepted by clang++, too, with the flags that g++ has built it with."""
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest

SOURCE = os.environ["PARAISO_SOURCE_DIR"]
BINARY = os.environ["PARAISO_BINARY_DIR"]
FOLDERS = ("paraiso", "apps", "cli", "tests")


def sources_of(file):
    """A source, or those that CMake compiles together in it: each must be right by itself."""
    if not os.path.basename(file).startswith("unity_"):
        return [file]
    with open(file) as text:
        return re.findall(r'^#include "([^"]+)"', text.read(), re.M)


def commands():
    """What to call for each source of the libraries, the solvers, the command and the tests."""
    with open(os.path.join(BINARY, "compile_commands.json")) as file:
        for entry in json.load(file):
            words = shlex.split(entry["command"])
            flags = words[1 : words.index("-o")]
            for source in sources_of(entry["file"]):
                if os.path.relpath(source, SOURCE).split(os.sep)[0] in FOLDERS:
                    yield entry["directory"], ["clang++", *flags, "-fsyntax-only", source]


def complaints(call):
    folder, command = call
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return "" if result.returncode == 0 else f"{shlex.join(command)}\n{result.stderr}"


class Clang(unittest.TestCase):
    def test_accepts_every_source(self):
        calls = list(commands())
        self.assertGreater(len(calls), 250)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            refused = [text for text in pool.map(complaints, calls) if text]
        self.assertEqual(refused, [], "\n".join(refused))


if __name__ == "__main__":
    if not shutil.which("clang++"):
        sys.exit(77)
    unittest.main()
