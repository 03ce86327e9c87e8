// The generator of random programs: its machines are valid, varied, and survive the text format.
#include "tests/support/random_machine.hpp"

#include <gtest/gtest.h>

#include <set>

#include "paraiso/om/text/print.hpp"
#include "paraiso/om/verify/verify.hpp"

namespace paraiso::test {
namespace {

using namespace om;

constexpr std::uint64_t kMachines = 300;

Machine machine_of(std::uint64_t seed) {
  Rng rng(seed);
  return random_machine(rng, {.elementary = seed % 3 == 0});
}

/// The kernels one after the other, on a random state of a random size.
State run(const Machine& machine, std::uint64_t seed) {
  Rng rng(seed);
  State state = random_state(machine, random_size(rng, machine.dimension, 300), rng);
  for (const auto& kernel : machine.kernels) interpret(machine, kernel, state);
  return state;
}

TEST(RandomMachine, AlwaysVerifies) {
  for (std::uint64_t seed = 0; seed < kMachines; ++seed) {
    SCOPED_TRACE(seed);
    EXPECT_NO_THROW(verify(machine_of(seed)));
  }
}

TEST(RandomMachine, IsTheSameForOneSeed) {
  EXPECT_EQ(print(machine_of(5)), print(machine_of(5)));
  EXPECT_NE(print(machine_of(5)), print(machine_of(6)));
}

TEST(RandomMachine, PrintsAndParsesAndMeansTheSame) {
  for (std::uint64_t seed = 0; seed < kMachines; ++seed) {
    SCOPED_TRACE(seed);
    const Machine machine = machine_of(seed);
    const std::string text = print(machine);
    const Machine parsed = parse(text);
    ASSERT_EQ(print(parsed), text);
    EXPECT_EQ(compare_states(machine, run(machine, seed), run(parsed, seed)), "");
  }
}

TEST(RandomMachine, KeepsWithinItsReach) {
  RandomMachineOptions options{.dimension = 2, .reach = 1, .user_boundaries = false};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    const Machine machine = random_machine(rng, options);
    EXPECT_EQ(machine.dimension, 2);
    EXPECT_TRUE(machine.boundary_kernels.empty());
    for (const auto& kernel : machine.kernels) {
      for (std::size_t n = 0; n < kernel.graph.node_count(); ++n) {
        const auto* shift = std::get_if<Shift>(&kernel.graph.node(NodeId(n)).instruction);
        if (!shift) continue;
        for (auto component : shift->offset) EXPECT_LE(std::abs(component), 1);
      }
    }
  }
}

/// What a set of random machines contains, by name.
class Census {
 public:
  void count(const Machine& machine) {
    seen_.insert("dimension " + std::to_string(machine.dimension));
    for (const auto& s : machine.statics) {
      seen_.insert(name(s.type));
      seen_.insert("role " + std::string(name(s.role)));
      for (const auto& sides : s.boundary)
        for (const auto& side : sides) seen_.insert("boundary " + std::to_string(side.index()));
    }
    for (const auto& kernel : machine.kernels) {
      seen_.insert("kernel " + std::string(name(kernel.role)));
      for (NodeId id : canonical_order(kernel.graph)) count(kernel.graph, kernel.graph.node(id));
    }
    for (const auto& kernel : machine.boundary_kernels)
      for (NodeId id : canonical_order(kernel.graph, {{kernel.result}}))
        seen_.insert("in a boundary kernel " +
                     std::to_string(kernel.graph.node(id).instruction.index()));
  }
  [[nodiscard]] bool has(const std::string& what) const { return seen_.contains(what); }

 private:
  void count(const Graph& graph, const Node& node) {
    seen_.insert("instruction " + std::to_string(node.instruction.index()));
    if (const auto* arith = std::get_if<Arith>(&node.instruction))
      seen_.insert(info(arith->op).name);
    if (const auto* reduce = std::get_if<Reduce>(&node.instruction)) {
      seen_.insert("reduce " + std::string(name(reduce->op)));
    }
    if (std::holds_alternative<Broadcast>(node.instruction) &&
        graph.producer_as<Reduce>(node.operands[0]))
      seen_.insert("broadcast of reduce");
    if (std::holds_alternative<Shift>(node.instruction) &&
        graph.producer_as<Arith>(node.operands[0]))
      seen_.insert("shift of arith");
    for (int r = 0; r < node.result_count; ++r) {
      const Value& value = graph.value(ValueId(node.first_result.index + r));
      if (value.annotation.storing == Storing::manifest) seen_.insert("manifest");
      if (value.annotation.storing == Storing::delayed) seen_.insert("delayed");
      if (value.name != 0) seen_.insert("named");
      if (value.result == 1) seen_.insert("second result");
    }
  }
  std::set<std::string> seen_;
};

TEST(RandomMachine, HasEverythingThatAMachineCanHave) {
  Census census;
  for (std::uint64_t seed = 0; seed < kMachines; ++seed) census.count(machine_of(seed));
  for (const auto& op : op_names()) EXPECT_TRUE(census.has(op)) << op;
  for (int i = 0; i < 9; ++i) EXPECT_TRUE(census.has("instruction " + std::to_string(i))) << i;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(census.has("boundary " + std::to_string(i))) << i;
  for (int d = 1; d <= 4; ++d) EXPECT_TRUE(census.has("dimension " + std::to_string(d))) << d;
  for (const char* what :
       {"local bool", "local i32", "local i64", "local f32", "local f64", "global bool",
        "global i32", "global i64", "global f32", "global f64", "reduce sum", "reduce product",
        "reduce min", "reduce max", "reduce any", "reduce all", "role parameter", "kernel step",
        "kernel initial", "kernel plain", "broadcast of reduce", "shift of arith", "manifest",
        "delayed", "named", "second result",
        // Load, Shift, LoadIndex and Arith
        "in a boundary kernel 1", "in a boundary kernel 5", "in a boundary kernel 6",
        "in a boundary kernel 8"})
    EXPECT_TRUE(census.has(what)) << what;
}

TEST(RandomMachine, MostlyComputesSomethingThatIsNotNan) {
  std::size_t cells = 0, nan = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Machine machine = machine_of(seed);
    for (const auto& array : run(machine, seed).arrays) {
      if (!is_float(array.element)) continue;
      cells += array.bits.size();
      for (std::size_t i = 0; i < array.bits.size(); ++i) nan += array.at(i).text() == "nan";
    }
  }
  EXPECT_LT(nan, cells / 3) << "of " << cells;
}

TEST(RandomSize, StaysBelowTheLimitAndVaries) {
  Rng rng(1);
  bool tiny = false, odd = false, long_row = false;
  for (int i = 0; i < 500; ++i) {
    const int dimension = 1 + i % 4;
    const auto size = random_size(rng, dimension);
    ASSERT_EQ(size.size(), static_cast<std::size_t>(dimension));
    std::int64_t cells = 1;
    for (auto n : size) {
      EXPECT_GE(n, 1);
      cells *= n;
      tiny |= n == 1;
      odd |= n % 2 == 1 && n > 7;
    }
    EXPECT_LE(cells, 2000);
    long_row |= size[0] > kChunk;
  }
  EXPECT_TRUE(tiny && odd && long_row);
}

TEST(CompareStates, NamesTheFirstDifference) {
  Machine machine;
  machine.dimension = 2;
  machine.statics.resize(2);
  machine.statics[0].name = "density";
  machine.statics[1].name = "dt";
  machine.statics[1].type.realm = Realm::global;
  const State expected = initial_state(machine, {4, 3});
  State seen = expected;
  EXPECT_EQ(compare_states(machine, expected, seen), "");
  seen.arrays[1].set(0, Constant(0.5));
  EXPECT_EQ(compare_states(machine, expected, seen), "`dt`: expected 0, got 0.5");
  seen.arrays[0].set(6, Constant(-0.0));
  EXPECT_EQ(compare_states(machine, expected, seen), "`density` at (2, 1): expected 0, got -0");
  seen.size = {3, 4};
  EXPECT_EQ(compare_states(machine, expected, seen), "expected size 4x3, got 3x4");
}

TEST(CompareStates, TakesAnyNanForAnyOther) {
  Machine machine;
  machine.statics.resize(1);
  State expected = initial_state(machine, {1}), seen = expected;
  expected.arrays[0].bits = {0x7ff8000000000000u};
  seen.arrays[0].bits = {0xfff8000000000001u};
  EXPECT_EQ(compare_states(machine, expected, seen), "");
}

}  // namespace
}  // namespace paraiso::test
