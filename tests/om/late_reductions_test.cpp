// Late reductions: those that no cell waits for; what is stored from them, computed afterwards.
#include "paraiso/om/divide/late_reductions.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "paraiso/om/interpret/interpret_memory.hpp"
#include "paraiso/om/text/print.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::om {
namespace {

/// The names of the Globals that are stored late.
std::vector<std::string> late_of(const std::string& instructions) {
  const Machine machine = parse(
      "paraiso 1\nmachine m dimension 1\nstatic u local f64\nboundary 0 cyclic cyclic\n"
      "static a global f64\nstatic b global f64\nkernel k\n" +
      instructions + "end\nend machine\n");
  std::vector<std::string> names;
  for (const StaticId id : late_reductions(machine.kernels[0].graph).targets)
    names.push_back(machine.at(id).name);
  return names;
}

TEST(LateReductions, AreThoseThatNoCellWaitsFor) {
  using Names = std::vector<std::string>;
  const std::string both =
      "%0 = load u\n%1 = reduce sum %0\n%2 = mul %0 %0\n%3 = reduce max %2\nstore a %3\n";
  EXPECT_EQ(late_of(both + "%4 = load a\n%5 = mul %1 %4\nstore b %5\n"), (Names{"a", "b"}));
  EXPECT_EQ(late_of(both + "%4 = broadcast %1\n%5 = div %0 %4\nstore u %5\nstore b %1\n"),
            (Names{"a"}));
  // `b` is stored from one that is waited for, too, and so is `a`, which shares the other.
  EXPECT_EQ(late_of(both + "%4 = broadcast %1\n%5 = div %0 %4\nstore u %5\n%6 = add %1 %3\n"
                           "store b %6\n"),
            Names{});
}

TEST(LateReductions, AreFollowedByAnyNumberOfOperations) {
  std::string text =
      "paraiso 1\nmachine m dimension 1\nstatic u local f64\nboundary 0 cyclic cyclic\n"
      "static a global f64\nkernel k\n%0 = load u\n%1 = reduce sum %0\n%2 = imm f64 -1\n";
  constexpr int kLast = 100000;
  for (int i = 3; i <= kLast; ++i) text += fmt::format("%{} = mul %{} %2\n", i, i == 3 ? 1 : i - 1);
  const Machine machine = parse(text + fmt::format("store a %{}\nend\nend machine\n", kLast));
  const Graph& graph = machine.kernels[0].graph;
  const LateReductions late = late_reductions(graph);
  const std::vector<Constant> before(2, Constant(0.0)), results{Constant(7.0)};
  EXPECT_EQ(late_globals(graph, late, {4}, before, results), (std::vector{Constant(7.0)}));
}

TEST(LateReductions, GiveWhatTheKernelStores) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Rng rng(seed);
    const Machine machine = test::random_machine(rng);
    const auto size = test::random_size(rng, machine.dimension, 60);
    State state = test::random_state(machine, size, rng);
    for (const Kernel& kernel : machine.kernels) {
      const LateReductions late = late_reductions(kernel.graph);
      std::vector<Constant> before, results;
      for (const Array& array : state.arrays) before.push_back(array.at(0));
      for (const ValueId result : late.results) {
        Memory memory(machine, state);
        results.push_back(evaluate_graph(
                              kernel.graph, memory.core(), size,
                              [&](const Load& load, const Cell& cell) {
                                return memory.load(load.source, load.step, cell);
                              },
                              [&](const Store& store, const Values& values) {
                                memory.store(store.target, store.step, values);
                              },
                              result)
                              .at({}));
      }
      interpret(machine, kernel, state);
      const auto stored = late_globals(kernel.graph, late, size, before, results);
      for (std::size_t i = 0; i < late.targets.size(); ++i, ++found)
        EXPECT_EQ(stored[i].bits(), state.arrays[late.targets[i].index].at(0).bits())
            << "seed " << seed << ", `" << kernel.name << "`";
    }
  }
  EXPECT_GT(found, 50u);
}

}  // namespace
}  // namespace paraiso::om
