"""Paraiso itself is accepted by clang++, too, with the flags that g++ has built it with.

What is installed is asked as CMake compiles it, several sources together, with headers of others that are read once. With
PARAISO_EVERY_SOURCE=1, as in scripts/test-long.sh, each source is asked by itself, with the headers that it includes, the
tests' too: that takes seven minutes of two cores.
"""
import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ["PARAISO_SOURCE_DIR"]
BINARY = os.environ["PARAISO_BINARY_DIR"]
EVERY = os.environ.get("PARAISO_EVERY_SOURCE") == "1"
# What many sources include, and takes clang++ as long as all that is our own.
HEADERS = ("CLI/CLI.hpp", "algorithm", "filesystem", "fmt/format.h", "fmt/ranges.h", "fstream", "functional", "map",
           "nlohmann/json.hpp", "optional", "regex", "set", "sstream", "string", "thread", "vector")
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
            flags = [word for word in words[1 : words.index("-o")] if not re.fullmatch("-[Og][0-3]?", word)]
            if "-include" in flags:  # what g++ has precompiled
                at = flags.index("-include")
                flags = flags[:at] + flags[at + 2:]
            sources = [source for source in together(entry["file"])
                       if os.path.relpath(source, SOURCE).split(os.sep)[0] in FOLDERS]
            for file in sources if EVERY else [entry["file"]] if sources else []:
                yield (entry["directory"], ["clang++", *flags, "-fsyntax-only", file],
                       1 if EVERY else len(sources))


def language(flags):
    """What a precompiled header and its users must have in common."""
    return tuple(flag for flag in flags if re.match("-std=|-f(?!syntax)|-DFMT_", flag))


def with_precompiled(calls, folder):
    """The same calls, where several have a language in common with HEADERS as clang++ reads them at once."""
    header = os.path.join(folder, "headers.hpp")
    with open(header, "w") as file:
        file.writelines(f"#include <{name}>\n" for name in HEADERS)
    made = {}
    for flags, count in collections.Counter(language(command[1:]) for _, command, _ in calls).items():
        if count > 2:
            made[flags] = os.path.join(folder, f"headers-{len(made)}.pch")
            subprocess.run(["clang++", *flags, "-x", "c++-header", header, "-o", made[flags]], check=True)
    for place, (clang, *rest), count in calls:
        precompiled = made.get(language(rest))
        yield place, [clang, *(["-include-pch", precompiled] if precompiled else []), *rest], count


def complaints(call):
    folder, command, _ = call
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return "" if result.returncode == 0 else f"{shlex.join(command)}\n{result.stderr}"


class Clang(unittest.TestCase):
    def test_accepts_every_source(self):
        calls = list(commands())
        self.assertGreater(sum(count for *_, count in calls), 450 if EVERY else 250)
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            calls = calls if EVERY else with_precompiled(calls, folder)
            refused = [text for text in pool.map(complaints, calls) if text]
        self.assertEqual(refused, [], "\n".join(refused))


if __name__ == "__main__":
    if not shutil.which("clang++"):
        sys.exit(77)
    unittest.main()
