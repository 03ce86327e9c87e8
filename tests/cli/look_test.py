"""Looking at programs: apps, show, bench, verify."""
import json
import os
import re
import unittest

from command import DOUBLING, CommandTest


class Apps(CommandTest):
    def test_lists_every_solver(self):
        text = self.succeed("apps")
        listed = self.succeed_json("apps")["apps"]
        solvers = ["hello", "life", "wave", "heat", "hydro", "acoustic", "himeno", "mhd", "training", "stencil"]
        self.assertEqual([a["name"] for a in listed], solvers)
        for app in listed:
            self.assertIn(app["summary"], text)
            for problem in app["problems"]:
                self.assertIn(problem["summary"], text)


    def test_lists_options(self):
        hydro, = self.succeed_json("apps", "hydro")["apps"]
        self.assertEqual([option["name"] for option in hydro["options"]],
                         ["riemann", "limiter", "integrator", "turned"])
        riemann, *_, turned = hydro["options"]
        self.assertEqual(riemann["default"], "hllc")
        self.assertEqual([value["name"] for value in riemann["values"]], ["hllc", "hll", "rusanov"])
        self.assertEqual(riemann["problems"], [])
        self.assertEqual(turned["problems"], ["sod", "entropy_wave", "sound_wave"])
        for app in self.succeed_json("apps")["apps"]:
            text = self.succeed("apps", app["name"])
            for option in app["options"]:
                values = [value["name"] for value in option["values"]]
                self.assertIn(f"--choose {option['name']}={'|'.join(values)}\n", text)
                self.assertIn(f"--choose {option['name']}=...: {option['summary']}\n", text)
                self.assertEqual(option["default"], values[0])
                for value in option["values"]:
                    self.assertIn(value["summary"], text)

    def test_of_one_solver(self):
        self.assertEqual(
            self.succeed("apps", "acoustic"),
            "acoustic   sound in a given medium, second to eighth order in space\n"
            "           --dim 3|1|2   --precision f32|f64\n"
            "           --problem shot               a source, two media, sides that absorb\n"
            "           --problem standing           a standing wave on a cyclic grid, exact\n"
            "           --choose order=8|2|4|6\n"
            "\n"
            "--choose order=...: of the differences in space\n"
            "  8            25 points in three dimensions (default)\n"
            "  2\n"
            "  4\n"
            "  6\n")


class Readme(CommandTest):
    def test_commands_of_the_smallest_solver(self):
        path = os.path.join(os.path.dirname(__file__), "..", "..", "apps", "hello", "README.md")
        with open(path) as file:
            commands = re.findall(r"^    paraiso ([^#\n]*)", file.read(), re.M)
        graph, code, run = (self.succeed(*command.split()) for command in commands)
        self.assertIn("\nkernel proceed step\n  %0: local f64 = load density\n"
                      "  %1: local f64 = mul %0 %0\n  %2: local f64 = add %1 %1\n"
                      "  store density %2\nend\n", graph)
        self.assertIn("void hello::proceed()", code)
        self.assertIn("density", run)


class Show(CommandTest):
    def test_text_is_a_machine(self):
        self.write("doubling.om", DOUBLING)
        self.assertEqual(self.succeed("show", "doubling.om"), DOUBLING)

    def test_after_a_pass(self):
        text = self.succeed("show", "heat", "--dim", 1, "--after", "contract")
        self.assertIn(" = madd ", text + " = nmadd ")
        self.assertNotEqual(text, self.succeed("show", "heat", "--dim", 1))

    def test_fast_lets_cells_call_libm(self):
        self.write("growth.om", "paraiso 1\nmachine growth dimension 1\nstatic f local f64\n  boundary 0 cyclic cyclic\n"
                   "kernel proceed step\n%0 = load f\n%1 = exp %0\nstore f %1\nend\nend machine\n")
        self.assertIn("exp %0 libm", self.succeed("show", "growth.om", "--numbers", "fast", "--after", "call_libm"))
        self.assertIn("libm_exp(", self.succeed("show", "growth.om", "--numbers", "fast", "--source", "openmp"))
        self.assertNotIn("libm", self.succeed("show", "growth.om", "--source", "openmp"))
        self.assertNotIn("libm", self.succeed("show", "growth.om", "--numbers", "fast", "--source", "opencl"))

    def test_help_names_the_back_ends_that_a_command_takes(self):
        for command, interprets in ("run", True), ("bench", True), ("tune", False), ("predict", False), ("thresholds", False):
            line, = re.findall(r"--backend B +(.+)", self.succeed(command, "--help"))
            self.assertEqual("interpreter" in line, interprets, command)

    def test_after_every_pass_is_a_machine(self):
        lines = re.search(r"\nPASS: ((?:.+,\n)*.+)\n", self.succeed("show", "--help")).group(1)
        names = re.split(r",\s+", lines)
        self.assertEqual(names, ["remove_dead", "simplify", "contract", "sweep", "call_libm",
                                 "fuse_steps", "join_steps", "extrema"])
        for name in names:
            with self.subTest(name):
                text = self.succeed("show", "heat", "--dim", 1, "--after", name)
                self.write("stage.om", text)
                self.assertEqual(self.succeed("show", "stage.om"), text)

    def test_plan_names_the_kernels(self):
        self.assertIn("proceed", self.succeed("show", "heat", "--dim", 1, "--plan"))

    def test_annotations_that_meet_are_told(self):
        self.write("meet.om", "paraiso 1\nmachine meet dimension 1\nstatic u local f64\n"
                              "  boundary 0 cyclic cyclic\nkernel go step\n%u = load u\n"
                              "%a: manifest = neg %u\n%b = neg %a\n%e: delayed = neg %b\n"
                              "%f = sqrt %e\nstore u %f\nend\nend machine\n")
        result = self.command("show", "meet.om", "--plan")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(
            result.stderr,
            "meet.om:9: note: this `delayed` gives way to a `manifest`: both values are one\n"
            "meet.om:7: note: the `manifest` is here\n")

    def test_plan_tells_the_predicted_time(self):
        large = self.succeed("show", "heat", "--plan")
        self.assertRegex(large, r"times are predicted for 256x256x256 cells; \d+ threads? of .")
        self.assertRegex(large, r"kernel `proceed`\n  about [0-9.]+ ns a cell: memory [0-9.]+,")
        small = self.succeed("show", "heat", "--plan", "--size", "32x32x32")
        self.assertIn("times are predicted for 32x32x32 cells", small)
        self.assertNotIn("memory", small.split("kernel `proceed`")[1].splitlines()[1])

    def test_plan_tells_who_sends_what(self):
        divided = ["show", "heat", "--dim", 2, "--plan", "--size", "64x48"]
        text = self.succeed(*divided, "--divide", "1x3").split("\n\n")[-1]
        row = 64 * 8
        self.assertEqual(text, f"""\
division of 64x48 cells into 3 parts
    0: [0, 64) x [0, 16), 1024 cells
    1: [0, 64) x [16, 32), 1024 cells
    2: [0, 64) x [32, 48), 1024 cells
  before `proceed`: 6 messages, {6 * row} bytes, at most {2 * row} to one part
    0 to 1: {row} bytes, `u` [0, 64) x [15, 16)
    0 to 2: {row} bytes, `u` [0, 64) x [0, 1)
    1 to 0: {row} bytes, `u` [0, 64) x [16, 17)
    1 to 2: {row} bytes, `u` [0, 64) x [31, 32)
    2 to 0: {row} bytes, `u` [0, 64) x [47, 48)
    2 to 1: {row} bytes, `u` [0, 64) x [32, 33)
  parts compute 0 % more cells than they have
""")
        self.assertEqual(self.succeed(*divided, "--ranks", 3).split("\n\n")[-1], text)
        self.write("three.tree", "divide 1 at 16 leaf\n  divide 1 at 32 leaf leaf\n")
        self.assertEqual(self.succeed(*divided, "--divide", "three.tree").split("\n\n")[-1], text)
        self.assertIn("into 3000 parts\n", self.succeed(*divided, "--ranks", 3000))
        self.assertIn("and 2968 more\n", self.succeed(*divided, "--ranks", 3000))
        hydro = self.succeed("show", "hydro", "--dim", 2, "--plan", "--size", "64x64", "--ranks", 2)
        self.assertRegex(hydro, r"  before `proceed`: \d+ messages?, \d+ bytes, at most \d+ to one part\n")
        self.assertRegex(hydro, r"\n  \d+ late reductions?: at most \d+ bytes from one part\n"
                                r"  parts compute [0-9.]+ % more cells than they have\n$")

    def test_a_division_that_there_is_not(self):
        divided = ["show", "heat", "--dim", 2, "--plan", "--size", "64x48"]
        self.assert_refused("error: a grid of 64x48 cells can't be divided into 3073 parts\n",
                            *divided, "--ranks", 3073)
        self.assert_refused("error: `--ranks` needs a whole number of at least 1 and at most 1048576, got `0`\n",
                            *divided, "--ranks", 0)
        self.assert_refused("error: axis 1 of 48 cells can't be cut into 49 parts\n", *divided, "--divide", "1x49")
        self.assert_refused("error: the division 2x2x1 has 3 numbers, the grid 2 axes\n",
                            *divided, "--divide", "2x2x1")
        self.assert_refused("error: `--ranks 4`, but `--divide 1x3` makes 3 parts\n",
                            *divided, "--ranks", 4, "--divide", "1x3")
        self.assert_refused("error: `--divide auto` needs `--ranks N`\n", *divided, "--divide", "auto")
        self.write("wide.tree", "divide 0 at 64 leaf leaf")
        self.assert_refused("error: `--divide wide.tree`: the cut of axis 0 at 64 leaves fewer than 1 cell on one side "
                            "of [0, 64)\n", *divided, "--divide", "wide.tree")
        self.assert_refused("error: can't read `no.tree`: No such file or directory\n", *divided, "--divide", "no.tree")
        self.write("cut.tree", "divide 0 at 6\nleaf")
        result = self.command(*divided, "--divide", "cut.tree")
        self.assertEqual((result.returncode, result.stderr),
                         (1, "cut.tree:2: error: the text ends here, expected 1 more part: is the file cut?\n"))

    def test_plan_tells_the_least_cost_of_a_cell(self):
        cost = self.succeed("show", "heat", "--dim", 1, "--plan").split("kernel `proceed`")[1]
        measured = self.succeed_json("bench", "heat", "--dim", 1, "--size", 8, "--steps", 1,
                                     "--repeat", 1, "--backend", "interpreter")
        self.assertEqual(
            cost.splitlines()[2],
            f"  a cell takes at least: operations {measured['flops_per_update']:.0f}, loads 1, stores 1, "
            f"bytes {measured['bytes_per_update']:.0f}")

    def test_source_is_what_emit_writes(self):
        text = self.succeed("show", "heat", "--dim", 1, "--source", "openmp")
        self.succeed("emit", "heat", "--dim", 1, "--output", "out")
        self.assertEqual(
            text,
            "// ==== heat.hpp ====\n" + self.read("out/heat.hpp")
            + "// ==== heat.cpp ====\n" + self.read("out/heat.cpp"),
        )

    def test_dot(self):
        text = self.succeed("show", "hello", "--dot")
        self.assertTrue(text.startswith("digraph"))
        self.assertTrue(text.rstrip().endswith("}"))


class Bench(CommandTest):
    FIELDS = {
        "app", "dim", "size", "precision", "backend", "numbers", "compiler", "threads", "steps",
        "seconds", "cell_updates_per_second", "schedule_hash", "genome", "bytes_per_update",
        "flops_per_update", "host", "predicted",
    }

    def test_json(self):
        result = self.succeed_json(
            "bench", "heat", "--dim", 2, "--size", "64x64", "--steps", 50, "--repeat", 3
        )
        self.assertLessEqual(self.FIELDS, set(result))
        self.assertEqual(len(result["seconds"]), 3)
        predicted = result["predicted"]
        self.assertGreater(predicted["nanoseconds"], 0)
        self.assertRegex(predicted["machine"], r"^\d+ threads? of .")
        self.assertEqual(predicted["bound"], max(predicted["parts"], key=predicted["parts"].get))
        median = sorted(result["seconds"])[1]
        self.assertAlmostEqual(
            result["cell_updates_per_second"] * median / (64 * 64 * 50), 1, places=9
        )

    def test_finds_the_number_of_steps(self):
        result = self.succeed_json("bench", "heat", "--dim", 1, "--size", 100, "--repeat", 2)
        self.assertGreater(result["steps"], 1)

    def test_machine_without_a_step(self):
        self.write("still.om", DOUBLING.replace("kernel proceed step", "kernel proceed"))
        for subcommand in ("run", "bench"):
            self.assert_refused(
                "error: `doubling` has no step kernel to run\n", subcommand, "still.om"
            )


class HandMadeSchedules(CommandTest):
    """Those of docs/search.md, after the five of the 2012 paper."""

    APPS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../apps")

    def plan(self, name, app="hydro"):
        file = os.path.join(self.APPS, app, "schedules", name + ".schedule")
        return self.succeed("show", app, "--dim", 2, "--plan", "--schedule", file)

    def test_of_heat_stores_nothing_in_small_tiles(self):
        step = self.plan("plain", "heat").split("kernel `proceed`")[1].split("kernel `")[0]
        self.assertIn("  group 1 over [0, N) x [0, N), tiled, tiles of 16 x 1 cells\n", step)
        self.assertEqual(step.count("\n  group "), 1)

    def test_store_what_they_say(self):
        groups = {}
        for name, fluxes in (("izanagi", False), ("izanami", False), ("iwatsuchibiko", False),
                             ("shinatsuhiko", True), ("hayaakitsuhime", True)):
            with self.subTest(name):
                step = self.plan(name).split("kernel `proceed`")[1].split("kernel `")[0]
                self.assertEqual("start_flux_x.density -> spare f64 array" in step, fluxes)
                groups[name] = step.count("\n  group ")
        self.assertEqual(groups["izanagi"], 1)
        self.assertEqual(groups["izanami"], 1)
        self.assertGreater(groups["iwatsuchibiko"], groups["izanami"])
        self.assertGreater(groups["hayaakitsuhime"], groups["shinatsuhiko"])


def kind_of_gene(name):
    """`vectors` of `proceed/vectors`, `.storage` of `proceed/flux.storage`."""
    option = name.split("/", 1)[1]
    return re.sub(r".*(\.(storage|state))$", r"\1", option)


class Genes(CommandTest):
    EXPLAINED = re.compile(r"^# (KERNEL/\S+): .+: (\w+(?:, \w+)+)$", re.M)

    def test_are_explained(self):
        for backend in ("openmp", "opencl"):
            with self.subTest(backend):
                text = self.succeed("show", "wave", "--dim", 1, "--fuse", 2, "--genes", "--backend", backend)
                told = {kind_of_gene(name) for name, _ in self.EXPLAINED.findall(text)}
                genes = {kind_of_gene(name) for name in re.findall(r"^(\S+/.*) = ", text, re.M)}
                self.assertEqual(genes, told)
                self.assertEqual("tile_x" in told, backend == "openmp")

    def test_of_others_are_not_explained(self):
        """Neither what ranks alone have, nor what a file does not choose."""
        plain = self.succeed("show", "wave", "--dim", 1, "--genes")
        for gene in ("exchange", "skew_x", ".state"):
            self.assertNotIn(gene, plain)
        self.write("own", "f.skew_x = 2\nproceed/exchange = overlapped\n")
        text = self.succeed("show", "wave", "--dim", 1, "--genes", "--schedule", "own")
        self.assertIn("# FIELD.skew_x: ", text)

    def test_follow_the_size(self):
        """By default they are those that a run on such a grid is planned by."""
        plan, chosen = ("show", "heat", "--dim", 3, "--plan", "--size"), set()
        for size in ("64x64x64", "512x512x64"):
            genes = self.succeed("show", "heat", "--dim", 3, "--genes", "--size", size)
            self.write("size.schedule", genes)
            self.assertEqual(self.succeed(*plan, size, "--schedule", "size.schedule"), self.succeed(*plan, size))
            chosen.add(genes)
        self.assertEqual(len(chosen), 2)

    def test_follow_the_registers(self):
        """Wide stencils take four rows at a time where there are sixteen registers, too."""
        machines = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/machines")
        for app, size, machine in ((("acoustic", "--dim", 3, "--problem", "standing"), "512x512x512", "zen3"),
                                   (("training",), "128x128x128", "zen5"), (("training",), "128x128x128", "xeon")):
            genes = self.succeed("show", *app, "--genes", "--size", size, "--target", "x86-64-v3",
                                 "--machine", f"{machines}/{machine}-x86-64-v3.json")
            self.assertEqual(re.search(r"(?m)^proceed/jam = (.*)$", genes)[1], "4", (app, machine))

    def test_have_the_same_alleles_in_the_docs(self):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/files.md")) as file:
            page = file.read()
        told = self.EXPLAINED.findall(self.succeed("show", "heat", "--dim", 3, "--genes"))
        self.assertGreater(len(told), 8)
        for name, alleles in told:
            gene = name.split("/")[1]
            if gene.startswith("tile_"):
                continue  # one row for all axes
            with self.subTest(gene):
                self.assertIn(f"| `{gene}` | " + ", ".join(f"`{a}`" for a in alleles.split(", ")) + " |", page)


class Verify(CommandTest):
    def test_json(self):
        result = self.succeed_json("verify", "hello", "--dim", 1, "--schedules", 2, "--seed", 7)
        self.assertIs(result["passed"], True)
        self.assertIs(result["exact"], True)
        self.assertIsNone(result["difference"])
        self.assertEqual(result["seed"], 7)
        self.assertGreaterEqual(result["schedules"], 1)
        self.assertGreater(result["cells"], 0)

    WAVE = ["verify", "wave", "--dim", 1, "--compiler", "g++", "--seed", 5]

    def genes(self, *options):
        """What `show --genes` prints, without the help below."""
        text = self.succeed("show", "wave", "--dim", 1, "--genes", *options)
        return "".join(line for line in text.splitlines(True) if not line.startswith(("# KERNEL/", "# FIELD.")))

    def test_keeps_a_schedule_whose_code_is_wrong(self):
        result = self.command(*self.WAVE, "--schedules", 2, env=self.faulty_compiler("none wrong"))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(
            result.stdout,
            r"^wave, fma: DIFFERENT: `[fg]` at cell \d+ is \S+ and the interpreter says \S+\n"
            r"after call \d+ \(`proceed`\) from (problem `paper`|random state).*, size \d+, g\+\+ for \S+, 1 thread, "
            r"schedule 1 of seed 5\nthe schedule is kept in `wave-5-1.schedule`\n$",
        )
        kept = self.genes("--schedule", "wave-5-1.schedule")
        self.assertEqual(kept, self.read("wave-5-1.schedule"))
        self.assertNotEqual(kept, self.genes())

    def test_json_of_a_difference(self):
        result = self.command(*self.WAVE, "--schedules", 1, "--json",
                              env=self.faulty_compiler("wrong"))
        self.assertEqual(result.returncode, 1, result.stderr)
        told = json.loads(result.stdout)
        self.assertIs(told["passed"], False)
        difference = told["difference"]
        self.assertIn(difference["static"], ("f", "g"))
        self.assertEqual((difference["kernel"], difference["schedule"], difference["seed"]),
                         ("proceed", 0, 5))
        self.assertNotEqual(difference["got"], difference["expected"])
        self.assertEqual(difference["schedule_text"], self.genes())

    def test_of_a_schedule(self):
        self.write("short.schedule", self.genes().replace("= 1024", "= 64"))
        call = [*self.WAVE, "--schedules", 1, "--schedule"]
        self.succeed(*call, "short.schedule")
        wrong = self.command(*call, "short.schedule", "--json", env=self.faulty_compiler("wrong"))
        self.assertEqual(json.loads(wrong.stdout)["difference"]["schedule_text"],
                         self.read("short.schedule"))
        refused = self.command(*call, "tuned")
        self.assertEqual((refused.returncode, refused.stderr.splitlines()[0]), (
            2, "error: `--schedule tuned` is for `run` and `bench`: only they look for one"))

    def test_a_program_with_few_schedules(self):
        self.write("scalar.om", "paraiso 1\nmachine scalar dimension 1\nstatic s global f64 = 1\n"
                   "kernel proceed step\n%0 = load s\n%1 = add %0 %0\nstore s %1\nend\nend machine\n")
        call = ["verify", "scalar.om", "--schedules", 3, "--compiler", "g++"]
        self.assertEqual(self.succeed(*call).splitlines()[1:], [
            "1 of 3 schedules requested: 50 random ones in a row gave no new source"])
        told = self.succeed_json(*call)
        self.assertEqual((told["schedules"], told["schedules_asked_for"]), (1, 3))

    def test_of_a_file(self):
        self.write("doubling.om", DOUBLING)
        text = self.succeed("verify", "doubling.om", "--schedules", 1, "--compiler", "g++")
        self.assertRegex(text, r"^doubling, fma: the same bits in \d+ cells and scalars, ")


if __name__ == "__main__":
    unittest.main()
