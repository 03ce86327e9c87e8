"""What the pages tell the reader to type is what the command accepts: options, choices, and a grid of the
program's dimension. Nothing is run: a schedule in no file is what each call then ends with.
"""
import os
import re
import shlex
import unittest

from command import CommandTest

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# A call with a size, up to the end of its code, of its line or its comment.
QUOTED = re.compile(r"paraiso (\w+ [\w.]+ [^`#|>&\n]*--size [^`#|>&\n]*)")
OF_THE_PROGRAM = ("--dim", "--precision", "--problem", "--choose", "--numbers", "--size")


def pages():
    for folder, folders, names in os.walk(SOURCE):
        folders[:] = [f for f in folders if f not in (".git", "tests") and not f.startswith("build")]
        for name in sorted(names):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), SOURCE)


def quoted_calls():
    """(page, words after `paraiso`), lines that end with a backslash joined."""
    for page in pages():
        with open(os.path.join(SOURCE, page)) as file:
            text = re.sub(r"\\\n\s*", " ", file.read())
        for found in QUOTED.finditer(text):
            yield page, shlex.split(found.group(1))


class QuotedCommands(CommandTest):
    def test_what_is_quoted_is_accepted(self):
        apps = {app["name"] for app in self.succeed_json("apps")["apps"]}
        helps, seen = {}, 0
        for page, words in quoted_calls():
            command, app = words[:2]
            if app not in apps and app != "APP":
                continue
            seen += 1
            with self.subTest(page=page, words=" ".join(words)):
                help_text = helps.setdefault(command, self.succeed(command, "--help"))
                options = [word for word in words if word.startswith("--")]
                self.assertEqual([o for o in options if not re.search(rf"{o}\b", help_text)], [])
                kept = [text for name, value in zip(words, words[1:]) if name in OF_THE_PROGRAM
                        for text in (name, value)]
                result = self.command("bench", "heat" if app == "APP" else app, *kept, "--schedule", "nowhere.schedule")
                self.assertEqual(result.stderr, "error: `--schedule nowhere.schedule`: no such file; or say `default`\n")
        self.assertGreater(seen, 30)


if __name__ == "__main__":
    unittest.main()
