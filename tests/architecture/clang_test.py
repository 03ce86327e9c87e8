"""Paraiso itself is accepted by clang++, too, with the flags that g++ has built it with.

What is installed is asked as CMake compiles it, several sources together. With PARAISO_EVERY_SOURCE=1, as in
scripts/test-long.sh, each source is asked by itself, the tests' too: that takes seven minutes of two cores.
"""
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
EVERY = os.environ.get("PARAISO_EVERY_SOURCE") == "1"
FOLDERS = ("paraiso", "apps", "cli", "tests") if EVERY else ("paraiso", "apps", "cli")


def together(file):
    """The sources that CMake compiles as this one."""
    if not os.path.basename(file).startswith("unity_"):
        return [file]
    with open(file) as text:
        return re.findall(r'^#include "([^"]+)"', text.read(), re.M)


def commands():
    """(what to call, how many sources it reads), of the libraries, the solvers, the command and the tests."""
    with open(os.path.join(BINARY, "compile_commands.json")) as file:
        for entry in json.load(file):
            words = shlex.split(entry["command"])
            flags = words[1 : words.index("-o")]
            if "-include" in flags:  # what g++ has precompiled
                at = flags.index("-include")
                flags = flags[:at] + flags[at + 2:]
            sources = [source for source in together(entry["file"])
                       if os.path.relpath(source, SOURCE).split(os.sep)[0] in FOLDERS]
            for file in sources if EVERY else [entry["file"]] if sources else []:
                yield (entry["directory"], ["clang++", *flags, "-fsyntax-only", file],
                       1 if EVERY else len(sources))


def complaints(call):
    folder, command, _ = call
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return "" if result.returncode == 0 else f"{shlex.join(command)}\n{result.stderr}"


class Clang(unittest.TestCase):
    def test_accepts_every_source(self):
        calls = list(commands())
        self.assertGreater(sum(count for *_, count in calls), 450 if EVERY else 250)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            refused = [text for text in pool.map(complaints, calls) if text]
        self.assertEqual(refused, [], "\n".join(refused))


if __name__ == "__main__":
    if not shutil.which("clang++"):
        sys.exit(77)
    unittest.main()
