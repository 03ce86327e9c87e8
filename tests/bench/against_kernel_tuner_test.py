"""bench/against_kernel_tuner.py: the same space, failures included, for Kernel Tuner's strategies as for ours.

Kernel Tuner is not installed here: a few lines stand in for what is replaced of it.
"""
import json
import os
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import against_kernel_tuner as against  # noqa: E402

TIMES = {(16, "row"): 4.0, (16, "tile"): "CompilationFailedConfig", (32, "row"): "RuntimeFailedConfig", (32, "tile"): 2.0}
CACHE = {"tune_params_keys": ["block", "layout"],
         "cache": {f"{block},{layout}": {"block": block, "layout": layout, "time": time}
                   for (block, layout), time in TIMES.items()}}


class Space:
    """Remembers neighbours, as that of Kernel Tuner."""

    def __init__(self):
        self._Searchspace__neighbor_cache = {"Hamming": {"all": "known"}}
        self._Searchspace__neighbor_partial_cache = {"Hamming": {"all": ["known"]}}


def stand_in(seeds):
    """Modules in which a search asks for the space and returns what is in it."""
    names = ("kernel_tuner", "kernel_tuner.interface", "kernel_tuner.util", "kernel_tuner.strategies",
             "kernel_tuner.strategies.gen_hybrid_vndx")
    modules = {name: types.ModuleType(name) for name in names}
    package, interface, util, strategies, hybrid = modules.values()
    package.interface, package.util, package.strategies, strategies.gen_hybrid_vndx = interface, util, strategies, hybrid
    util.FunctionConstraint = lambda allowed: allowed
    util.infer_restrictions_from_cache = None
    util.read_cache = lambda path, **options: json.loads(pathlib.Path(path).read_text())
    util.process_cache = None
    hybrid.HybridVNDX = type("HybridVNDX", (), {})
    interface.Searchspace = Space

    def tune_cache(path, **options):
        cache = util.read_cache(path)
        allowed = util.infer_restrictions_from_cache(cache)
        space = interface.Searchspace()
        rows = [{"block": block, "layout": layout, "time": TIMES.get((block, layout)),
                 "known": dict(space._Searchspace__neighbor_cache["Hamming"])}
                for block in (16, 32, 64) for layout in ("row", "tile") if allowed(block, layout)]
        space._Searchspace__neighbor_cache["Hamming"]["first"] = "known"
        return rows, {}

    interface.tune_cache = tune_cache
    modules["numpy"] = types.ModuleType("numpy")
    modules["numpy"].random = types.SimpleNamespace(seed=seeds.append)
    return modules


class AgainstKernelTuner(unittest.TestCase):
    def test_a_search_meets_failures_and_begins_without_memory(self):
        seeds = []
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(sys.modules, stand_in(seeds)):
            path = os.path.join(folder, "add.json")
            with open(path, "w") as file:
                json.dump(CACHE, file)
            tuner = against.FastKernelTuner(path)
            first, second = (tuner.search("any", 10, seed) for seed in (5, 6))
        self.assertEqual({(row["block"], row["layout"]): row["time"] for row in first}, TIMES)
        self.assertEqual([row["known"] for row in first + second], [{}] * 8)
        self.assertEqual(seeds, [5, 6])

    def test_a_failure_is_an_evaluation(self):
        curve = against.curve_of([*CACHE["cache"].values(), CACHE["cache"]["16,row"]], CACHE["tune_params_keys"])
        self.assertEqual(curve, [4.0, 4.0, 4.0, 2.0])

    def test_each_space_has_seeds_of_its_own(self):
        seeds = [against.seed_of(space, seed) for space in ("add_A", "add_B") for seed in range(1, 101)]
        self.assertEqual(len(set(seeds)), 200)
        self.assertEqual(against.seed_of("add_A", 1), seeds[0], "the same always")
        self.assertTrue(all(0 <= seed < 2 ** 32 for seed in seeds), "as numpy asks")


if __name__ == "__main__":
    unittest.main()
