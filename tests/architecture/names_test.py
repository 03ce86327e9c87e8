"""A type's name means one thing: no two headers define types that are called alike.

`paraiso/support` is what generated code carries, with namespaces of its own: what lies there is compared with itself only.
A type in the front end may be called as the one of the machine that it stands for.
"""
import collections
import os
import re
import unittest

SOURCE = os.environ["PARAISO_SOURCE_DIR"]
DEFINED = re.compile(r"^(?:struct|class|enum class|enum) ([A-Z]\w+)(?: final)?(?: : [^;{]+)?\s*\{|^using ([A-Z]\w+) =", re.M)

# What the front end says for the machine's own, and the layers that launch kernels, of which a program has one.
LAYERS = {"paraiso/support/device/cuda_layer.hpp", "paraiso/support/device/opencl_layer.hpp"}
ALIKE = {
    "Boundary": {"paraiso/frontend/boundary.hpp", "paraiso/om/machine.hpp"},
    "Offset": {"paraiso/frontend/axis.hpp", "paraiso/om/instruction.hpp"},
    **{name: LAYERS for name in ("Kernel", "Memory", "Program")},
    "Device": LAYERS | {"paraiso/support/device/hip_layer.hpp"},
}


def definitions():
    """{(in support, name): headers that define it}"""
    found = collections.defaultdict(set)
    for folder in ("paraiso", "numerics", "apps", "cli"):
        for place, _, names in os.walk(os.path.join(SOURCE, folder)):
            for name in names:
                if not name.endswith(".hpp"):
                    continue
                path = os.path.relpath(os.path.join(place, name), SOURCE)
                with open(os.path.join(SOURCE, path)) as file:
                    for match in DEFINED.finditer(file.read()):
                        found[path.startswith("paraiso/support/"), match[1] or match[2]].add(path)
    return found


class Names(unittest.TestCase):
    def test_are_of_one_type(self):
        found = definitions()
        self.assertGreater(len(found), 400)
        twice = {name: headers for (_, name), headers in found.items()
                 if len(headers) > 1 and headers != ALIKE.get(name)}
        self.assertEqual(twice, {}, "\n".join(f"{name}: {', '.join(sorted(headers))}" for name, headers in twice.items()))


if __name__ == "__main__":
    unittest.main()
