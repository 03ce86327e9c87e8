"""The installed package: a user's project finds it, builds against it, and the tutorial's commands run."""
import fnmatch
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = os.environ["PARAISO_SOURCE_DIR"]
BINARY = os.environ["PARAISO_BINARY_DIR"]


PRINTED = re.compile(r"<!-- printed by docs/tutorial/try.sh -->\n```\n(.*?)```", re.S)


def printed():
    """(page, line) of what the tutorial's pages say that its commands print; `...` stands for anything."""
    folder = os.path.join(SOURCE, "docs", "tutorial")
    for page in sorted(os.listdir(folder)):
        if page.endswith(".md"):
            with open(os.path.join(folder, page)) as file:
                for block in PRINTED.findall(file.read()):
                    yield from ((page, line) for line in block.splitlines())


def is_printed(line, output):
    pattern = re.sub(r"([][?*])", r"[\1]", line).replace("...", "*")
    return any(fnmatch.fnmatchcase(candidate, pattern) for candidate in output)


def run(*arguments, **options):
    result = subprocess.run(arguments, capture_output=True, text=True, timeout=900, **options)
    if result.returncode != 0:
        raise AssertionError(f"{arguments} ends with {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.prefix = os.path.join(cls.folder, "prefix")
        run("cmake", "--install", BINARY, "--prefix", cls.prefix)

    def test_headers_and_libraries_do_not_point_back_here(self):
        package = os.path.join(self.prefix, "lib", "cmake", "paraiso")
        if not os.path.isdir(package):  # Debian's multiarch, where the prefix is /usr
            package = run("find", self.prefix, "-path", "*cmake/paraiso", "-type", "d").strip()
        for name in os.listdir(package):
            with open(os.path.join(package, name)) as file:
                text = file.read()
            self.assertNotIn(SOURCE + "/", text, name)
            self.assertNotIn(BINARY + "/", text, name)

    def test_has_no_debug_information(self):
        files = [os.path.join(folder, name) for folder, _, names in os.walk(self.prefix) for name in names]
        binaries = [file for file in files if file.endswith((".a", "/bin/paraiso"))]
        self.assertGreater(len(binaries), 5)
        for path in binaries:
            with open(path, "rb") as file:
                self.assertNotIn(b".debug_info", file.read(), path)

    def test_command(self):
        run(os.path.join(self.prefix, "bin", "paraiso"), "apps")

    OWN = """#include "cli/command_line.hpp"
#include "paraiso/om/text/print.hpp"
using namespace paraiso;
int main(int argc, char** argv) {
  App app;
  app.name = "own";
  app.dimensions = {1};
  app.precisions = {om::Element::f64};
  app.problems = {{"drop", "a drop falls"}};
  app.build = [](const AppOptions&) {
    return om::parse("paraiso 1\\nmachine own dimension 1\\nstatic u local f64\\n  boundary 0 cyclic cyclic\\n"
                     "kernel drip initial\\n  %0 = load_index 0\\n  %1 = cast %0 f64\\n  store u %1\\nend\\n"
                     "kernel proceed step\\n  %0 = load u\\n  store u %0\\nend\\nend machine\\n");
  };
  return command_line(argc, argv, {app});
}
"""

    def test_a_program_of_a_user(self):
        project = os.path.join(self.folder, "own")
        os.mkdir(project)
        with open(os.path.join(project, "CMakeLists.txt"), "w") as file:
            file.write("cmake_minimum_required(VERSION 3.22)\nproject(own LANGUAGES CXX)\nfind_package(paraiso REQUIRED)\n"
                       "add_executable(own own.cpp)\ntarget_link_libraries(own PRIVATE paraiso::cli)\n")
        with open(os.path.join(project, "own.cpp"), "w") as file:
            file.write(self.OWN)
        run("cmake", "-S", project, "-B", project + "/build", env={**os.environ, "CMAKE_PREFIX_PATH": self.prefix})
        run("cmake", "--build", project + "/build")
        self.find_mpi(project + "/build/own")
        refused = subprocess.run([project + "/build/own", "run", "own"], capture_output=True, text=True)
        self.assertEqual(refused.stderr, "error: app `own` has a problem `drop`, and its machine no initial kernel of that name\n"
                                         "hint: it has drip\n")
        self.assertEqual(refused.returncode, 1)

    def find_mpi(self, own):
        """The library for it lies beside the installed command, not beside a user's program."""
        folders = [folder for folder, _, names in os.walk(self.prefix) if "libparaiso_mpi_openmpi.so" in names]
        if not folders:
            return print("SKIP: no Open MPI")
        found = json.loads(run(own, "doctor", "--json"))["mpi"]["openmpi"]
        self.assertEqual(found["library"], os.path.join(folders[0], "libparaiso_mpi_openmpi.so"))
        self.assertIn("Open MPI", found["version"])

    def test_tutorial(self):
        project = os.path.join(self.folder, "project")
        shutil.copytree(os.path.join(SOURCE, "docs", "tutorial"), project)
        output = run("bash", "-c", "bash try.sh 2>&1", cwd=project,
                     env={**os.environ, "CMAKE_PREFIX_PATH": self.prefix, "CXXFLAGS": "-Wall -Wextra -Werror"})
        for name in ("out/u_00001000.png", "plate/plate.xdmf", "ball/gas_00000449.h5", "gas_density.png", "report.html",
                     "labyrinth/v_00003000.png", "library/CMakeLists.txt", "v.png"):
            self.assertTrue(os.path.exists(os.path.join(project, name)), name)
        self.check_pages(output.splitlines())

    def check_pages(self, output):
        lines = list(printed())
        self.assertGreater(len(lines), 25)
        for page, line in lines:
            with self.subTest(page=page, line=line):
                self.assertTrue(is_printed(line, output), f"{page}: no command prints `{line}`")


if __name__ == "__main__":
    unittest.main()
