"""What googletest is asked for is there: each filter of a script, of a page and of tests/CMakeLists.txt matches a test.

One that matches none is no error for googletest, so that tests which were renamed would no longer run, or run elsewhere.
"""
import fnmatch
import os
import re
import unittest

SOURCE = os.environ["PARAISO_SOURCE_DIR"]
TEST = re.compile(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", re.M)
INSTANCE = re.compile(r"^INSTANTIATE_TEST_SUITE_P\((\w+),\s*(\w+)", re.M)
ASKED = re.compile(r"test_(\w+) (?:--gtest_brief=1 )?--gtest_filter=(\S+)")


def text_of(*path):
    with open(os.path.join(SOURCE, *path)) as file:
        return file.read()


def tests_of(folder):
    """Names as filters see them; of a test with parameters as that of one without a name."""
    texts = [text_of("tests", folder, name) for name in os.listdir(os.path.join(SOURCE, "tests", folder)) if name.endswith(".cpp")]
    prefixes = {}
    for text in texts:
        for prefix, suite in INSTANCE.findall(text):
            prefixes.setdefault(suite, []).append(prefix)
    return [name for text in texts for suite, test in TEST.findall(text)
            for name in [f"{prefix}/{suite}.{test}/0" for prefix in prefixes.get(suite, [])] or [f"{suite}.{test}"]]


def asked_by_pages():
    """(where, folder, pattern)"""
    for place, folders, names in os.walk(SOURCE):
        folders[:] = [f for f in folders if f not in (".git", "tests") and not f.startswith("build")]
        for name in names:
            if name.endswith((".sh", ".md", ".py")):
                path = os.path.relpath(os.path.join(place, name), SOURCE)
                for folder, filters in ASKED.findall(text_of(path)):
                    for pattern in filters.strip("'\"`,.):").split(":"):
                        yield path, folder, pattern


def asked_by_cmake():
    for folder, words in re.findall(r"^paraiso_test\((\w+)(.*?)\)$", text_of("tests/CMakeLists.txt"), re.M | re.S):
        key = None
        for word in words.split():
            if word.isupper():
                key = word
            elif key in ("LONG", "MACHINE"):
                yield "tests/CMakeLists.txt", folder, word


class Filters(unittest.TestCase):
    def test_match_tests(self):
        known, asked = {}, [*asked_by_pages(), *asked_by_cmake()]
        self.assertGreater(len(asked), 20)
        for where, folder, pattern in asked:
            with self.subTest(where=where, pattern=pattern):
                names = known.setdefault(folder, tests_of(folder))
                self.assertTrue(fnmatch.filter(names, pattern), "matches no test")


if __name__ == "__main__":
    unittest.main()
