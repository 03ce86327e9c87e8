// late_reductions: the reductions of a kernel from which only Globals are stored, so that no cell
// waits for them: what they give may be known after the kernel.
// Gives: LateReductions, late_reductions, late_values, late_globals. Needs: Graph, evaluate.
#pragma once

#include <span>

#include "paraiso/om/box.hpp"
#include "paraiso/om/graph.hpp"

namespace paraiso::om {

struct LateReductions {
  std::vector<ValueId> results;   // in the graph's order
  std::vector<StaticId> targets;  // the Globals that are stored from them
};
/// A Global is stored from late reductions alone or from others alone. None in a kernel whose steps
/// read Globals of earlier ones.
[[nodiscard]] LateReductions late_reductions(const Graph& graph);

/// The value that is stored in each of the targets.
[[nodiscard]] std::vector<ValueId> late_values(const Graph& graph, const LateReductions& late);

/// What the kernel stores in each of the targets. `before`: by static, the Globals at its entry;
/// `results`: what the late reductions give.
[[nodiscard]] std::vector<Constant> late_globals(const Graph& graph, const LateReductions& late,
                                                 const Cell& size, std::span<const Constant> before,
                                                 std::span<const Constant> results);

}  // namespace paraiso::om
