"""The references of bench/ beside Paraiso: from one state, both come to one state, to round-off.

A reference writes the state at its start. Paraiso goes on from it, as from a checkpoint of its own,
by the interpreter, whose bits every schedule has. Both take a few steps; every cell is compared.

Given by CTest: PARAISO (the executable) and REFERENCES (the folder of the references).
"""
import array
import dataclasses
import hashlib
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

STEPS = 4
ROUND_OFF = 1e-12  # of the largest value of a field
TYPE_CODES = {"f64": "d", "f32": "f", "i64": "q", "i32": "i", "bool": "B"}


class Checkpoint:
    """What `--checkpoint` wrote, see docs/files.md: the values of each static, to be changed."""

    SEALED = 2**20  # bytes of the statics whose hash the seal holds

    def __init__(self, path):
        content = path.read_bytes()
        magic, length, rest = content.split(b"\n", 2)
        header = rest[:int(length)]
        self.start = b"\n".join([magic, length, header])
        self.values, at = {}, len(self.start)
        described = json.loads(header)
        for name, realm, element in described["statics"]:
            values = array.array(TYPE_CODES[element])
            count = math.prod(described["size"]) if realm == "local" else 1
            values.frombytes(content[at:at + count * values.itemsize])
            self.values[name], at = values, at + count * values.itemsize

    def write(self, path):
        statics = b"".join(values.tobytes() for values in self.values.values())
        seal = hashlib.sha256(self.start)
        for at in range(0, len(statics), self.SEALED):
            seal.update(hashlib.sha256(statics[at:at + self.SEALED]).digest())
        path.write_bytes(self.start + statics + seal.digest())

    def scalar(self, name):
        return self.values[name][0]


@dataclasses.dataclass(frozen=True)
class Problem:
    call: list  # of Paraiso
    size: str
    statics: list  # in the order of the reference's state
    units: object = lambda start: {}  # by static, where a number of the reference is ours times it
    prepare: object = lambda start: None  # sets the statics that the reference's state lacks
    more_forms: list = dataclasses.field(default_factory=list)


def energy_in_units_of_f(start):
    """As bench/reference/wave.cpp writes g and the energies of a box of 2 pi."""
    dt = start.scalar("time_step")
    energy = dt * dt / (0.5 * (2 * math.pi) ** 3)
    return {"g": dt, "energy": energy, "staggered_energy": energy}


def two_layers_at_rest(start):
    """As bench/reference/acoustic.cpp starts, on a cube: (speed * time step / width)^2 is 0.05
    before the middle of the last axis and 0.1 beyond it."""
    values = start.values
    values["before"] = values["now"]
    cells = len(values["medium"])
    unit = (round(cells ** (1 / 3)) * start.scalar("time_step")) ** 2
    for i in range(cells):
        values["medium"][i] = (0.05 if 2 * i < cells else 0.1) / unit


GAS = ["--problem", "kelvin_helmholtz", "--set", f"gamma={5 / 3}"]
PROBLEMS = {
    "hello": Problem(["hello"], "128", ["density"]),
    "life": Problem(["life", "--problem", "random"], "128x20", ["alive", "population"]),
    "wave": Problem(["wave", "--dim", "3"], "32x12x10",
                    ["f", "g", "energy", "staggered_energy"], units=energy_in_units_of_f),
    "heat": Problem(["heat", "--dim", "3"], "32x12x10", ["u"],
                    more_forms=[["best", "--fuse", "2"]]),
    "acoustic": Problem(["acoustic", "--dim", "3", "--problem", "standing", "--precision", "f64"],
                        "16x16x16", ["now"], prepare=two_layers_at_rest,
                        more_forms=[["best", "--fuse", "2"]]),
    "himeno": Problem(["himeno", "--precision", "f64"], "33x12x10", ["p", "gosa"]),
    "hydro2d": Problem(["hydro", "--dim", "2", *GAS], "64x20",
                       ["density", "momentum_x", "momentum_y", "energy", "time_step"],
                       more_forms=[["divided"]]),
    "hydro3d": Problem(["hydro", "--dim", "3", *GAS], "32x12x10",
                       ["density", "momentum_x", "momentum_y", "momentum_z", "energy",
                        "time_step"], more_forms=[["divided"]]),
}


class References(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def state(self, name, form, *steps):
        """What the reference has computed, as one list."""
        path = self.folder / "state"
        self.call(f"{os.environ['REFERENCES']}/reference_{name}", "--form", *form, "--size",
                  PROBLEMS[name].size, "--precision", "bool" if name == "life" else "f64",
                  "--threads", "2", "--state", path, *steps)
        values = array.array("d")
        values.frombytes(path.read_bytes())
        return values

    def run_paraiso(self, name, *arguments):
        problem, path = PROBLEMS[name], self.folder / "end"
        self.call(os.environ["PARAISO"], "run", *problem.call, "--size", problem.size, "--quiet",
                  "--backend", "interpreter", "--checkpoint", path, *arguments)
        return Checkpoint(path)

    def begin(self, name):
        """A checkpoint with the state at which the reference begins, and the units."""
        problem, start = PROBLEMS[name], self.run_paraiso(name, "--steps", "0")
        units, state = problem.units(start), self.state(name, ["plain"])
        for static, numbers in self.parts(start, problem.statics, state):
            values = start.values[static]
            convert = float if values.typecode in "df" else int
            values[:] = array.array(values.typecode,
                                    (convert(number / units.get(static, 1)) for number in numbers))
        problem.prepare(start)
        start.write(self.folder / "start")
        return units

    def parts(self, checkpoint, statics, state):
        """Name by name, what of the reference's state belongs to it."""
        lengths = [len(checkpoint.values[static]) for static in statics]
        self.assertEqual(sum(lengths), len(state))
        at = 0
        for static, length in zip(statics, lengths):
            yield static, state[at:at + length]
            at += length

    def compare(self, name):
        problem, units = PROBLEMS[name], self.begin(name)
        end = self.run_paraiso(name, "--restart", self.folder / "start", "--steps", str(STEPS))
        forms = [["plain"]] + ([["best"]] if name != "hello" else []) + problem.more_forms
        for form in forms:
            state = self.state(name, form, "--steps", str(STEPS))
            for static, theirs in self.parts(end, problem.statics, state):
                ours = [value * units.get(static, 1) for value in end.values[static]]
                apart = max(abs(a - b) for a, b in zip(ours, theirs))
                with self.subTest(form=form, static=static):
                    self.assertLessEqual(apart, ROUND_OFF * max(map(abs, ours)))

    def test_each_state_changes(self):
        """By more than round-off: else agreement would mean nothing."""
        for name in PROBLEMS:
            start = self.state(name, ["plain"])
            end = self.state(name, ["plain"], "--steps", str(STEPS))
            self.assertGreater(max(abs(a - b) for a, b in zip(start, end)), 1e-4, name)


def test_of(name):
    return lambda self: self.compare(name)


for one in PROBLEMS:
    setattr(References, f"test_{one}_goes_on_as_paraiso_does", test_of(one))

if __name__ == "__main__":
    unittest.main()
