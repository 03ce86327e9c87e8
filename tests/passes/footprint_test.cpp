// What chained steps and tiles of them read, against boxes worked out by hand.
#include "paraiso/passes/analysis/footprint.hpp"

#include <gtest/gtest.h>

#include <map>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/analysis/step_chain.hpp"
#include "paraiso/passes/steps/fuse_steps.hpp"

namespace paraiso::passes {
namespace {

using om::Machine;

Machine machine_of(const std::string& body) {
  return om::parse(
      "paraiso 1\nmachine test dimension 1\n"
      "static u local f64\n  boundary 0 cyclic cyclic\n"
      "static w local f64\n  boundary 0 outflow outflow\n"
      "static total global f64\n"
      "kernel proceed step\n" +
          body + "end\nend machine\n",
      "test.om");
}

/// u is read from x - 1 to x + 2, w at x + 1 only, and by u alone.
Machine two_radii() {
  return machine_of(
      "%0 = load u\n%1 = shift %0 (1)\n%2 = shift %0 (-2)\n%3 = load w\n%4 = shift %3 (-1)\n"
      "%5 = add %1 %2\n%6 = add %5 %4\nstore u %6\n%7 = neg %3\nstore w %7\n");
}

TEST(Footprint, OfChainedLoadsBelongsToStaticAndStep) {
  const auto graph = fuse_steps(two_radii(), 3).machine.kernels.back().graph;
  const auto boxes = footprints(graph);
  int loads = 0;
  for (std::size_t v = 0; v < boxes.size(); ++v)
    if (const auto* load = graph.producer_as<om::Load>(om::ValueId(v))) {
      EXPECT_EQ(boxes[v].text(), load->source.index == 0 ? "[-1, N+2)" : "[0, N+1)") << load->step;
      ++loads;
    }
  EXPECT_EQ(loads, 3 * 2);
}

/// As a tile is computed whose neighbours recompute what lies between them: what a step stores is
/// needed as far as the next one reads it.
std::vector<Extent> tile_footprints(const om::Graph& graph) {
  const StepChain chain(graph);
  return footprints(graph, [&](om::ValueId load, const Extent&) -> std::optional<om::ValueId> {
    if (!chain.is_inner(load)) return std::nullopt;
    return chain.operands(load)[0];
  });
}

/// A tile of the last step: u of the step before on [-1, N+2), of the one before that on
/// [-2, N+4); w as far as the u that it makes, one cell further up.
TEST(Footprint, OfATileAddsUpOverTheSteps) {
  const auto graph = fuse_steps(two_radii(), 3).machine.kernels.back().graph;
  const auto extents = tile_footprints(graph);
  std::map<std::string, std::string> read;
  for (std::size_t v = 0; v < extents.size(); ++v)
    if (const auto* load = graph.producer_as<om::Load>(om::ValueId(v)))
      read[graph.signature().statics[load->source.index].name + std::to_string(load->step)] =
          extents[v].text();
  const std::map<std::string, std::string> expected = {{"u0", "[-3, N+6)"}, {"u1", "[-2, N+4)"},
                                                       {"u2", "[-1, N+2)"}, {"w0", "[-1, N+5)"},
                                                       {"w1", "[0, N+3)"},  {"w2", "[0, N+1)"}};
  EXPECT_EQ(read, expected);
}

TEST(Footprint, OfATileLeavesReductionsToTheTile) {
  const auto m = machine_of(
      "%0 = load u\n%1 = shift %0 (1)\nstore u %1\n%2 = reduce sum %0\n%3 = load total\n"
      "%4 = add %2 %3\nstore total %4\n");
  const auto graph = fuse_steps(m, 2).machine.kernels.back().graph;
  const auto extents = tile_footprints(graph);
  for (std::size_t v = 0; v < extents.size(); ++v) {
    const auto* load = graph.producer_as<om::Load>(om::ValueId(v));
    if (!load || load->source != om::StaticId(0)) continue;
    EXPECT_EQ(extents[v].text(), load->step == 0 ? "[-2, N)" : "[-1, N)");
  }
}

}  // namespace
}  // namespace paraiso::passes
