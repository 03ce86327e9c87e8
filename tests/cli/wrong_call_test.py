"""Wrong calls: status 2, the exact complaint, the nearest name; nothing is computed."""
import os
import unittest

from command import DOUBLING, CommandTest

CLUSTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "machines", "cluster.dot")

APPS = "hint: there is hello, life, wave, heat, hydro, acoustic, himeno, mhd, training, stencil\n"


class WrongCall(CommandTest):
    def test_no_subcommand(self):
        self.assert_refused(
            "error: which subcommand?\n"
            "hint: there is apps, show, emit, run, bench, verify, tune, predict, thresholds, replay, scoreboard, rivals, report, simulate, calibrate, doctor; "
            "to begin with:\n"
            "  paraiso run hydro --plot density --output out  a jet of gas, and its pictures\n"
            "  paraiso run hydro --dim 1 --problem sod        a shock tube, and its error\n"
            "  paraiso verify heat --schedules 2              same bits as the interpreter\n"
        )

    def test_unknown_subcommand(self):
        self.assert_refused(
            "error: no subcommand `runn`: did you mean `run`?\n"
            "hint: there is apps, show, emit, run, bench, verify, tune, predict, thresholds, replay, scoreboard, rivals, report, simulate, calibrate, doctor\n",
            "runn",
        )

    def test_an_app_or_help_as_a_subcommand(self):
        self.assert_refused(
            "error: no subcommand `hydro`\nhint: it is an app: `paraiso run hydro`\n", "hydro")
        self.assert_refused("error: no subcommand `help`\nhint: it is `paraiso --help`\n", "help")

    def test_no_machine(self):
        for subcommand in ("run", "verify", "show"):
            self.assert_refused(
                f"error: `{subcommand}` needs a machine: an app's name or a .om file\n"
                + APPS.rstrip("\n") + "; `paraiso apps` describes them\n", subcommand)

    def test_no_database(self):
        self.assert_refused(
            "error: DATABASE is required\nhint: see `paraiso report --help`\n", "report")

    def test_unknown_app(self):
        self.assert_refused("error: no app `hydr`: did you mean `hydro`?\n" + APPS, "run", "hydr")
        self.assert_refused("error: no app `quantum`\n" + APPS, "show", "quantum")

    def test_file_that_is_not_there(self):
        self.assert_refused("error: no file `missing.om`\n", "run", "missing.om")

    def test_unknown_option(self):
        self.assert_refused(
            "error: no option `--problm`: did you mean `--problem`?\n"
            "hint: `paraiso run --help` lists them\n",
            "run", "hello", "--problm=ramp",
        )

    def test_what_an_app_chooses_or_sets(self):
        for words, said in (
                (("--limiter", "mc"), "error: no option `--limiter`\nhint: it is `--choose limiter=VALUE`\n"),
                (("--courant=0.2",), "error: no option `--courant`\nhint: it is `--set courant=VALUE`\n"),
                (("limiter=mc",), "error: no option `limiter`\nhint: it is `--choose limiter=VALUE`\n"),
                (("courant=0.2",), "error: no option `courant`\nhint: it is `--set courant=VALUE`\n"),
                (("warp=9",), "error: `run` takes no further argument `warp=9`\n"),
                (("---",), "error: no option `---`\nhint: `paraiso run --help` lists them\n")):
            self.assert_refused(said, "run", "hydro", *words)

    def test_outputs_without_a_place(self):
        self.assert_refused(
            "error: `--every` sets the time between outputs, which need `--output DIR`\n",
            "run", "heat", "--every", 1,
        )

    def test_one_argument_too_many(self):
        self.assert_refused(
            "error: `run` takes no further argument `twice`\n", "run", "hello", "twice"
        )

    def test_unknown_problem(self):
        self.assert_refused(
            "error: no problem `walss`: did you mean `walls`?\nhint: there is decay, walls\n",
            "run", "heat", "--problem", "walss",
        )

    def test_unknown_problem_of_a_file(self):
        self.write("doubling.om", DOUBLING)
        self.assert_refused(
            "error: no problem `end`\nhint: there is begin\n",
            "run", "doubling.om", "--problem", "end",
        )

    def test_unknown_choice(self):
        for words, text in [
            ("limter=mc", "`hydro` has no option `limter`: did you mean `limiter`?\n"
                          "hint: there is riemann, limiter, integrator, turned\n"),
            ("limiter=van_ler", "option `limiter` has no value `van_ler`: did you mean `van_leer`?\n"
                                "hint: there is minmod, van_albada, van_leer, mc, superbee\n"),
            ("limiter", "option `limiter` needs a value: write `limiter=minmod`\n"
                        "hint: there is minmod, van_albada, van_leer, mc, superbee\n"),
            ("turned=60", "problem `jet` has no option `turned`\n"
                          "hint: it is one of sod, entropy_wave, sound_wave\n"),
        ]:
            for subcommand in [["run"], ["bench"], ["show"], ["verify"], ["tune", "--budget", 1],
                               ["emit", "--output", "out"]]:
                with self.subTest(words, subcommand=subcommand[0]):
                    self.assert_refused("error: " + text, *subcommand, "hydro", "--choose", words)

    def test_choice_without_options(self):
        self.assert_refused("error: `life` has no options to choose\n",
                            "run", "life", "--choose", "order=2")
        self.write("doubling.om", DOUBLING)
        self.assert_refused(
            "error: `--choose order=2`: `doubling.om` is a program as it is, and only an app has options\n",
            "run", "doubling.om", "--choose", "order=2",
        )

    def test_choice_that_needs_more_dimensions(self):
        self.assert_refused("error: `turned=60` needs 2 or 3 dimensions\n",
                            "run", "hydro", "--dim", 1, "--problem", "sod", "--choose", "turned=60")

    def test_apps_of_an_unknown_name(self):
        self.assert_refused("error: no app `hydr`: did you mean `hydro`?\n" + APPS, "apps", "hydr")

    def test_dimension_and_precision(self):
        self.assert_refused(
            "error: `life` has no `--dim 3`: there is 2\n", "run", "life", "--dim", 3
        )
        self.assert_refused(
            "error: `heat` has no `--precision f16`: there is f64, f32\n",
            "run", "heat", "--precision", "f16",
        )
        self.write("doubling.om", DOUBLING)
        self.assert_refused(
            "error: `--dim 2`: `doubling.om` is written for 1, and only an app has the choice\n",
            "run", "doubling.om", "--dim", 2,
        )

    def test_unknown_field(self):
        self.assert_refused(
            "error: no field `densty`: did you mean `density`?\nhint: there is density\n",
            "run", "hello", "--plot", "densty", "--backend", "interpreter",
        )

    def test_backend(self):
        self.assert_refused(
            "error: no backend `openpm`: did you mean `openmp`?\n"
            "hint: there is openmp, opencl, cuda, hip, interpreter\n",
            "run", "hello", "--backend", "openpm",
        )
        self.assert_refused(
            "error: no backend `abacus`\nhint: there is openmp, opencl, cuda, hip, interpreter\n",
            "run", "hello", "--backend", "abacus",
        )
        self.assert_refused(
            "error: no backend `abacus`\nhint: there is openmp, opencl, cuda, hip\n",
            "emit", "hello", "--backend", "abacus", "--output", "out",
        )

    def test_sizes(self):
        def refused(text, size):
            self.assert_refused(f"error: `--size {size}`{text}\n", "run", "heat", "--dim", 2,
                                "--size", size)

        refused(": axis x has 0 cells and needs at least 1", "0x4")
        refused(": axis y has -3 cells and needs at least 1", "4x-3")
        refused(": axis x has -3 cells and needs at least 1", "-3x4")
        refused(": `ten` is no whole number; a size is written like `64x64`", "tenx4")
        refused(": `` is no whole number; a size is written like `64x64`", "4x")
        refused(": `4.5` is no whole number; a size is written like `64x64`", "4.5x4")
        refused(" has 1 axis and the machine has 2: write it like `64x64`", "64")
        refused(" has 40 axes and the machine has 2: write it like `64x64`", "x".join(["1"] * 39 + ["0"]))
        refused(" has 3 axes and the machine has 2: write it like `64x64`", "4x4x4")
        refused(": 8.5e+37 cells are more than any memory holds",
                "9999999999999999999999x9999999999999999999999")

    def test_a_size_chooses_the_dimension(self):
        """Where `--dim` is missing and the app has the choice."""
        self.assert_refused("error: `--size 4x4x4` has 3 axes and the machine has 2: write it like `64x64`\n",
                            "run", "life", "--size", "4x4x4")
        self.assert_refused("error: `--size 1x1x1x1x1` has 5 axes and the machine has 3: write it like `64x64x64`\n",
                            "run", "heat", "--size", "1x1x1x1x1")
        # Each takes a size of any app's dimensions, and complains of what comes after it.
        for size in ("5", "5x4", "5x4x3"):
            for command in ("run",), ("bench",), ("predict",), ("tune", "--budget", 1), ("thresholds",):
                with self.subTest(command=command, size=size):
                    result = self.command(command[0], "heat", *command[1:], "--size", size, "--set", "nothing=1")
                    self.assertIn("no parameter `nothing`", result.stderr)
            for command in ("show", "--plan"), ("simulate", "--machine", CLUSTER, "--ranks", 1):
                with self.subTest(command=command, size=size):
                    self.succeed(command[0], "heat", *command[1:], "--size", size, "--schedule", "default")
        # What is said last is the user's: `--dim` beside a size.
        self.assert_refused("error: `--size 5x4` has 2 axes and the machine has 3: write it like `64x64x64`\n",
                            "show", "heat", "--dim", 3, "--plan", "--size", "5x4")

    def test_numbers(self):
        self.assert_refused(
            "error: `--steps` needs a whole number of at least 0, got `many`\n",
            "run", "hello", "--steps", "many",
        )
        self.assert_refused(
            "error: `--until` needs a number above 0, got `-1`\n", "run", "heat", "--until", "-1"
        )
        self.assert_refused(
            "error: `--wall-time` needs a number above 0, got `nan`\n",
            "run", "heat", "--wall-time", "nan",
        )
        self.assert_refused(
            "error: `--threads` needs a whole number of at least 1 and at most 4096, got `0`\n",
            "run", "hello", "--threads", "0",
        )
        self.assert_refused(
            "error: no numbers mode `strct`: did you mean `strict`?\nhint: there is strict, fma, fast\n",
            "run", "hello", "--numbers", "strct",
        )

    def test_empty_values(self):
        """They are no defaults: `--size "$N"` without N would run something else."""
        for option, call in (
            ("--size", ["run", "heat"]),
            ("--schedule", ["show", "heat", "--plan"]),
            ("--steps", ["bench", "heat"]),
            ("--database", ["tune", "heat", "--budget", 1]),
            ("--set", ["run", "heat"]),
            ("--output", ["report", "tuning.sqlite"]),
        ):
            with self.subTest(option):
                self.assert_refused(
                    f"error: `{option}` is given an empty value\n"
                    "hint: is a variable of the shell not set?\n", *call, option, "")
        self.assert_refused("error: `MACHINE` is given an empty value\nhint: is a variable of the shell not set?\n",
                            "run", "")

    def test_an_option_without_a_value_or_given_twice(self):
        self.assert_refused("error: `--size` is given twice\n", "run", "heat", "--size", 5, "--size", 6)
        self.assert_refused("error: `--good-enough` is given 3 times\n", "tune", "heat", *3 * ["--good-enough", 2])
        for words in (["--size"], ["--size="]):
            self.assert_refused("error: `--size` needs a value\nhint: see `paraiso run --help`\n", "run", "heat", *words)

    def test_numbers_that_do_not_fit(self):
        """They are refused, not clamped."""
        many = 30 * "9"
        for call in (("tune", "heat", "--seed"), ("tune", "heat", "--budget"), ("replay", "no", "--problem"),
                     ("run", "heat", "--steps")):
            least = 0 if call[-1] in ("--seed", "--steps") else 1
            told = f"error: `{call[-1]}` needs a whole number of at least {least}"
            self.assert_refused(f"{told} and at most 9223372036854775807, got `{many}`\n", *call, many)
            self.assert_refused(f"{told}, got `-{many}`\n", *call, "-" + many)
        self.assert_refused("error: parameter `kappa` needs a value of f64, got `+1`: write it without `+`\n",
                            "run", "heat", "--set", "kappa=+1")

    def test_steps_and_until(self):
        self.assert_refused(
            "error: `--steps` and `--until` exclude each other: give one of them\nhint: see `paraiso run --help`\n",
            "run", "heat", "--steps", 3, "--until", 1,
        )

    def test_a_problem_without_its_option(self):
        self.assert_refused("error: `run` takes no further argument `sod`\nhint: it is `--problem sod`\n",
                            "run", "hydro", "sod")

    def test_a_back_end_that_is_none(self):
        for more in ((), ("--device", 0)):
            told = self.command("run", "heat", "--backend", "abacus", *more)
            self.assertEqual((told.returncode, told.stderr.splitlines()[0]), (2, "error: no backend `abacus`"))

    def test_parameters(self):
        def refused(text, assignment):
            self.assert_refused(text, "run", "heat", "--dim", 1, "--set", assignment)

        refused("error: machine `heat` has no parameter `kapa`; did you mean `kappa`?\n", "kapa=2")
        refused("error: `kappa` is not an assignment: write name=value\n", "kappa")
        refused("error: parameter `kappa` needs a value of f64, got `hot`\n", "kappa=hot")
        refused("error: parameter `courant` is 2, and must be at most 1\n", "courant=2")
        refused("error: `time` of machine `heat` is not a parameter: the kernels store it\n", "time=2")

    def test_a_domain_without_a_width(self):
        """Before anything is compiled, measured or written."""
        for text, bounds in (
            ("empty along x: it reaches from 2 to 1", ("x_min=2",)),
            ("empty along x: it reaches from 3 to 3", ("x_min=3", "x_max=3")),
            ("infinite along x: it reaches from 0 to inf", ("x_max=inf",)),
        ):
            for call in (("run",), ("bench",), ("tune", "--budget", 1, "--database", "t.sqlite")):
                with self.subTest(text=text, call=call[0]):
                    self.assert_refused(
                        f"error: the domain is {text}\n", call[0], "heat", "--dim", 1, *call[1:],
                        *(word for bound in bounds for word in ("--set", bound)),
                    )
        self.assertEqual(os.listdir(self.folder), [])

    def test_schedule_file_that_is_not_there(self):
        self.assert_refused(
            "error: `--schedule best`: no such file; or say `default`\n",
            "run", "hello", "--schedule", "best",
        )

    def test_unknown_pass(self):
        self.assert_refused(
            "error: no pass `simplfy`: did you mean `simplify`?\n"
            "hint: there is remove_dead, simplify, contract, sweep, call_libm, fuse_steps, join_steps, extrema\n",
            "show", "hello", "--after", "simplfy",
        )


if __name__ == "__main__":
    unittest.main()
