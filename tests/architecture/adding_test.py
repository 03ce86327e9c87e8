"""docs/adding.md is true when counted: small patches add something, and it works.

Each row of ADDED has a patch and a program in patches/. The patch is applied to a copy of the sources, the files that it
touches are counted and must be named in the row of docs/adding.md (of a new file its folder); the program uses what was
added: a limiter and a Riemann solver by their names, as `--choose` does. Those of COUNTED are only compiled.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = os.environ["PARAISO_SOURCE_DIR"]
COMPILER = os.environ.get("PARAISO_CXX", "c++")
PATCHES = os.path.join(SOURCE, "tests", "architecture", "patches")

# What is added -> the most places that it may touch.
ADDED = {"operator": 3, "pass": 3, "gene": 4, "limiter": 1, "Riemann solver": 1}
COUNTED = {"strategy": 3}

# Compiled anew for the proofs, without optimisation: all that a program passes through until it is planned.
ROOMS = ("support", "base", "om", "passes", "plan", "frontend")
OTHERS = ("paraiso/codegen/lower/spelling.cpp", "paraiso/runtime/choices.cpp", "apps/hydro/hydro.cpp")

REMAKE = """{patch} no longer applies to the sources: what it adds is added otherwise now.
Add the same by hand, as docs/adding.md says; if that takes other places, mend docs/adding.md too. Then
  git diff -U1 -- paraiso numerics apps > tests/architecture/patches/{patch}
and take the addition back: git apply -R tests/architecture/patches/{patch}
{why}"""


def file_of(name, kind):
    return os.path.join(PATCHES, name.lower().replace(" ", "_") + kind)


def patch_of(name):
    return file_of(name, ".patch")


def touched(name):
    with open(patch_of(name)) as file:
        return re.findall(r"^\+\+\+ b/(.+)$", file.read(), re.M)


def row_of(name):
    """The row of docs/adding.md about it."""
    with open(os.path.join(SOURCE, "docs", "adding.md")) as file:
        return next(line for line in file if f" **{name}** " in line)


def apply(name, folder):
    """Why the patch can't be applied to the copy in `folder`; nothing if it was."""
    # Outside any repository, or git would take the paths to be of the one around.
    result = subprocess.run(["git", "apply", patch_of(name)], cwd=folder, capture_output=True, text=True,
                            env=os.environ | {"GIT_CEILING_DIRECTORIES": os.path.dirname(folder)})
    return "" if result.returncode == 0 else REMAKE.format(patch=os.path.basename(patch_of(name)), why=result.stderr)


def sources_of(room):
    for folder, _, names in sorted(os.walk(room)):
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(".cpp"))


def compile(folder, name, sources):
    """Compiles some sources as one; returns the object."""
    one = os.path.join(folder, name + "_all.cpp")
    with open(one, "w") as file:
        file.writelines(f'#include "{source}"\n' for source in sources)
    made = os.path.join(folder, name + ".o")
    result = subprocess.run([COMPILER, "-std=c++20", "-O0", "-DFMT_SHARED", "-I", folder, "-c", one, "-o", made],
                            capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(f"{name}:\n{result.stderr[:4000]}")
    return made


def proof(name):
    return os.path.basename(file_of(name, "_proof"))


class Adding(unittest.TestCase):
    maxDiff = None

    def test_touches_as_few_places_as_promised(self):
        for name, most in (ADDED | COUNTED).items():
            with self.subTest(name):
                places = touched(name)
                self.assertGreater(len(places), 0)
                self.assertLessEqual(len(places), most, places)
                self.assertRegex(row_of(name), rf"\b{most} places?\b")

    def test_touches_what_the_page_names(self):
        for name in ADDED | COUNTED:
            for place in touched(name):
                is_new = not os.path.exists(os.path.join(SOURCE, place))
                self.assertIn(os.path.dirname(place) + "/" if is_new else os.path.basename(place), row_of(name))

    def test_compiles(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(SOURCE, "paraiso"), os.path.join(folder, "paraiso"))
            for name in COUNTED:
                self.assertEqual(apply(name, folder), "")
                for place in touched(name):
                    if place.endswith(".cpp"):
                        subprocess.run([COMPILER, "-std=c++20", "-fsyntax-only", "-I", folder, os.path.join(folder, place)],
                                       check=True)

    def test_works(self):
        with tempfile.TemporaryDirectory() as folder:
            for part in ("paraiso", "numerics", "apps", "tests/architecture/patches"):
                shutil.copytree(os.path.join(SOURCE, part), os.path.join(folder, part))
            for name in ADDED:
                self.assertEqual(apply(name, folder), "")
            parts = {room: sources_of(os.path.join(folder, "paraiso", room)) for room in ROOMS}
            parts["others"] = [os.path.join(folder, other) for other in OTHERS]
            parts |= {proof(name): [file_of(name, ".cpp")] for name in ADDED}
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                made = dict(zip(parts, pool.map(lambda part: compile(folder, part, parts[part]), parts)))
            objects = [made[part] for part in (*ROOMS, "others")]
            for name in ADDED:
                program = os.path.join(folder, proof(name) + "_run")
                subprocess.run([COMPILER, made[proof(name)], *objects, "-lfmt", "-o", program], check=True)
                self.assertEqual(subprocess.run([program]).returncode, 0, f"{name}: it does not do what it should")

    def test_a_patch_that_does_not_apply_says_what_to_do(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(
                apply("gene", folder).split("\n")[:4],
                ["gene.patch no longer applies to the sources: what it adds is added otherwise now.",
                 "Add the same by hand, as docs/adding.md says; if that takes other places, mend docs/adding.md too. Then",
                 "  git diff -U1 -- paraiso numerics apps > tests/architecture/patches/gene.patch",
                 "and take the addition back: git apply -R tests/architecture/patches/gene.patch"])


if __name__ == "__main__":
    unittest.main()
