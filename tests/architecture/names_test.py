"""A type's name means one thing: no two files define types that are called alike, headers or not.

`paraiso/support` is what generated code carries, with namespaces of its own: what lies there is compared with itself only.
A type in the front end may be called as the one of the machine that it stands for, and aliases of one type are alike.
"""
import collections
import os
import re
import unittest

SOURCE = os.environ["PARAISO_SOURCE_DIR"]
DEFINED = re.compile(r"^(?:struct|class|enum class|enum) ([A-Z]\w+)(?: final)?(?: : [^;{]+)?\s*\{|^using ([A-Z]\w+) = ([^;]+);", re.M)

# What the front end says for the machine's own, and the layers that launch kernels, of which a program has one.
LAYERS = {"paraiso/support/device/cuda_layer.hpp", "paraiso/support/device/opencl_layer.hpp"}
ALIKE = {
    "Boundary": {"paraiso/frontend/boundary.hpp", "paraiso/om/graph/machine.hpp"},
    "Offset": {"paraiso/frontend/axis.hpp", "paraiso/om/graph/instruction.hpp"},
    **{name: LAYERS for name in ("Kernel", "Memory", "Program")},
    "Device": LAYERS | {"paraiso/support/device/hip_layer.hpp"},
}


def without_scopes(type_text):
    return re.sub(r"\b[a-z]\w*::", "", type_text or "")


def definitions():
    """{(in support, name): {what it is: files that say so}}; what it is, of an alias, is the type, else the file."""
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for folder in ("paraiso", "numerics", "apps", "cli"):
        for place, _, names in os.walk(os.path.join(SOURCE, folder)):
            for name in names:
                if not name.endswith((".hpp", ".cpp")):
                    continue
                path = os.path.relpath(os.path.join(place, name), SOURCE)
                with open(os.path.join(SOURCE, path)) as file:
                    for match in DEFINED.finditer(file.read()):
                        found[path.startswith("paraiso/support/"), match[1] or match[2]][without_scopes(match[3]) or path].add(path)
    return found


# What is known of a card is asked of it; where there is none, one that is documented stands for it.
CARDS = re.compile(r"\b(?:[AHV]100|GH?200|[BH]200|P100|RTX ?\d+|MI\d{3}\w?|GTX ?\d+|(?:Tesla|GeForce|Radeon|Instinct)\b)")
DOCUMENTED = {"paraiso/plan/device/cost/device_model.hpp", "paraiso/plan/device/cost/device_model.cpp"}


class Names(unittest.TestCase):
    def test_no_card_is_known_by_its_name(self):
        naming = set()
        for folder in "paraiso", "numerics", "apps", "cli":
            for place, _, names in os.walk(os.path.join(SOURCE, folder)):
                for path in (os.path.join(place, name) for name in names if name.endswith((".hpp", ".cpp"))):
                    with open(path) as file:
                        if CARDS.search(file.read()):
                            naming.add(os.path.relpath(path, SOURCE))
        self.assertEqual(naming, DOCUMENTED)

    def test_are_of_one_type(self):
        found = definitions()
        self.assertGreater(len(found), 700)
        twice = {name: files for (_, name), meanings in found.items()
                 if len(meanings) > 1 and (files := set().union(*meanings.values())) != ALIKE.get(name)}
        self.assertEqual(twice, {}, "\n".join(f"{name}: {', '.join(sorted(files))}" for name, files in twice.items()))


if __name__ == "__main__":
    unittest.main()
