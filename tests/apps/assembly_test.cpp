// Reads the assembly that g++ and clang++ make of generated loops: arithmetic in the widest vectors
// of this machine, and none cell by cell. What a compiler's mood decides is seen here first.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "apps/hydro/hydro.hpp"
#include "paraiso/codegen/generate.hpp"
#include "paraiso/om/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/runtime/file.hpp"
#include "paraiso/runtime/host.hpp"
#include "paraiso/runtime/process.hpp"
#include "paraiso/runtime/target.hpp"
#include "paraiso/runtime/toolchain.hpp"
#include "tests/runtime/support.hpp"
#include "tests/support/sanitized.hpp"

namespace paraiso {
namespace {

/// Float arithmetic in one innermost loop, or in many.
struct Arithmetic {
  int widest = 0, narrower = 0, scalar = 0;
  int decisions = 0, calls = 0;          // a jump by what a float is; another function
  std::map<std::string, int> operators;  // of the widest: `add`, `div`, ...
  void add(const Arithmetic& other) {
    widest += other.widest;
    narrower += other.narrower;
    scalar += other.scalar;
    decisions += other.decisions;
    calls += other.calls;
    for (const auto& [name, count] : other.operators) operators[name] += count;
  }
};

char widest_register() { return runtime::host().has("avx512f") ? 'z' : 'y'; }

Arithmetic arithmetic_of(const std::string& line) {
  static const std::regex pattern(
      R"(^\s+v(add|sub|mul|div|sqrt|min|max|fn?m(?:add|sub)\d*)([sp])[sd]\s.*%([xyz])mm\d+(?:\{%k\d\})?(?:\{z\})?$)"),
      decision(R"(^\s+v?(u?comis[sd]|k(or)?test|v?ptest|testp|movmsk).*)"), call(R"(^\s+call.*)");
  Arithmetic found;
  found.decisions = std::regex_match(line, decision);
  found.calls = std::regex_match(line, call);
  std::smatch parts;
  if (!std::regex_match(line, parts, pattern)) return found;
  if (parts[2] == "s")
    found.scalar = 1;
  else if (parts[3].str()[0] == widest_register())
    found.operators[parts[1].str().substr(0, 5)] = found.widest = 1;
  else
    found.narrower = 1;
  return found;
}

/// What the innermost loops of the functions do whose names contain `function`.
Arithmetic innermost_loops(const std::string& assembly, const std::string& function) {
  static const std::regex symbol(R"(^((?!\.L)[._A-Za-z][\w.]*):.*)"), label(R"(^(\.L\w+):.*)"),
      jump(R"(^\s+j\w+\s+(\.L\w+).*)");
  std::istringstream text(assembly);
  std::map<std::string, std::size_t> labels;  // of this function: the line
  std::vector<Arithmetic> lines;
  std::size_t last_label = 0;
  bool inside = false;
  Arithmetic all;
  std::smatch parts;
  for (std::string line; std::getline(text, line);) {
    if (std::regex_match(line, parts, symbol)) {
      inside = parts[1].str().find(function) != std::string::npos;
      labels.clear();
    }
    if (!inside) continue;
    lines.push_back(arithmetic_of(line));
    if (std::regex_match(line, parts, label)) {
      last_label = lines.size() - 1;
      labels[parts[1]] = last_label;
    } else if (std::regex_match(line, parts, jump)) {
      const auto target = labels.find(parts[1]);
      if (target == labels.end() || target->second != last_label) continue;
      Arithmetic loop;
      for (std::size_t i = last_label; i < lines.size(); ++i) loop.add(lines[i]);
      if (loop.widest + loop.narrower + loop.scalar > 0) all.add(loop);
    }
  }
  return all;
}

class Assembly : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (runtime::find_target("").vector_bytes < 32)
      GTEST_SKIP() << "no machine whose assembly this test reads";
    if (test::kSanitized) GTEST_SKIP() << "a sanitizer adds instructions of its own";
  }

  /// Of the generated code under the default schedule.
  static std::string of(const om::Machine& machine) {
    const auto program = passes::prepare(machine, passes::Numbers::fma);
    const test::Folder folder;
    std::string source;
    for (const auto& file : codegen::generate_openmp(program, plan::default_schedule(program))) {
      runtime::write_file(folder / file.name, file.text);
      if (file.name == machine.name + ".cpp") source = file.name;
    }
    const auto toolchain = runtime::find_toolchain(GetParam());
    std::vector<std::string> call{toolchain.path};
    const auto flags = runtime::kernel_flags(toolchain, "-O3", runtime::find_target(""));
    call.insert(call.end(), flags.begin(), flags.end());
    call.insert(call.end(), {"-S", source, "-o", "kernels.s"});
    const auto result = runtime::run_program(call, folder.path());
    EXPECT_EQ(result.status, 0) << result.output;
    return runtime::read_file(folder / "kernels.s");
  }
};

/// But for the end of each reduction: the 16 lanes of a chunk are combined in 15 operations.
void expect_whole_vectors(const Arithmetic& loops, int reductions) {
  EXPECT_LE(loops.scalar + loops.narrower, 15 * reductions);
  EXPECT_GT(loops.widest, 0);
  EXPECT_EQ(loops.decisions, 0);
  EXPECT_EQ(loops.calls, 0);
}

om::Machine hydro(om::Element precision) {
  return apps::hydro().build({2, precision, "kelvin_helmholtz"});
}

TEST_P(Assembly, OfHydroHasNoScalarArithmeticInItsLoops) {
  for (const auto precision : {om::Element::f64, om::Element::f32}) {
    auto loops = innermost_loops(of(hydro(precision)), "hydro_proceed_1_tile");
    expect_whole_vectors(loops, 1);
    // a cell has four fluxes of two quotients and a root, two velocities and a crossing time
    EXPECT_GE(loops.operators["div"], 4 * 2 + 2 + 1);
    EXPECT_GE(loops.operators["sqrt"], 4 + 1);
    EXPECT_GE(loops.widest, 400);
  }
}

TEST_P(Assembly, OfAMinimumTakesWholeVectors) {
  const auto machine = om::parse(
      "paraiso 1\nmachine least dimension 1\nstatic f local f64\n  boundary 0 outflow outflow\n"
      "static s global f64\nkernel find step\n%0 = load f\n%1 = reduce min %0\nstore s %1\nend\n"
      "end machine\n");
  const auto assembly = of(machine);
  Arithmetic loops;
  for (const char* function : {"least_find", "reduce", "omp_outlined"})  // as inlined
    loops.add(innermost_loops(assembly, function));
  expect_whole_vectors(loops, 1);
  EXPECT_GE(loops.operators["min"], 1);
}

INSTANTIATE_TEST_SUITE_P(Compilers, Assembly, ::testing::Values("g++", "clang++"));

}  // namespace
}  // namespace paraiso
