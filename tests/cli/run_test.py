"""Runs: what they print, that they repeat, restart and stop exactly, and lose nothing."""
import json
import math
import os
import re
import resource
import signal
import unittest

from command import DOUBLING, TARGET, CommandTest

HEAT = ["run", "heat", "--dim", 2, "--size", "24x20", "--quiet"]
# More work than any test waits for.
ENDLESS = ["run", "heat", "--dim", 2, "--size", "64x64", "--steps", 10**12]
FIELD = {"min", "max", "sum", "hash"}


def limit(mebibytes):
    """What a child process does first: limits its address space."""
    size = int(mebibytes * (1 << 20))
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))


def hashes(result):
    return {name: field["hash"] for name, field in result["fields"].items()}


class Choices(CommandTest):
    SOD = ["hydro", "--dim", 1, "--problem", "sod", "--size", 32, "--steps", 4, "--backend", "interpreter"]
    DEFAULTS = {"riemann": "hllc", "limiter": "minmod", "integrator": "midpoint", "turned": "0"}

    def test_stand_in_json(self):
        usual = self.succeed_json("run", *self.SOD)
        self.assertEqual(usual["choices"], self.DEFAULTS)
        chosen = self.succeed_json("run", *self.SOD, "--choose", "limiter=van_leer,riemann=hll",
                                   "--choose", "integrator=heun")
        self.assertEqual(chosen["choices"],
                         {**self.DEFAULTS, "limiter": "van_leer", "riemann": "hll", "integrator": "heun"})
        self.assertNotEqual(hashes(chosen), hashes(usual))
        self.assertEqual(self.succeed_json("bench", *self.SOD, "--choose", "limiter=mc")["choices"]["limiter"],
                         "mc")
        self.write("doubling.om", DOUBLING)
        self.assertEqual(self.succeed_json("run", "doubling.om", "--size", 8, "--steps", 1)["choices"], {})

    def test_do_not_take_the_app_for_a_choice(self):
        words = ["run", "--choose", "limiter=mc", *self.SOD]
        self.assertEqual(self.succeed_json(*words)["choices"]["limiter"], "mc")

    def test_other_than_usual_ones_stand_in_the_first_line(self):
        first = self.succeed("run", *self.SOD, "--choose", "limiter=mc,riemann=hllc").splitlines()[0]
        self.assertRegex(first, "^hydro sod, limiter=mc: 32 cells, f64; takes ")

    def test_of_a_checkpoint_hold(self):
        mc = ["--choose", "limiter=mc"]
        whole = self.succeed_json("run", *self.SOD, *mc)
        first = self.succeed_json("run", *self.SOD[:-4], "--steps", 2, *self.SOD[-2:], *mc, "--checkpoint", "state")
        self.assertNotEqual(hashes(first), hashes(whole))
        again = self.succeed_json("run", *self.SOD, *mc, "--restart", "state")
        self.assertEqual(hashes(again), hashes(whole))
        result = self.command("run", *self.SOD, "--restart", "state")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(
            result.stderr,
            "error: the checkpoint `state` does not fit this run: it was made with `--choose limiter=mc`, not `minmod`\n")
        jet = ["jet" if word == "sod" else word for word in self.SOD]
        result = self.command("run", *jet, *mc, "--restart", "state")
        self.assertEqual((result.returncode, result.stderr), (
            1, "error: the checkpoint `state` does not fit this run: it was made with `--problem sod`, not `jet`\n"))


class Run(CommandTest):
    def test_json(self):
        result = self.succeed_json(*HEAT, "--steps", 10)
        self.assertEqual(result["steps"], 10)
        self.assertEqual(result["size"], [24, 20])
        self.assertGreater(result["time"], 0)
        self.assertGreater(result["seconds"], 0)
        self.assertGreater(result["cell_updates_per_second"], 0)
        self.assertEqual(set(result["fields"]), {"u"})
        self.assertEqual(set(result["fields"]["u"]), FIELD)
        self.assertEqual(result["scalars"]["time"], result["time"])
        self.assertLess(result["errors"]["l1_error"], 0.05)

    def test_says_beforehand_how_much_memory_it_takes(self):
        lines = self.succeed(*HEAT, "--steps", 1).splitlines()
        self.assertRegex(
            lines[0], r"^heat decay: 24x20 cells, f64; takes [\d.]+ KiB of [\d.]+ .iB .+$"
        )

    def test_says_by_which_schedule_it_runs(self):
        self.assertEqual(
            self.succeed(*HEAT, "--steps", 1).splitlines()[1],
            "schedule: default, nothing is tuned near this size",
        )
        self.assertEqual(
            self.succeed(*HEAT, "--steps", 1, "--schedule", "genome:A").splitlines()[1],
            "schedule: genome, as given",
        )

    def test_says_what_made_its_code_for_what(self):
        line = self.succeed(*HEAT, "--steps", 1, "--compiler", "g++").splitlines()[2]
        self.assertRegex(line, rf"^code: by g\+\+ for {TARGET}( \(.+\))?$")
        chosen = self.succeed_json(*HEAT, "--steps", 1, "--target", "native")
        self.assertEqual(chosen["target"], "native")
        levels = self.succeed_json("doctor")["targets"]
        self.assertIn(chosen["level"], [one["name"] for one in levels if one["runs"]])

    def test_text_shows_the_scalars_of_the_step_and_the_error(self):
        names = [line.split()[0] for line in self.succeed(*HEAT, "--steps", 1).splitlines()[4:]]
        self.assertEqual(names, ["u", "time", "l1_error", "speed"])

    def test_same_bits_for_every_backend_compiler_and_number_of_threads(self):
        expected = hashes(self.succeed_json(*HEAT, "--steps", 5, "--backend", "interpreter"))
        for choice in (["--compiler", "g++"], ["--compiler", "clang++"], ["--threads", 1],
                       ["--threads", 2]):
            with self.subTest(choice):
                result = self.succeed_json(*HEAT, "--steps", 5, *choice)
                self.assertEqual(hashes(result), expected)

    def test_a_printed_machine_is_the_same_program(self):
        self.write("heat.om", self.succeed("show", "heat", "--dim", 2))
        self.assertEqual(self.succeed("show", "heat.om"), self.read("heat.om"))
        from_file = self.succeed_json("run", "heat.om", *HEAT[4:], "--steps", 5)
        self.assertEqual(hashes(from_file), hashes(self.succeed_json(*HEAT, "--steps", 5)))

    def test_stops_at_a_time(self):
        result = self.succeed_json(*HEAT, "--until", 0.001)
        self.assertEqual(result["time"], 0.001)
        self.assertEqual(result["end"], "finished")

    def test_set_changes_a_parameter(self):
        slow = self.succeed_json(*HEAT, "--until", 0.01, "--set", "kappa=0.5")
        fast = self.succeed_json(*HEAT, "--until", 0.01, "--set", "kappa=2")
        self.assertEqual(fast["scalars"].get("kappa", 2), 2)
        self.assertLess(fast["fields"]["u"]["max"], slow["fields"]["u"]["max"])

    def test_restart_gives_the_same_bits(self):
        whole = self.succeed_json(*HEAT, "--steps", 12)
        self.succeed(*HEAT, "--steps", 5, "--checkpoint", "state")
        rest = self.succeed_json("run", "heat", "--dim", 2, "--restart", "state", "--steps", 12)
        self.assertEqual((rest["steps"], rest["steps_run"]), (12, 7))
        self.assertEqual(hashes(rest), hashes(whole))
        self.assertEqual(rest["scalars"], whole["scalars"])

    def test_checkpoints_do_not_know_how_storage_is_shifted(self):
        self.write("shifted", "u.skew_x = 4\nu.skew_y = 2\n")
        shifted, three = ("--schedule", "shifted"), ("--ranks", 3, "--schedule", "shifted")
        self.succeed(*HEAT, "--steps", 12, "--checkpoint", "whole")
        for before, after in ((shifted, ()), ((), three), (three, shifted)):
            self.succeed(*HEAT, *before, "--steps", 5, "--checkpoint", "state")
            self.succeed(*HEAT, *after, "--steps", 12, "--restart", "state", "--checkpoint", "state")
            self.assertEqual(self.bytes_of("state"), self.bytes_of("whole"))

    def test_output(self):
        result = self.succeed_json(*HEAT, "--steps", 4, "--output", "out", "--plot", "u")
        files = result["files"]
        self.assertEqual(len(files["snapshots"]), 2)
        for path in files["snapshots"] + files["pictures"] + [files["series"], files["xdmf"]]:
            self.assertGreater(os.path.getsize(self.path(path)), 0, path)
        with open(self.path(files["pictures"][-1]), "rb") as picture:
            self.assertEqual(picture.read(8), b"\x89PNG\r\n\x1a\n")

    def test_fields_from_a_snapshot(self):
        first = self.succeed_json(*HEAT, "--steps", 3, "--output", "out")
        again = self.succeed_json(
            *HEAT, "--steps", 0, "--fields", first["files"]["snapshots"][-1]
        )
        self.assertEqual(hashes(again), hashes(first))

    def test_fields_of_three_dimensions_from_another_backend(self):
        heat = ["run", "heat", "--dim", 3, "--size", "16x16x16", "--steps", 0]
        expected = self.succeed_json(*heat, "--backend", "interpreter", "--output", "interpreter")
        compiled = self.succeed_json(*heat, "--output", "compiled")
        for made in (expected, compiled):
            for backend in ("interpreter", "openmp"):
                fields = ["--fields", made["files"]["snapshots"][0], "--backend", backend]
                self.assertEqual(hashes(self.succeed_json(*heat, *fields)), hashes(expected))

    def test_too_large_for_the_memory(self):
        cache = self.path("cache")
        compiled = {"env": {"PARAISO_CACHE": cache}}
        for size in ("1000000x1000000", "3000000000x300", "300x3000000000", "3000000000000"):
            with self.subTest(size):
                self.assert_too_large(size, "--backend", "interpreter")
                told = self.assert_too_large(size, "--compiler", "g++", **compiled)
                cells = math.prod(int(cells) for cells in size.split("x"))
                self.assertGreater(told * 2**40, 0.95 * 8 * cells)
        self.assertFalse(os.path.exists(cache), "something was compiled")

    def assert_too_large(self, size, *arguments, **options):
        """The TiB of memory that it is said to need."""
        axes = size.count("x") + 1
        result = self.command("run", "heat", "--dim", axes, "--size", size, *arguments, **options)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        said = (
            rf"^error: a grid of {size} cells needs (\d+\.\d) TiB of memory, and \d+\.\d .iB are "
            r"left \([^)]+\)\nhint: a grid of \d+(x\d+)* would fit\n$"
        )
        self.assertRegex(result.stderr, said)
        return float(re.match(said, result.stderr).group(1))

    def test_time_of_a_machine_without_one(self):
        self.write("doubling.om", DOUBLING)
        result = self.command("run", "doubling.om", "--until", 1, "--backend", "interpreter")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(
            result.stderr,
            "error: machine `doubling` has no time to stop at: give a number of steps\n",
        )


@unittest.skipIf(os.environ.get("PARAISO_SANITIZE"), "sanitizers take memory, too")
class Memory(CommandTest):
    """What is told before is what a process takes whose fields are much larger than itself."""

    GRID = ["heat", "--dim", 2, "--size", "5000x5000", "--threads", 2, "--steps", 1]
    UNITS = {"MiB": 1 << 20, "GiB": 1 << 30}

    def assert_near(self, peak, told):
        self.assertGreater(peak, 0.9 * told)
        self.assertLess(peak, 1.25 * told)

    def test_of_a_measurement(self):
        result = self.succeed_json("bench", *self.GRID, "--repeat", 1)
        self.assertGreater(result["bytes"], 2 * 8 * 5000**2)
        self.assert_near(result["peak_bytes"], result["bytes"])

    def test_of_a_run_with_the_state_that_it_keeps(self):
        self.succeed(*HEAT, "--threads", 2, "--steps", 1)  # compiles, which takes more
        process = self.start("run", *self.GRID, "--quiet")
        with process.stdout, process.stderr:
            told = re.search(r"takes ([\d.]+) (.iB) of", process.stdout.readline())
            process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        self.assert_near(1024 * usage.ru_maxrss, float(told.group(1)) * self.UNITS[told.group(2)])


class Names(CommandTest):
    def test_that_are_no_utf8_spoil_no_json(self):
        name = os.fsdecode(b"q\xff.chk")
        state = self.succeed_json("run", "hello", "--size", "4x4", "--steps", 2, "--quiet", "--checkpoint", name)["files"]["checkpoint"]
        self.assertEqual(state, "q\N{REPLACEMENT CHARACTER}.chk")
        self.assertEqual(self.succeed_json("run", "hello", "--restart", name, "--steps", 3, "--quiet")["steps_run"], 1)


class NotANumber(CommandTest):
    # 0, 1, 2, 3 doubles: 2 overflows in step 1023, and infinity minus itself is NaN.
    OVERFLOW = DOUBLING.replace(
        "  store a %1\nend\n\nend machine",
        "  %2: local f64 = sub %1 %1\n  %3: local f64 = add %1 %2\n  store a %3\nend\n\nend machine",
    )
    RUN = ["run", "overflow.om", "--quiet", "--threads", 1]

    def test_stops_the_run_and_keeps_the_last_checkpoint(self):
        self.write("overflow.om", self.OVERFLOW)
        state = ["--size", 4, "--checkpoint", "state"]
        sound = self.succeed_json(*self.RUN, *state, "--steps", 1000)
        kept = self.bytes_of("state")
        result = self.command(*self.RUN, *state, "--steps", 5000)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(
            result.stderr,
            "error: NaN in field `a` at cell (2) after step 1023; step 1022 was still sound\n",
        )
        self.assertEqual(self.bytes_of("state"), kept)
        again = self.succeed_json(*self.RUN, "--restart", "state", "--steps", 1000)
        self.assertEqual((again["steps"], again["steps_run"]), (1000, 0))
        self.assertEqual(hashes(again), hashes(sound))

    @unittest.skipIf(os.environ.get("PARAISO_SANITIZE"), "sanitizers map terabytes")
    def test_is_found_in_its_step_where_memory_just_suffices(self):
        # Times 1e60: every cell but 0 overflows in step 6.
        self.write("overflow.om", self.OVERFLOW.replace(
            "add %0 %0", "mul %0 %factor").replace(
            "load a\n", "load a\n  %c = imm f64 1e60\n  %factor = broadcast %c\n"))
        grid = ["--size", 1 << 22, "--steps", 10]
        self.command(*self.RUN, *grid)  # compiles, which takes more
        needs, left = self.refusal(*self.RUN, *grid)
        result = self.command(*self.RUN, *grid, preexec_fn=limit(self.LIMIT + needs - left + 12))
        self.assertEqual(
            result.stderr,
            "error: NaN in field `a` at cell (1) after step 6; step 5 was still sound\n",
        )
        self.assertEqual(result.returncode, 1)

    LIMIT = 80  # less than the run needs

    def refusal(self, *call):
        """The MiB that a run needs, and those that are left to it within LIMIT."""
        refused = self.command(*call, preexec_fn=limit(self.LIMIT))
        self.assertEqual(refused.returncode, 1)
        found = re.search(r" needs ([\d.]+) MiB of memory, and ([\d.]+) .iB are left \(address space "
                          r"limit, `ulimit -v`\)\n", refused.stderr)
        self.assertTrue(found, refused.stderr)
        return float(found.group(1)), float(found.group(2))


class Stop(CommandTest):
    def stopped(self, number, *arguments):
        """What an endless run prints that gets a signal as soon as it has told of its steps."""
        process = self.start(*ENDLESS, "--json", *arguments)
        self.addCleanup(process.kill)
        told = next((line for line in process.stderr if line.startswith("step ")), None)
        self.assertIsNotNone(told, "it ended by itself")
        process.send_signal(number)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1, err)
        result = json.loads(out)
        self.assertGreaterEqual(result["steps"], int(told.split()[1]))
        return result

    def assert_goes_on(self, result):
        """From the checkpoint, with the bits of a run that was never stopped."""
        whole = self.succeed_json(*ENDLESS[:-1], result["steps"] + 3, "--quiet")
        restart = ["run", "heat", "--dim", 2, "--restart", "state", "--quiet", "--steps"]
        at_rest = self.succeed_json(*restart, result["steps"])
        self.assertEqual((at_rest["steps_run"], hashes(at_rest)), (0, hashes(result)))
        rest = self.succeed_json(*restart, result["steps"] + 3)
        self.assertEqual((rest["steps_run"], hashes(rest)), (3, hashes(whole)))

    def test_interrupt_finishes_the_step_and_writes_the_checkpoint(self):
        result = self.stopped(signal.SIGINT, "--checkpoint", "state")
        self.assertEqual((result["end"], result["files"]["checkpoint"]), ("interrupted", "state"))
        self.assert_goes_on(result)

    def test_terminate_finishes_the_step_and_writes_the_checkpoint(self):
        result = self.stopped(signal.SIGTERM, "--checkpoint", "state")
        self.assertEqual((result["end"], result["files"]["checkpoint"]), ("terminated", "state"))
        self.assert_goes_on(result)

    def test_interrupt_without_a_checkpoint_writes_none(self):
        result = self.stopped(signal.SIGINT)
        self.assertEqual((result["end"], result["files"]["checkpoint"]), ("interrupted", ""))
        self.assertEqual(set(result["fields"]), {"u"})
        self.assertEqual(os.listdir(self.folder), [])

    def test_wall_time_ends_a_run_that_has_none(self):
        result = self.succeed_json(*ENDLESS, "--wall-time", 1, "--quiet", "--checkpoint", "state")
        self.assertEqual(result["end"], "stopped at the wall time")
        self.assertGreater(result["steps"], 0)
        self.assert_goes_on(result)


class Checkpoints(CommandTest):
    RESTART = ["run", "heat", "--dim", 2, "--restart", "state", "--steps", 9]

    def setUp(self):
        super().setUp()
        self.succeed(*HEAT, "--steps", 5, "--checkpoint", "state")

    def assert_refused_restart(self, pattern, *arguments):
        result = self.command(*(arguments or self.RESTART))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, pattern)

    def change(self, change):
        with open(self.path("state"), "rb") as file:
            data = bytearray(file.read())
        with open(self.path("state"), "wb") as file:
            file.write(change(data))

    def test_damaged(self):
        def flip(data):
            data[len(data) // 2] ^= 1
            return data

        self.change(flip)
        self.assert_refused_restart(r"^error: the checkpoint `state` is damaged: ")

    def test_truncated(self):
        self.change(lambda data: data[: len(data) // 2])
        self.assert_refused_restart(r"^error: the checkpoint `state` is damaged: ")

    def test_foreign(self):
        self.change(lambda data: b"hello, world\n" * 100)
        self.assert_refused_restart(r"^error: `state` is not a checkpoint of Paraiso\n$")

    def test_of_another_program(self):
        self.assert_refused_restart(
            r"^error: the checkpoint `state` does not fit this run: ",
            "run", "wave", "--dim", 2, "--restart", "state", "--steps", 9,
        )

    def test_of_another_number_of_axes(self):
        self.assert_refused_restart(
            r"^error: the checkpoint `state` does not fit this run: its grid is \d+x\d+, and `heat` has 3 axes\n$",
            "run", "heat", "--dim", 3, "--restart", "state", "--steps", 9,
        )

    def test_full_disk_keeps_the_old_one(self):
        before = self.command(*self.RESTART, "--json", "--quiet")
        larger = ["run", "heat", "--dim", 2, "--size", "200x200", "--steps", 5, "--quiet",
                  "--checkpoint", "state"]
        self.succeed(*larger[:-2])  # compiled before files may be no larger than the limit
        full = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        result = self.command(*larger, preexec_fn=full)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, r"error: can't write `[^`]*state`: ")
        after = self.command(*self.RESTART, "--json", "--quiet")
        self.assertEqual(hashes(json.loads(after.stdout)), hashes(json.loads(before.stdout)))


class Infinities(CommandTest):
    def test_of_both_signs_have_no_sum(self):
        """And NaN is printed in one way, whatever its sign is."""
        self.write("ends.om", """paraiso 1
machine ends dimension 1

static a local f64
  boundary 0 cyclic cyclic

kernel begin initial
  %0: local i64 = load_index 0
  %1: local f64 = cast %0 f64
  %2: global f64 = imm f64 0.5
  %3: local f64 = broadcast %2
  %4: local f64 = sub %1 %3
  %5: global f64 = imm f64 inf
  %6: local f64 = broadcast %5
  %7: local f64 = mul %4 %6
  store a %7
end

kernel proceed step
  %0: local f64 = load a
  store a %0
end

end machine
""")
        told = self.succeed("run", "ends.om", "--size", 2, "--steps", 1, "--backend", "interpreter")
        self.assertRegex(told, r"a +min -inf +max inf +sum nan ")


if __name__ == "__main__":
    unittest.main()
