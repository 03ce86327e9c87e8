"""Files and functions stay small enough to be read.

Functions are found by counting braces in text without comments, strings and preprocessor lines. A lambda belongs to the
function that it stands in.
"""
import os
import re
import unittest

SOURCE = os.environ["PARAISO_SOURCE_DIR"]
FOLDERS = ("paraiso", "numerics", "apps", "cli")
MORE_FOLDERS = ("tests", "bench", "scripts")  # whose functions are not counted
NOT_OURS_TO_CUT = (os.path.join("tests", "golden", ""),  # generated
                   os.path.join("bench", "reference", ""))  # a whole solver a file, as people write them
MOST_LINES_OF_A_FILE = 450
MOST_LINES_OF_A_FUNCTION = 50

# Functions that are a table: all rows of something, in a form that is read row by row.
TABLES = {
    ("paraiso/codegen/cpp/print_expression.cpp", "spell"),  # the spelling of each kind of expression
    ("paraiso/codegen/device/elementary_text.cpp", "elementary_text"),  # a text in C
    ("paraiso/runtime/calibrate/probes.cpp", "probe_source"),  # a text in C++
    ("paraiso/tune/strategy.cpp", "strategies"),  # a row of each strategy
}

QUIET = re.compile(
    r'''(?P<raw>R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)")|(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)'''
    r'''|(?P<text>"(?:[^"\\\n]|\\.)*")|(?P<digits>(?<=[0-9a-fA-F])'(?=[0-9a-fA-F]))|(?P<char>'(?:[^'\\\n]|\\.)+')'''
    r'''|(?P<macro>^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)''',
    re.S | re.M)
# What may stand between a function's parameters and its body; a constructor's initialisers come after a colon.
AFTER_PARAMETERS = re.compile(r"\)\s*(?:const|noexcept|override|final|mutable|try|&&?|\s)*:(?!:)")
NAME = re.compile(r"((?:~?\w+|operator\s*[^\s\w(]+|operator\s*\(\s*\)|operator\s+\w+))\s*\(")


def quiet(text):
    """The text without comments, strings and preprocessor lines; every line keeps its number."""
    return QUIET.sub(lambda found: "\n" * found.group().count("\n") or " ", text)


def without_nested(head):
    """Without what stands in parentheses, brackets or angle brackets."""
    before = None
    while before != head:
        before, head = head, re.sub(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>", lambda m: m.group()[0] + m.group()[-1], head) \
            if re.search(r"\([^()]+\)|\[[^\[\]]+\]|<[^<>]+>", head) else head
    return head


def kind_of(head):
    """What an opening brace opens after `head`: a namespace, a class, a function, an initialiser of a member, or data."""
    bare = without_nested(head)
    if head.count("(") > head.count(")"):
        return "member"  # a default of a parameter
    if re.match(r"\s*(inline\s+)?namespace\b|\s*extern\s*$", bare):
        return "namespace"
    if re.match(r"\s*((template|requires)\s*<>\s*|typedef\s+|static\s+|const\s+|constexpr\s+|inline\s+)*"
                r"(class|struct|union|enum)\b[^()]*$", bare):
        return "class"
    if re.search(r"\]\s*(\(\)[^;=]*)?$", bare) and "=" in bare:
        return "function"  # a lambda with a name
    if re.search(r"(?<!operator)(?<![=!<>])=(?!=)", bare):
        return "data"
    if "(" not in bare:
        return "data"
    if AFTER_PARAMETERS.search(bare) and re.search(r"[\w>]\s*$", bare):
        return "member"
    return "function"


def name_of(head):
    """Of a function: the word before its parameters, or before `=`."""
    named = NAME.search(head.split("=")[0] if "operator" not in head else head)
    words = head.split("=")[0].split()
    return named.group(1) if named else words[-1] if words else ""


def functions(text):
    """(name, first line, number of lines) of each function that is defined in the text."""
    text = quiet(text)
    scopes, found, start = [], [], 0  # a scope: (kind, name, line of its head)
    line = 1
    for at, char in enumerate(text):
        if char == "\n":
            line += 1
        elif char == "{":
            outside = all(kind in ("namespace", "class") for kind, *_ in scopes)
            head = re.sub(r"^\s*(public|private|protected)\s*:", "", text[start:at])
            kind = kind_of(head) if outside else "inner"
            first = line - head.lstrip().count("\n")
            scopes.append((kind, name_of(head), first))
            if kind != "member" and outside:
                start = at + 1
        elif char == "}":
            kind, name, first = scopes.pop()
            if kind == "function":
                found.append((name, first, line - first + 1))
            if kind != "member" and all(k in ("namespace", "class") for k, *_ in scopes):
                start = at + 1
        elif char == ";" and all(kind in ("namespace", "class") for kind, *_ in scopes):
            start = at + 1
    if scopes:
        raise AssertionError(f"braces are not balanced: {scopes}")
    return found


def sources(folders=FOLDERS, endings=(".hpp", ".cpp")):
    for folder in folders:
        for place, _, names in os.walk(os.path.join(SOURCE, folder)):
            for name in sorted(names):
                if name.endswith(endings):
                    yield os.path.relpath(os.path.join(place, name), SOURCE)


def read(path):
    with open(os.path.join(SOURCE, path)) as file:
        return file.read()


class Sizes(unittest.TestCase):
    maxDiff = None

    def test_no_file_is_long(self):
        written = [path for path in sources(FOLDERS + MORE_FOLDERS, (".hpp", ".cpp", ".py", ".sh"))
                   if not path.startswith(NOT_OURS_TO_CUT)]
        lines = {path: read(path).count("\n") for path in written}
        self.assertGreater(len(lines), 600)
        self.assertEqual({path: n for path, n in lines.items() if n > MOST_LINES_OF_A_FILE}, {})

    def test_no_function_is_long_but_tables(self):
        long, count = {}, 0
        for path in sources():
            for name, _, lines in functions(read(path)):
                count += 1
                if lines > MOST_LINES_OF_A_FUNCTION:
                    long[path, name] = lines
        self.assertGreater(count, 2500)
        self.assertEqual({place: n for place, n in long.items() if place not in TABLES}, {})
        self.assertEqual(TABLES - set(long), set(), "tables that are short by now")

    def test_functions_are_counted(self):
        text = '''// int no(int x) {
#define NO(x) \\
  int no_##x() { return x; }
namespace house {
constexpr int kData[] = {1, 2,
                         1'000};
int one(int x) { return x; }
template <class T>
int two(T x) {
  if (x) { return '{'; }
}
struct Room {
  Room(int a, int b)
      : a_(a), b_{b} {
    const auto inner = [&] {
      return "}";
    };
  }
  bool operator==(const Room& other) const { return true; }
  int b_{3};
};
auto three = [](int x) {
  return x;
};
const char* four() {
  return R"PARAISO(
int no() {
)PARAISO";
}
int five(std::function<int(int)> f = {}) noexcept {
}
}  // namespace house
'''
        self.assertEqual(
            functions(text),
            [("one", 7, 1), ("two", 8, 4), ("Room", 13, 6), ("operator==", 19, 1), ("three", 22, 3), ("four", 25, 5),
             ("five", 30, 2)])


if __name__ == "__main__":
    unittest.main()
