"""What nvcc makes of the kernels of default schedules: no warning, no spill, few registers, each operation rounded as it is
written. PARAISO_NVCC=all asks every app, dimension, precision, mode and architecture; without it each app and dimension once,
by turns in each of the others. All are looked at, and all that is amiss is told."""
import os
import re
import resource
import shutil
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

from command import CommandTest, program_of

NVCC = shutil.which("nvcc") or next(
    (path for path in (os.path.join(os.environ.get("CUDA_PATH", "/usr/local/cuda"), "bin/nvcc"),) if os.path.exists(path)), None)
ROUNDING = ["--fmad=false", "-ftz=false", "-prec-div=true", "-prec-sqrt=true"]
FLAGS = ["-std=c++17", *ROUNDING, "-Werror", "all-warnings"]
ARCHITECTURES = ["75", "80", "90", "100"]
ALL = os.environ.get("PARAISO_NVCC") == "all"
MOST_REGISTERS = 168  # of a thread, in blocks of 256
MOST_SHARED = 48 * 1024  # bytes of a block, which any device has
SHARED = re.compile(r"(\d+) bytes smem")

# Registers are estimated for sm_90: of each app and dimension in f64 and fma, and of these.
BESIDES = [program_of(*words.split()) for words in (
    "heat 3 f32 fma", "himeno 3 f32 fma", "hydro 3 f32 fma", "mhd 2 f32 fma", "mhd 2 f64 strict", "training 3 f32 fma", "wave 2 f32 strict")]
# Most have kernels that keep values in shared memory.
KEEPING = [["heat", "--dim", 3, "--fuse", 2], ["heat", "--dim", 2, "--fuse", 4], ["wave", "--dim", 3, "--fuse", 2],
           *(program_of(*words.split()) for words in (
               "hydro 1 f64 fma", "hydro 2 f64 fma", "hydro 3 f32 fma", "mhd 1 f64 fma", "mhd 2 f32 fma", "acoustic 3 f64 fma"))]

KERNEL = re.compile(r"__global__ (?:__launch_bounds__\(.*?\) )?void (\w+)\((.*?)\n}\n", re.S)
FUNCTION = re.compile(r"inline [\w ]+?(\w+)\(([^{;]*\{(?:[^\n]*|.*?\n))}\n", re.S)
FUSED = re.compile(r"\bfma\.rn\.")
ENTRY = re.compile(r"\.entry (\w+)\((.*?)\n}\n", re.S)
# The operations of the graph are comparisons and choices: only of a number that is no zero, as in `exp`, is `max` the same.
EXTREMUM = re.compile(r"\b(?:min|max)(?:\.\w+)*\.f(?:32|64)\b.*")
NOT_ZERO = re.compile(r"\b0[df](?![08]0+;)[0-9A-Fa-f]+;$")
# Elementary functions have multiply-adds that are written as such in each mode; in PTX their names lie between a number and an E.
ELEMENTARY = r"(?:exp|log|sin|cos|tan|sincos|pow|asin|acos|atan|atan2|sinh|cosh|tanh|cbrt|hypot)\w*_f(?:32|64)"
OWN = re.compile(rf"\b{ELEMENTARY}\(")
OWN_NAME = re.compile(rf"(?:^|\d){ELEMENTARY}(?:E|$)")
# What multiply-adds become where those that the compiler makes are to be told from them.
WRITTEN = "".join(f"""static __device__ inline {kind} written_f{bits}({kind} x, {kind} y, {kind} z) {{
  {kind} sum;
  asm("fma.rn.f{bits} %0, %1, %2, %3;" : "={letter}"(sum) : "{letter}"(x), "{letter}"(y), "{letter}"(z));
  return sum;
}}
""" for kind, bits, letter in (("double", 64, "d"), ("float", 32, "f")))
ASSEMBLY = re.compile(r"// begin inline asm.*?// end inline asm", re.S)


# Elementary functions, and a multiply-add.
WAVES = """paraiso 1
machine waves dimension 1

static u local f64
  boundary 0 cyclic cyclic

kernel proceed step
  %0: local f64 = load u
  %1: local f64 = sin %0
  %2: local f64 = exp %1
  %3: local f64 = mul %1 %2
  %4: local f64 = add %3 %0
  store u %4
end

end machine
"""


# Comparisons with zeros of either sign, in each form that the language has.
EXTREMES = """paraiso 1
machine extremes dimension 1

static u local f64
  boundary 0 cyclic cyclic
static v local f32
  boundary 0 cyclic cyclic

kernel proceed step
  %u = load u
  %zero = imm f64 0
  %nought = broadcast %zero
  %low = min %u %nought
  %high = max %u %nought
  %less = lt %u %nought
  %chosen = select %less %u %nought
  %a = add %low %high
  %b = add %a %chosen
  store u %b
  %v = load v
  %minus = imm f32 -0
  %none = broadcast %minus
  %least = min %none %v
  %most = max %v %none
  %c = sub %least %most
  store v %c
end

end machine
"""
# What nvcc takes for the `min` of PTX, which orders zeros by their signs.
PLAIN = 'extern "C" __global__ void plain(double* x) { *x = *x < 0.0 ? *x : 0.0; }\n'


def extrema_of(ptx):
    """What might order zeros by their signs."""
    return [line for line in EXTREMUM.findall(ptx) if not NOT_ZERO.search(line)]


def write_roomy_chain(test):
    """A program, `chain.om`, and a schedule, `roomy.txt`, whose blocks have more shared memory than kernels have unasked."""
    around = ["1, 0, 0", "-1, 0, 0", "0, 1, 0", "0, -1, 0", "0, 0, 1", "0, 0, -1"]
    text = ["paraiso 1", "machine chain dimension 3", "static u local f64",
            *(f"  boundary {axis} cyclic cyclic" for axis in range(3)), "kernel proceed step", "  %v0 = load u"]
    for v in range(6):
        text += [f"  %n{v}_{n} = shift %v{v} ({offset})" for n, offset in enumerate(around)]
        text += [f"  %s{v}_{n + 1} = add %{'s' if n else 'n'}{v}_{n} %n{v}_{n + 1}" for n in range(5)]
        text += [f"  %v{v + 1} v{v + 1} = neg %s{v}_5"]
    test.write("chain.om", "\n".join([*text, "  store u %v6", "end", "end machine", ""]))
    genes = test.succeed("show", "chain.om", "--backend", "cuda", "--genes")
    kept = [name + " = rolling" for name in re.findall(r"^(proceed/v\d.storage) = ", genes, re.M)]
    test.write("roomy.txt", "\n".join([*kept, "proceed/block_x = 32", "proceed/block_y = 16", "proceed/shared = 224", ""]))


def nvcc(source, *more):
    return subprocess.run([NVCC, *FLAGS, *more, source], capture_output=True, text=True, cwd=os.path.dirname(source))


@unittest.skipUnless(NVCC, "SKIP: no nvcc here")
class Nvcc(CommandTest):
    kernels_of = {}  # what plans say and nvcc does, of the programs that two tests ask for

    def kernels(self, *program):
        """The file of a program's kernels."""
        folder = "-".join(map(str, program))
        self.succeed("emit", *program, "--backend", "cuda", "--output", folder)
        name, = [file for file in os.listdir(self.path(folder)) if file.endswith(".cu")]
        return os.path.join(self.path(folder), name)

    def programs(self):
        """The arguments of `emit`, and the architectures to compile for."""
        found = self.every_program()
        if ALL:
            return [(program, ARCHITECTURES) for program in found]
        # Each app and dimension once, by turns in each precision, mode and architecture.
        chosen = {}
        for number, program in enumerate(found):
            chosen.setdefault(tuple(program[:3]), []).append(program)
        return [(all_[number % len(all_)], [ARCHITECTURES[(number + number // 4) % 4]])
                for number, all_ in enumerate(chosen.values())]

    def look_at(self, program, architectures):
        """All that is amiss, each with what it is of."""
        source, amiss = self.kernels(*program), []

        def look(which, check, *more):
            try:
                check(*more)
            except AssertionError as error:
                amiss.append(f"{' '.join(map(str, program))}, {which}: {error}")

        for architecture in architectures:
            made = nvcc(source, "-cubin", "-arch=sm_" + architecture, "-Xptxas", "-v", "-o", "kernels.cubin")
            look("sm_" + architecture, self.assertEqual, made.returncode, 0, made.stderr)
            look("sm_" + architecture, self.check_resources, made.stderr)
        look("PTX", self.check_ptx, source, program[-1])
        look("multiply-adds", self.check_fused_as_written, source, program[-1])
        look("multiply-adds", lambda: self.assertEqual(self.fused_unasked(source), 0))
        return amiss

    def check_ptx(self, source, numbers):
        made = nvcc(source, "-ptx", "-arch=compute_75", "-o", "kernels.ptx")
        self.assertEqual(made.returncode, 0, made.stderr)
        with open(source) as text, open(os.path.join(os.path.dirname(source), "kernels.ptx")) as ptx:
            self.check_arithmetic(numbers, text.read(), ptx.read())

    def check_resources(self, report):
        """Of nvcc's report: whoever reads what is amiss is told of those kernels and functions alone."""
        kernels = re.findall(r"Compiling entry function '(\w+)'.*?Used (\d+) registers([^\n]*)", report, re.S)
        spills = re.findall(r"Function properties for (\w+)\n[^\n]*?(\d+) bytes spill stores, (\d+) bytes spill loads", report)
        self.assertGreater(len(kernels), 0, report)
        self.assertEqual(len(spills), report.count("bytes spill stores"), report)
        self.assertEqual([f"{name} stores {stores} bytes and loads {loads}" for name, stores, loads in spills
                          if (stores, loads) != ("0", "0")], [])
        self.assertEqual([(name, int(bytes_)) for name, _, rest in kernels for bytes_ in SHARED.findall(rest)
                          if int(bytes_) > MOST_SHARED], [])
        self.assertEqual([(name, int(registers)) for name, registers, _ in kernels if int(registers) > MOST_REGISTERS], [])

    def planned(self, program, name):
        """What `show --plan` tells of each kernel: registers of a thread, bytes of shared memory of a block."""
        found, kernel = {}, None
        for line in self.succeed("show", *program, "--backend", "cuda", "--plan").splitlines():
            if new := re.match(r"kernel `(\w+)`", line):
                kernel, group = new[1], 0
            elif line.startswith("  group "):
                group += 1
            elif told := re.match(r"    about (\d+) registers", line):
                shared = re.search(r"([\d.]+) KiB of shared memory", line)
                found[f"{name}_{kernel}_{group}"] = int(told[1]), int(1024 * float(shared[1])) if shared else 0
        return found

    def taken(self, source):
        """What nvcc does."""
        made = nvcc(source, "-cubin", "-arch=sm_90", "-Xptxas", "-v", "-o", "kernels.cubin")
        self.assertEqual(made.returncode, 0, made.stderr)
        found = re.findall(r"Compiling entry function '(\w+)'.*?Used (\d+) registers([^\n]*)", made.stderr, re.S)
        return {name: (int(registers), sum(map(int, SHARED.findall(rest)))) for name, registers, rest in found}

    def planned_and_taken(self, programs):
        """Of each kernel of the plans: its name, and both."""
        def of(program):
            key = " ".join(map(str, program))
            if key in self.kernels_of:
                return self.kernels_of[key]
            source = self.kernels(*program)
            planned, taken = self.planned(program, os.path.basename(source)[:-3]), self.taken(source)
            self.assertLessEqual(set(planned), set(taken), program)
            self.kernels_of[key] = [(f"{name} of {key}", planned[name], taken[name]) for name in planned]
            return self.kernels_of[key]

        with ThreadPoolExecutor(2) as pool:
            return [kernel for kernels in pool.map(of, programs) for kernel in kernels]

    def check_arithmetic(self, numbers, text, ptx):
        self.assertEqual(re.findall(r"[^\s;]*\.(?:ftz|approx|full)\b[^\s;]*", ptx), [])
        self.assertEqual(extrema_of(ptx), [])
        entries = dict(ENTRY.findall(ptx))
        kernels = dict(KERNEL.findall(text))
        self.assertEqual(set(entries), set(kernels))
        functions = dict(FUNCTION.findall(text))
        for name, body in kernels.items():
            written, fused = multiply_adds(body, functions), len(FUSED.findall(entries[name]))
            if OWN.search(body + "".join(functions[f] for f in called(body, functions))):  # whose loops are written out
                self.assertGreaterEqual(fused, 0.8 * written, name)
            elif numbers == "strict" or written == 0:
                self.assertEqual((written, fused), (0, 0), name)
            else:  # equal ones become one; two loops may each be written out four times, and once for the rest
                times = 25 if re.search(r"\bfor \(", body) else 1
                self.assertTrue(0.8 * written <= fused <= times * written, (name, written, fused))

    def fused_unasked(self, source, *more):
        """How many multiply-adds are none of the source's, in the PTX of all kernels and functions."""
        with open(source) as file:
            text = re.sub(r"\bfma(f?)\(", lambda found: "written_f32(" if found[1] else "written_f64(", file.read())
        marked = os.path.join(os.path.dirname(source), "marked.cu")
        with open(marked, "w") as file:
            file.write(WRITTEN + text)
        made = nvcc(marked, "-ptx", "-diag-suppress=177", "-arch=compute_75", "-o", "marked.ptx", *more)
        self.assertEqual(made.returncode, 0, made.stderr)
        with open(os.path.join(os.path.dirname(source), "marked.ptx")) as ptx:
            return len(FUSED.findall(ASSEMBLY.sub("", ptx.read())))

    def check_fused_as_written(self, source, numbers):
        """Exactly, where nvcc keeps loops and functions as they are; how many there are, with those of elementary functions."""
        made = nvcc(source, "-ptx", "-G", "-arch=compute_75", "-o", "debug.ptx")
        self.assertEqual(made.returncode, 0, made.stderr)
        with open(source) as file, open(os.path.join(os.path.dirname(source), "debug.ptx")) as ptx:
            text, entries, ptx_functions = file.read(), *bodies_of(ptx.read())
        functions, total = dict(FUNCTION.findall(text)), 0
        for name, body in KERNEL.findall(text):
            written, of_graph = multiply_adds(body, functions), multiply_adds(body, without_own(functions))
            self.assertEqual(fused_in(entries[name], ptx_functions), written, name)
            self.assertEqual(fused_in(entries[name], without_own(ptx_functions)), of_graph, name)
            if numbers == "strict":
                self.assertEqual(of_graph, 0, name)
            total += written
        return total

    def test_ptx_has_each_fused_operation_that_is_written(self):
        """Elementary functions have theirs in both modes; a compiler that may makes more."""
        self.write("waves.om", WAVES)
        for program in (["hydro", "--dim", 1], ["waves.om"]):
            for numbers in "strict", "fma":
                source = self.kernels(*program, "--numbers", numbers)
                total = self.check_fused_as_written(source, numbers)
                self.assertEqual(total > 0, numbers == "fma" or program == ["waves.om"])
        self.assertEqual(self.fused_unasked(source), 0)
        self.assertGreater(self.fused_unasked(source, "--fmad=true"), 0)

    def test_zeros_are_compared_as_they_are_written(self):
        self.write("extremes.om", EXTREMES)
        self.write("plain.cu", PLAIN)
        for source, found in (self.kernels("extremes.om", "--numbers", "strict"), False), (self.path("plain.cu"), True):
            made = nvcc(source, "-ptx", "-arch=compute_90", "-o", "kernels.ptx")
            self.assertEqual(made.returncode, 0, made.stderr)
            with open(os.path.join(os.path.dirname(source), "kernels.ptx")) as ptx:
                lines = extrema_of(ptx.read())
            self.assertEqual(len(lines) > 0, found, lines)

    def test_default_schedules(self):
        programs = self.programs()
        self.assertGreaterEqual(len({program[0] for program, _ in programs}), 5)
        self.assertGreaterEqual(len({(program[4], program[6], *ones) for program, ones in programs}), 4 if ALL else 12)
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda program: self.look_at(*program), programs))
        all_amiss = [line for amiss in found for line in amiss]
        self.assertFalse(all_amiss, "\n".join(all_amiss))

    def test_a_block_with_more_shared_memory_than_kernels_have_unasked(self):
        write_roomy_chain(self)
        source = self.kernels("chain.om", "--schedule", "roomy.txt")
        with open(source) as text:
            asked, = re.findall(r"SHARED_OF_LAUNCH\((\d+)\);", text.read())
        self.assertGreater(int(asked), 48 * 1024)
        made = nvcc(source, "-cubin", "-arch=sm_90", "-Xptxas", "-v", "-o", "kernels.cubin")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.check_resources(made.stderr)

    def test_ghost_cells_that_boundary_kernels_make_spill_nothing(self):
        made = nvcc(self.kernels("hydro", "--dim", 2, "--precision", "f32"), "-cubin", "-arch=sm_80", "-Xptxas", "-v", "-o", "kernels.cubin")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("hydro_fill_fields", made.stderr)
        self.check_resources(made.stderr)

    def test_shared_memory_is_what_plans_say(self):
        kernels = self.planned_and_taken(KEEPING)
        self.assertEqual([(name, planned[1]) for name, planned, _ in kernels], [(name, taken[1]) for name, _, taken in kernels])
        self.assertGreater(len({planned[1] for _, planned, _ in kernels}), 5)

    def test_gas_dynamics_in_space_compiles_in_little_time(self):
        """Of one processor, also where others are busy; half a minute is what it may take."""
        source = self.kernels("hydro", "--dim", 3)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(nvcc(source, "-cubin", "-arch=sm_90", "-o", "kernels.cubin").returncode, 0)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 30)

    def test_registers_are_about_what_plans_estimate(self):
        """With up to 32 all threads of a multiprocessor have enough."""
        programs = [program for program in self.every_program()
                    if ALL or program in BESIDES or program[3:] == program_of("", 0, "f64", "fma")[3:]]
        self.assertEqual([program for program in BESIDES if program not in programs], [])
        ratios = [(planned[0] / max(32, taken[0]), name) for name, planned, taken in self.planned_and_taken(programs)]
        wrong = [one for one in ratios if abs(one[0] - 1) > 0.25]
        self.assertGreater(len(ratios), 80)
        self.assertLessEqual(10 * len(wrong), len(ratios), wrong)
        self.assertEqual([one for one in wrong if not 0.55 < one[0] < 1.6], [])


def bodies_of(ptx):
    """Of the kernels and of the functions of a PTX text, in which calls are calls."""
    functions = dict(re.findall(r"\.func [^{;]*?(\w+)\([^{;]*\)\s*\{(.*?)\n}\n", ptx, re.S))
    return dict(ENTRY.findall(ptx)), functions


def fused_in(body, functions):
    """With those of the functions that it calls, as often as it does."""
    names = re.findall(r"call\.uni[^;]*?(\w+),", re.sub(r"\s+", " ", body))
    return len(FUSED.findall(body)) + sum(fused_in(functions[n], functions) for n in names if n in functions)


def called(body, functions):
    """Of the functions of the same text, those that a body calls, directly or not, as often as it does."""
    found = []
    for name in re.findall(r"\b(\w+)\(", body):
        if name in functions:
            found += [name] + called(functions[name], functions)
    return found


def without_own(functions):
    """Those that are no elementary functions."""
    return {name: body for name, body in functions.items() if not OWN_NAME.search(name)}


def multiply_adds(body, functions):
    """How many a body has with those that it calls."""
    return len(re.findall(r"\bfmaf?\(", body + "".join(functions[name] for name in called(body, functions))))


if __name__ == "__main__":
    unittest.main()
