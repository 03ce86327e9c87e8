"""Data flows one way: an include that points up is rejected.

`ALLOWED[x]` lists the folders that x may include besides itself.
"""
import os
import re
import unittest

SOURCE = os.environ["PARAISO_SOURCE_DIR"]

ALLOWED = {
    "paraiso/support": set(),
    "paraiso/base": set(),
    "paraiso/om": {"paraiso/support", "paraiso/base"},
}
ALLOWED["paraiso/frontend"] = ALLOWED["paraiso/om"] | {"paraiso/om"}
ALLOWED["paraiso/passes"] = ALLOWED["paraiso/om"] | {"paraiso/om"}
ALLOWED["paraiso/plan"] = ALLOWED["paraiso/passes"] | {"paraiso/passes"}
ALLOWED["paraiso/hardware"] = ALLOWED["paraiso/plan"] | {"paraiso/plan"}
ALLOWED["paraiso/codegen"] = ALLOWED["paraiso/plan"] | {"paraiso/plan"}
ALLOWED["paraiso/runtime"] = ALLOWED["paraiso/codegen"] | {"paraiso/codegen", "paraiso/hardware"}
ALLOWED["numerics"] = ALLOWED["paraiso/frontend"] | {"paraiso/frontend"}
ALLOWED["paraiso/verify"] = ALLOWED["paraiso/runtime"] | {"paraiso/runtime"}
ALLOWED["paraiso/tune"] = ALLOWED["paraiso/runtime"] | {"paraiso/runtime"}
ALLOWED["apps"] = ALLOWED["paraiso/tune"] | {"paraiso/tune", "paraiso/frontend", "numerics"}
ALLOWED["cli"] = ALLOWED["apps"] | {"apps", "paraiso/verify"}

# The rooms of a folder, the lowest first: each may include itself and those before it. `""` is what lies in the folder
# itself.
ROOMS = {
    "paraiso/om": ["graph", "cells", "verify", "text", "divide", "interpret"],
    "paraiso/passes": ["rewrite", "analysis", "steps", ""],
    "paraiso/codegen": ["claris", "lower", "", "cpp", "parts", "cpu/lower", "cpu/print", "cpu", "device", "device/body",
                        "device/lower", "device/print", "device/host"],
    "paraiso/plan": ["schedule", "dispatch", "", "choices", "groups", "loops", "make", "cpu", "cost", "search",
                     "device/thread", "device", "device/cost", "device/search"],
    "paraiso/hardware": ["", "simulate"],
    "paraiso/runtime": ["", "system", "process", "fields", "build", "backend", "transport", "reductions", "ranks", "balance", "calibrate", "output", "plot", "run"],
    "paraiso/tune": ["database/sqlite", "database", "contest", "predict", "predict/near", "", "strategies/parts", "strategies", "analysis", "replay", "evaluate", "tuning", "rivals", "rivals/tables", "fast", "thresholds", "versions", "report/html", "scoreboard",
                     "report/data", "report"],
    "cli": ["call", "choices", "prepared", "execution", "tuning", "thresholds", "commands", ""],
}
# Of these folders, what is for a processor and what is for a device: neither includes the other.
APART = {"paraiso/codegen": ("cpu", "device"), "paraiso/plan": ("cpu", "device")}
SPELL_NOTHING = ("claris", "lower", "cpu/lower", "device/body", "device/lower")  # of codegen
# `strategy.cpp` has the table of all strategies, each of which knows what a strategy is.
EXCEPT = {("paraiso/tune/strategy.cpp", "paraiso/tune/strategies/all.hpp")}
MOST_FILES = 15  # of a room

# Generated sources are written with includes of their own, which name no folder of the house.
INCLUDE = re.compile(r'^\s*#\s*include\s+"([\w./]+)"', re.M)


def folder_of(path):
    """The house's folder that a path lies in, or None."""
    inside = [folder for folder in ALLOWED if path.startswith(folder + "/")]
    return inside[0] if inside else None


def sources():
    for folder in ALLOWED:
        for place, _, names in os.walk(os.path.join(SOURCE, folder)):
            for name in sorted(names):
                if name.endswith((".hpp", ".cpp")):
                    yield os.path.relpath(os.path.join(place, name), SOURCE)


def room_of(path, folder):
    """Of a file in a folder with rooms: in which it lies."""
    return path[len(folder) + 1:].rpartition("/")[0]


def climbs(path, included):
    """Whether one file of a folder with rooms includes one of a higher room."""
    folder = folder_of(path)
    if folder not in ROOMS or folder_of(included) != folder or (path, included) in EXCEPT:
        return False
    rooms = ROOMS[folder]
    return rooms.index(room_of(path, folder)) < rooms.index(room_of(included, folder))


def crosses(path, included):
    """Whether what is for a processor includes what is for a device, or the other way round."""
    folder = folder_of(path)
    if folder not in APART or folder_of(included) != folder:
        return False
    sides = {room_of(file, folder).partition("/")[0] for file in (path, included)}
    return sides == set(APART[folder])


def complaints(path, text):
    """Why the includes of the file at `path` are wrong, one line each."""
    own = folder_of(path)
    for included in INCLUDE.findall(text):
        other = folder_of(included)
        if other is None:
            yield f'{path}: "{included}" is not named from the repository\'s root'
        elif other != own and other not in ALLOWED[own]:
            yield f'{path}: {own} must not know {other}, which "{included}" is of'
        elif climbs(path, included):
            yield f'{path}: "{included}" is of a higher room'
        elif crosses(path, included):
            yield f'{path}: "{included}" is for another kind of machine'


class Includes(unittest.TestCase):
    maxDiff = None

    def test_point_down(self):
        files = list(sources())
        self.assertGreater(len(files), 100)
        found = []
        for path in files:
            with open(os.path.join(SOURCE, path)) as file:
                found += complaints(path, file.read())
        self.assertEqual(found, [])

    def test_one_that_points_up_is_seen(self):
        self.assertEqual(
            list(complaints("paraiso/om/graph/graph.hpp", '#include "paraiso/plan/schedule/schedule.hpp"\n')),
            ['paraiso/om/graph/graph.hpp: paraiso/om must not know paraiso/plan, '
             'which "paraiso/plan/schedule/schedule.hpp" is of'],
        )

    def test_one_that_is_not_from_the_root_is_seen(self):
        self.assertEqual(
            list(complaints("cli/commands/run.cpp", '  #include "values.hpp"\n')),
            ["cli/commands/run.cpp: \"values.hpp\" is not named from the repository's root"],
        )

    def test_one_that_climbs_within_a_folder_is_seen(self):
        self.assertEqual(
            list(complaints("paraiso/plan/schedule/genes.cpp",
                            '#include "paraiso/plan/make/repair.hpp"\n')),
            ['paraiso/plan/schedule/genes.cpp: "paraiso/plan/make/repair.hpp" is of a higher room'],
        )

    def test_processors_and_devices_do_not_know_each_other(self):
        for path, included in (("paraiso/codegen/device/lower/lower_fill.cpp", "paraiso/codegen/cpu/lower/loop_bounds.hpp"),
                               ("paraiso/plan/device/on_chip.cpp", "paraiso/plan/cpu/jam.hpp")):
            self.assertEqual(list(complaints(path, f'#include "{included}"\n')),
                             [f'{path}: "{included}" is for another kind of machine'])
        for folder, sides in APART.items():
            for side in sides:
                self.assertTrue(any(path.startswith(f"{folder}/{side}/") for path in sources()))

    def test_rooms_are_small(self):
        counts = {}
        for path in sources():
            if folder_of(path) in ROOMS:
                room = os.path.dirname(path)
                counts[room] = counts.get(room, 0) + 1
        self.assertGreater(len(counts), 20)
        self.assertEqual({room: n for room, n in counts.items() if n > MOST_FILES}, {})

    def test_trees_and_lowering_spell_nothing(self):
        """C++ is spelt by the printers alone: no text of a tree names a scope or a standard type."""
        spelt, seen = [], set()
        for path in sources():
            if folder_of(path) != "paraiso/codegen" or room_of(path, "paraiso/codegen") not in SPELL_NOTHING:
                continue
            seen.add(room_of(path, "paraiso/codegen"))
            with open(os.path.join(SOURCE, path)) as file:
                code = re.sub(r"//.*", "", file.read())
            spelt += [f"{path}: {text}" for text in re.findall(r'"(?:[^"\\\n]|\\.)*"', code) if "::" in text]
            spelt += [f"{path}: {included}" for included in INCLUDE.findall(code)
                      if re.match(r"paraiso/codegen/(?:cpp|(?:cpu|device)/print)/", included)]
        self.assertEqual(seen, set(SPELL_NOTHING))
        self.assertEqual(spelt, [])

    def test_every_folder_with_headers_is_known(self):
        for parent in ("", "paraiso"):
            place = os.path.join(SOURCE, parent)
            folders = [n for n in os.listdir(place) if os.path.isdir(os.path.join(place, n))]
            for name in folders:
                headers = any(f.endswith(".hpp") for f in os.listdir(os.path.join(place, name)))
                if headers:
                    self.assertIn(os.path.join(parent, name), ALLOWED)


if __name__ == "__main__":
    unittest.main()
