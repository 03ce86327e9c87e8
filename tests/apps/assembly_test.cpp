// Reads the assembly that g++ and clang++ make of generated loops, for x86-64-v3 and v4, so that it
// is the same on every machine: arithmetic in the widest vectors, none cell by cell, and no more
// traffic between registers and the stack than stated; vectors move whole. What a compiler's mood
// decides is seen here first.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "apps/heat/heat.hpp"
#include "apps/hydro/hydro.hpp"
#include "paraiso/codegen/cpu/openmp.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/build/toolchain.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/target.hpp"
#include "tests/runtime/support.hpp"
#include "tests/support/sanitized.hpp"

namespace paraiso {
namespace {

/// Float arithmetic in one innermost loop, or in many.
struct Arithmetic {
  int widest = 0, narrower = 0, scalar = 0;
  int decisions = 0, calls = 0;  // a jump by what a float is; another function
  int inserts = 0;               // of a lane or a part into a vector, or out of it
  int vectors = 0, stack = 0;    // instructions on vectors; of these, moves to or from the stack
  int pieces = 0;                // moves of a part of a vector, of whole narrower registers
  std::map<std::string, int> operators;  // of the widest: `add`, `div`, ...
  int combined = 0;                      // of what isn't the widest: sums, minima and maxima
  /// The last cells of a chunk, fewer than 16, are combined one by one, as often as the compiler
  /// likes to unroll that.
  [[nodiscard]] bool is_rest_of_a_chunk() const {
    return widest == 0 && combined == narrower + scalar;
  }
  void add(const Arithmetic& other) {
    widest += other.widest;
    narrower += other.narrower;
    scalar += other.scalar;
    decisions += other.decisions;
    calls += other.calls;
    inserts += other.inserts;
    vectors += other.vectors;
    stack += other.stack;
    pieces += other.pieces;
    combined += other.combined;
    for (const auto& [name, count] : other.operators) operators[name] += count;
  }
};

Arithmetic arithmetic_of(const std::string& line, char widest_register) {
  static const std::regex pattern(
      R"(^\s+v(add|sub|mul|div|sqrt|min|max|fn?m(?:add|sub)\d*)([sp])[sd]\s.*%([xyz])mm\d+(?:\{%k\d\})?(?:\{z\})?$)"),
      decision(R"(^\s+v?(u?comis[sd]|k(or)?test|v?ptest|testp|movmsk).*)"), call(R"(^\s+call.*)"),
      insert(R"(^\s+vp?(insert|extract|insr|extr).*)"),
      move(R"(^\s+vmov([au]p[sd]|dq[au]\d*)\s+(.*\), *%([xyz])mm\d+|%([xyz])mm\d+, .*\))$)"),
      stack(R"(^\s+vmov\w+\s+(.*\(%r[sb]p\), *%[xyz]mm\d+|%[xyz]mm\d+, .*\(%r[sb]p\))$)");
  Arithmetic found;
  found.vectors = line.find("mm") != std::string::npos && line.find('%') != std::string::npos;
  found.inserts = std::regex_match(line, insert);
  found.stack = std::regex_match(line, stack);
  found.decisions = std::regex_match(line, decision);
  found.calls = std::regex_match(line, call);
  std::smatch parts;
  if (std::regex_match(line, parts, move))
    found.pieces = parts[3].str() + parts[4].str() != std::string(1, widest_register);
  if (!std::regex_match(line, parts, pattern)) return found;
  if (parts[2] == "p" && parts[3].str()[0] == widest_register) {
    found.operators[parts[1].str().substr(0, 5)] = found.widest = 1;
    return found;
  }
  (parts[2] == "s" ? found.scalar : found.narrower) = 1;
  static const std::set<std::string> combining{"add", "min", "max"};
  found.combined = static_cast<int>(combining.count(parts[1]));
  return found;
}

/// A jump back and where to, as lines of a function.
struct Loop {
  std::size_t begin, end;
  [[nodiscard]] bool holds(const Loop& other) const {
    return begin <= other.begin && other.end <= end && (begin != other.begin || end != other.end);
  }
};

struct Function {
  std::vector<std::string> lines;
  std::map<std::string, std::size_t> labels;  // the line of each
  std::vector<Loop> loops;
};

/// The functions whose names contain `name`.
std::vector<Function> functions_of(const std::string& assembly, const std::string& name) {
  static const std::regex symbol(R"(^((?!\.L)[._A-Za-z][\w.]*):.*)"), label(R"(^(\.L\w+):.*)"),
      jump(R"(^\s+j\w+\s+(\.L\w+).*)");
  std::istringstream text(assembly);
  std::vector<Function> found;
  bool inside = false;
  std::smatch parts;
  for (std::string line; std::getline(text, line);) {
    if (std::regex_match(line, parts, symbol)) {
      inside = parts[1].str().find(name) != std::string::npos;
      if (inside) found.emplace_back();
    }
    if (!inside) continue;
    line.erase(std::min(line.find("  #"), line.size()));  // what clang++ says of an instruction
    while (line.ends_with(' ')) line.pop_back();
    Function& function = found.back();
    function.lines.push_back(line);
    if (std::regex_match(line, parts, label)) {
      function.labels[parts[1]] = function.lines.size() - 1;
    } else if (std::regex_match(line, parts, jump)) {
      const auto target = function.labels.find(parts[1]);
      if (target != function.labels.end())
        function.loops.push_back({target->second, function.lines.size() - 1});
    }
  }
  return found;
}

/// What the innermost loops of the functions do whose names contain `name`: loops in one piece, and
/// those with branches inside (to prefetch for every second vector) that do widest arithmetic.
Arithmetic innermost_loops(const std::string& assembly, const std::string& name, char widest) {
  Arithmetic all;
  for (const Function& function : functions_of(assembly, name))
    for (const Loop& loop : function.loops) {
      if (std::ranges::any_of(function.loops, [&](const Loop& l) { return loop.holds(l); }))
        continue;
      Arithmetic body;
      for (std::size_t i = loop.begin; i <= loop.end; ++i)
        body.add(arithmetic_of(function.lines[i], widest));
      const bool branches = std::ranges::any_of(function.labels, [&](const auto& label) {
        return loop.begin < label.second && label.second < loop.end;
      });
      if (branches) body.decisions = 0;  // the end of a reduction looks for NaN
      if (body.is_rest_of_a_chunk()) continue;
      if (body.widest > 0 || (!branches && body.narrower + body.scalar > 0)) all.add(body);
    }
  return all;
}

/// Two vectors of 32 bytes as g++ copies them unless it is told otherwise: each load of 32 waits
/// until two stores of 16 are done.
TEST(AssemblyOfPieces, IsCounted) {
  const std::string assembly = R"(copy_tile:
.L3:
	vmovdqa	(%rsi,%rax), %xmm2
	vmovdqa	16(%rsi,%rax), %xmm3
	vmovdqa	%xmm2, -64(%rsp)
	vmovdqa	%xmm3, -48(%rsp)
	vaddpd	-64(%rsp), %ymm0, %ymm1
	vmovapd	%ymm1, (%rdi,%rax)
	vmovapd	%xmm1, %xmm2
	vmovsd	%xmm2, (%rdi)
	jne	.L3
)";
  EXPECT_EQ(innermost_loops(assembly, "copy_tile", 'y').pieces, 4);
}

struct Compilation {
  const char *compiler, *target;
  const char* tune = "";  // for a processor, as `native` does where it runs
  friend std::ostream& operator<<(std::ostream& out, const Compilation& c) {
    return out << c.compiler << ", " << c.target << (*c.tune != 0 ? ", " : "") << c.tune;
  }
};

class Assembly : public ::testing::TestWithParam<Compilation> {
 protected:
  void SetUp() override {
    if (runtime::host().architecture != "x86_64")
      GTEST_SKIP() << "no machine whose assembly this test reads";
    if (test::kSanitized) GTEST_SKIP() << "a sanitizer adds instructions of its own";
  }

  static plan::Target target() { return runtime::find_target(GetParam().target); }

  static Arithmetic loops(const std::string& assembly, const std::string& function) {
    return innermost_loops(assembly, function, target().vector_bytes == 64 ? 'z' : 'y');
  }

  /// Of the generated code under the default schedule.
  static std::string of(const om::Machine& machine) {
    const auto program = passes::prepare(machine, passes::Numbers::fma);
    const test::Folder folder;
    std::string source;
    for (const auto& file :
         codegen::generate_openmp(plan::plan_program(program, plan::default_schedule(program)))) {
      runtime::write_file(folder / file.name, file.text);
      if (file.name == machine.name + ".cpp") source = file.name;
    }
    return of(folder, source);
  }

  /// Of a file in a folder.
  static std::string of(const test::Folder& folder, const std::string& source) {
    const auto toolchain = runtime::find_toolchain(GetParam().compiler);
    std::vector<std::string> call{toolchain.path};
    const auto flags = runtime::kernel_flags(toolchain, "-O3", target());
    call.insert(call.end(), flags.begin(), flags.end());
    if (*GetParam().tune != 0) call.push_back(std::string("-mtune=") + GetParam().tune);
    call.insert(call.end(), {"-S", source, "-o", "kernels.s"});
    const auto result = runtime::run_program(call, folder.path());
    EXPECT_EQ(result.status, 0) << result.output;
    return runtime::read_file(folder / "kernels.s");
  }
};

void expect_whole_vectors(const Arithmetic& loops) {
  EXPECT_EQ(loops.scalar + loops.narrower, 0);
  EXPECT_GT(loops.widest, 0);
  EXPECT_EQ(loops.decisions, 0);
  EXPECT_EQ(loops.calls, 0);
  EXPECT_EQ(loops.inserts, 0);
  EXPECT_EQ(loops.pieces, 0);
}

om::Machine hydro(om::Element precision) {
  return apps::hydro().build({2, precision, "kelvin_helmholtz"});
}

TEST_P(Assembly, OfHydroHasNoScalarArithmeticInItsLoops) {
  for (const auto precision : {om::Element::f64, om::Element::f32}) {
    auto loops = this->loops(of(hydro(precision)), "hydro_proceed_1_tile");
    expect_whole_vectors(loops);
    // a cell has four fluxes of two quotients and a root, two velocities and a crossing time
    EXPECT_GE(loops.operators["div"], 4 * 2 + 2 + 1);
    EXPECT_GE(loops.operators["sqrt"], 4 + 1);
    EXPECT_GE(loops.widest, 400);
    // two vectors of a flux in step want more registers than there are
    EXPECT_LE(loops.stack, (target().vector_registers == 16 ? 0.33 : 0.2) * loops.vectors);
  }
}

TEST_P(Assembly, OfHeatKeepsItsStencilInRegisters) {
  auto machine = apps::heat().build({3, om::Element::f64, "decay"});
  std::erase_if(machine.kernels, [](const auto& k) { return k.role != om::KernelRole::step; });
  const auto assembly = of(machine);
  Arithmetic loops;
  for (const char* function : {"proceed_1", "omp_outlined"}) {  // as inlined
    loops.add(this->loops(assembly, function));
  }
  EXPECT_GE(loops.operators["fmadd"], 5);
  expect_whole_vectors(loops);
  EXPECT_LE(loops.stack, 0.1 * loops.vectors);  // at the end of a sum
}

/// Two vectors go through memory in one structure.
TEST_P(Assembly, OfACopyTakesWholeVectors) {
  const test::Folder folder;
  runtime::write_file(folder / "copy.cpp",
                      fmt::format("typedef double vector __attribute__((vector_size({})));\n"
                                  "struct Pair {{ vector half[2]; }};\n"
                                  "void copy_tile(Pair* to, Pair* from, long n, vector z) {{\n"
                                  "  for (long i = 0; i < n; ++i) {{\n"
                                  "    Pair copy = from[i];\n"
                                  "    asm volatile(\"\" : : \"r\"(&copy) : \"memory\");\n"
                                  "    to[i].half[0] = copy.half[0] + z;\n"
                                  "    to[i].half[1] = copy.half[1] + z;\n"
                                  "  }}\n"
                                  "}}\n",
                                  target().vector_bytes));
  expect_whole_vectors(loops(of(folder, "copy.cpp"), "copy_tile"));
}

using AssemblyOfAMinimum = Assembly;
TEST_P(AssemblyOfAMinimum, TakesWholeVectors) {
  const auto machine = om::parse(
      "paraiso 1\nmachine least dimension 1\nstatic f local f64\n  boundary 0 outflow outflow\n"
      "static s global f64\nkernel find step\n%0 = load f\n%1 = reduce min %0\nstore s %1\nend\n"
      "end machine\n");
  const auto assembly = of(machine);
  Arithmetic loops;
  for (const char* function : {"least_find", "reduce", "omp_outlined"})  // as inlined
    loops.add(this->loops(assembly, function));
  expect_whole_vectors(loops);
  EXPECT_GE(loops.operators["min"], 1);
}

INSTANTIATE_TEST_SUITE_P(Compilers, Assembly,
                         ::testing::Values(Compilation{"g++", "x86-64-v3"},
                                           Compilation{"clang++", "x86-64-v3"},
                                           Compilation{"g++", "x86-64-v4"},
                                           Compilation{"clang++", "x86-64-v4"}));
// For a Zen 3, clang++ unrolls how the last cells of a chunk are combined.
INSTANTIATE_TEST_SUITE_P(Compilers, AssemblyOfAMinimum,
                         ::testing::Values(Compilation{"g++", "x86-64-v3"},
                                           Compilation{"clang++", "x86-64-v3"},
                                           Compilation{"g++", "x86-64-v4"},
                                           Compilation{"clang++", "x86-64-v4"},
                                           Compilation{"clang++", "x86-64-v4", "znver3"}));

}  // namespace
}  // namespace paraiso
