"""What the documentation quotes is what is compiled and run.

A fenced block below a line `<!-- quoted from FILE -->` must be found, line by line, in FILE (relative
to the repository). Every block of cpp or cmake must say so, unless a test makes it (`made by`).
"""
import os
import re
import unittest

SOURCE = os.environ["PARAISO_SOURCE_DIR"]
QUOTED = re.compile(r"<!-- quoted from (\S+) -->")


def documents():
    yield from ("README.md", "CHANGELOG.md")
    for top in "docs", "bench", "apps":
        for folder, _, names in os.walk(os.path.join(SOURCE, top)):
            for name in sorted(names):
                if name.endswith(".md"):
                    yield os.path.relpath(os.path.join(folder, name), SOURCE)


def read(path):
    with open(os.path.join(SOURCE, path)) as file:
        return file.read()


def blocks(text):
    """(line above, language, text) of each fenced block."""
    above, language, inside = "", None, []
    for line in text.splitlines():
        if language is None and line.startswith("```"):
            language, inside = line[3:].strip(), []
        elif language is not None and line.startswith("```"):
            yield above, language, "".join(part + "\n" for part in inside)
            language, above = None, ""
        elif language is not None:
            inside.append(line)
        else:
            above = line


def prose(text):
    """The text without its fenced blocks."""
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def anchors(text):
    """What links to the headings of a page are called, and to places that it names itself."""
    headings = re.findall(r"^#+ (.*)$", prose(text), re.M)
    named = re.findall(r'<a name="([^"]+)">', text)
    return named + [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


class Quotes(unittest.TestCase):
    def test_blocks_are_quoted_from_files(self):
        quoted = 0
        for document in documents():
            for above, language, text in blocks(read(document)):
                with self.subTest(document=document, text=text[:60]):
                    source = QUOTED.match(above)
                    if source:
                        self.assertIn(text, read(source.group(1)))
                        quoted += 1
                    elif language in ("cpp", "cmake"):
                        self.assertIn("made by", above)
        self.assertGreater(quoted, 5)

    def test_links_lead_somewhere(self):
        links = 0
        for document in documents():
            for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", prose(read(document))):
                with self.subTest(document=document, target=target):
                    self.assertTrue(
                        os.path.exists(os.path.join(SOURCE, os.path.dirname(document), target))
                    )
                links += 1
        self.assertGreater(links, 20)

    def test_links_lead_to_headings(self):
        """`page.md#a-heading`, as GitHub names headings."""
        links = 0
        for document in documents():
            for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", prose(read(document))):
                page = os.path.normpath(os.path.join(os.path.dirname(document), target)) if target else document
                if not page.endswith(".md"):
                    continue
                with self.subTest(document=document, target=target, anchor=anchor):
                    self.assertIn(anchor, anchors(read(page)))
                links += 1
        self.assertGreater(links, 20)

    def test_where_things_happen_is_there(self):
        """Architecture's table of a tile's way: each word is in a file of its row."""
        table = read("docs/architecture.md").split("| question | file | search for |")[1].split("\n\n")[0]
        rows = [line.split(" | ") for line in table.splitlines()[2:]]
        self.assertGreater(len(rows), 5)
        for question, files, words in rows:
            texts = [read(os.path.join("docs", file)) for file in re.findall(r"\]\(([^)]+)\)", files)]
            for word in re.findall(r"`([^`]+)`", words):
                with self.subTest(question=question, word=word):
                    self.assertTrue(any(word in text for text in texts))

    def test_glossary_names_files(self):
        paths = re.findall(r"`([a-z_]+(?:/[a-z_0-9.]+)+/?)`", read("docs/glossary.md"))
        self.assertGreater(len(paths), 40)
        for path in paths:
            with self.subTest(path=path):
                found = any(os.path.exists(os.path.join(SOURCE, folder, path)) for folder in ("paraiso", ""))
                self.assertTrue(found, f"docs/glossary.md: no such file: {path}")


if __name__ == "__main__":
    unittest.main()
