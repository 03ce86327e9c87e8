"""Thresholds as code has them: what loops do by theirs, what is compared on ranks, and the values that `emit` writes."""
import json
import os
import re
import subprocess
import unittest

from command import CommandTest
from emit_test import EmitTest
from versions_test import ASKED, HEAT, VERSIONS

# One call of each kernel, with thresholds of loops that are set in the way that the first argument says. Tells how many threads there are then,
# and whether loops over so few bytes store past the caches.
USER = """#include <filesystem>
#include <iostream>
#include <string>

#include "heat.hpp"

int main(int, char** argv) {
  const std::string way = argv[1], path = "loops.tuning";
  const paraiso_support::Tuning tuning{{"heat.least_shared", std::stoll(argv[2])}, {"heat.streaming", std::stoll(argv[3])}};
  paraiso_solver::heat solver({33, 17}, 2, way == "constructor" ? tuning : paraiso_support::Tuning());
  if (way == "setter")
    for (const auto& [name, value] : tuning) solver.set_threshold(name, value);
  if (way == "file") solver.load_tuning(path);
  solver.decay();
  solver.proceed();
  solver.error();  // whose loops are the longest
  namespace fs = std::filesystem;
  std::cout << std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator()) << ' '
            << paraiso_support::too_large_to_keep(8, solver.grid_) << '\\n'
            << solver.comparisons();
}
"""


def compared(text):
    return {name: int(value) for name, value in re.findall(r"Compared ([^ ]+) <= (-?[0-9]+)[.]", text)}


class EmittedThresholds(EmitTest):
    MOST = 2**63 - 1

    def test_of_loops_decide_about_threads_and_stores(self):
        self.succeed("emit", *HEAT, "--schedule", "default", "--output", "out")
        self.write("user.cpp", USER)
        self.run_alone(".", "g++", "-std=c++17", "-O1", "-ffp-contract=off", "-fopenmp", "-fno-access-control", "-Iout", "out/heat.cpp",
                       "out/paraiso_support.cpp", "user.cpp", "-o", "user")
        for way in "constructor", "setter", "file":
            def told(shared, streamed):
                self.write("loops.tuning", f"heat.least_shared={shared}\nheat.streaming={streamed}\n")
                first, *lines = self.run_alone(".", "./user", way, shared, streamed).splitlines()
                return first, compared("\n".join(lines))

            values = told(0, 0)[1]
            work = values["heat.least_shared"]
            self.assertGreater(work, 0)
            for shared, threads in (0, 2), (work, 2), (work + 1, 1), (self.MOST, 1):
                self.assertEqual(told(shared, 0), (f"{threads} 1", values), way)
            for streamed, streams in (33 * 17 * 8, 1), (10**6, 0), (self.MOST, 0):
                self.assertEqual(told(self.MOST, streamed), (f"1 {streams}", values), way)

    def test_are_those_of_the_file(self):
        self.write("heat.versions", VERSIONS)
        self.write("heat.tuning", "heat.proceed.rows=12\nheat.least_shared = 34\nheat.streaming=56\n")
        for options, rows in (ASKED, 12), ((), None):
            if rows is None:
                self.write("heat.tuning", "heat.least_shared=34\nheat.streaming=56\n")
            self.succeed("emit", *HEAT, *options, "--tuning", "heat.tuning", "--output", "out")
            written = re.findall(r'^ +\{"([\w.]+)", (\S+), 0\},', self.read("out/heat.hpp"), re.M)
            versions = [("heat.proceed.large", "1000000"), ("heat.proceed.rows", "12")] if rows else []
            self.assertEqual(written, versions + [("heat.least_shared", "34"), ("heat.streaming", "56")])
        self.assert_refused("error: `heat.tuning` is not for `wave`: it sets `heat.least_shared`\n", "emit", "wave", "--tuning",
                            "heat.tuning", "--output", "wave")

    def test_of_planned_versions_are_the_caches_of_the_machine(self):
        with open(os.environ["PARAISO_MACHINE"]) as file:
            machine = json.load(file)
        own, last = (machine["caches"][level]["bytes"] * machine["threads"] for level in (1, -1))
        values = {"large": int(last), "middle": int(own), "usual": int(own / 4)}
        heat = ["heat", "--dim", 3]  # whose schedules differ with any vectors
        self.succeed("emit", *heat, "--versions", "auto", "--output", "out")
        written = re.findall(r'^ +\{"heat.proceed.(\w+)", (\d+), 0\},', self.read("out/heat.hpp"), re.M)
        self.assertGreater(len(written), 0)
        self.assertEqual([(name, int(value)) for name, value in written],
                         [(name, values[name]) for name in values if name in dict(written)])
        self.assertEqual(re.findall(r"^heat.proceed.(\w+) ", self.succeed("show", *heat, "--versions", "auto", "--thresholds"), re.M),
                         [name for name, _ in written])


class AskedThresholds(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("heat.versions", VERSIONS)

    @unittest.skipIf(os.environ.get("PARAISO_SANITIZE"), "SKIP: sanitizers want to be loaded first")
    def test_of_loops_are_what_the_command_runs_by(self):
        """Threads that are started, which is one more where two share the loops."""
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fakes/threads.cpp")
        subprocess.run(["g++", "-std=c++17", "-shared", "-fPIC", source, "-o", self.path("threads.so"), "-ldl"], check=True)
        call = ["bench", *HEAT, "--size", "33x17", "--steps", 1, "--repeat", 1, "--threads", 2, "--schedule", "default"]
        self.succeed(*call)  # compiled

        def started(shared):
            self.write("loops.tuning", f"heat.least_shared={shared}\n")
            self.write("log", "")
            self.succeed(*call, "--tuning", "loops.tuning",
                         env={"LD_PRELOAD": self.path("threads.so"), "THREADS_LOG": self.path("log")})
            return len(self.read("log").splitlines())

        self.assertEqual(started(0) - started(2**63 - 1), 1)

    def test_are_told_on_ranks(self):
        """Of versions what the largest part compares, whichever that is, and of loops what the first does."""
        for ranks, cells in ((2, 33 * 9), (3, 33 * 6)):
            found = self.command("bench", *HEAT, "--size", "33x17", "--steps", 1, "--repeat", 1, "--threads", 1, "--ranks", ranks,
                                 *ASKED, "--log-thresholds")
            self.assertEqual(found.returncode, 0, found.stderr)
            values = compared(found.stderr)
            self.assertEqual(list(values), ["heat.proceed.large", "heat.proceed.rows", "heat.least_shared", "heat.streaming"])
            self.assertEqual((values["heat.proceed.large"], values["heat.proceed.rows"]), (8 * cells, cells))
            self.assertGreater(values["heat.least_shared"], 0)

    def test_verify_takes_a_file(self):
        """Each version is forced all the same, and thresholds of loops are used."""
        self.write("heat.tuning", "heat.proceed.large=3\nheat.least_shared=0\n")
        said = self.succeed("verify", *HEAT, *ASKED, "--tuning", "heat.tuning", "--compiler", "g++", "--size", "9x7")
        self.assertIn("3 schedules, 1 libraries", said)
        self.write("heat.tuning", "heat.proceed.middle=3\n")
        self.assert_refused("error: `heat.tuning`: no threshold `heat.proceed.middle`: `proceed` has `heat.proceed.large`, "
                            "`heat.proceed.rows`, and its loops have `heat.least_shared`, `heat.streaming`\n", "verify", *HEAT, *ASKED,
                            "--tuning", "heat.tuning", "--compiler", "g++")


if __name__ == "__main__":
    unittest.main()
