// late_reductions: the reductions of a kernel from which only Globals are stored, so that no cell
// waits for them: what they give may be known after the kernel.
// Gives: LateReductions, late_reductions, globals_read, reads_own_late, late_values, late_globals.
// Needs: Machine, evaluate.
#pragma once

#include <set>
#include <span>

#include "paraiso/om/cells/box.hpp"
#include "paraiso/om/graph/machine.hpp"

namespace paraiso::om {

struct LateReductions {
  std::vector<ValueId> results;   // in the graph's order
  std::vector<StaticId> targets;  // the Globals that are stored from them
};
/// A Global is stored from late reductions alone or from others alone. None in a kernel whose steps
/// read Globals of earlier ones.
[[nodiscard]] LateReductions late_reductions(const Graph& graph);

/// The Globals that a kernel reads, or a boundary kernel beside it.
[[nodiscard]] std::set<StaticId> globals_read(const Machine& machine, const Kernel& kernel);
/// Whether a call of a kernel reads what late reductions of the one before give.
[[nodiscard]] bool reads_own_late(const Machine& machine, const Kernel& kernel);

/// The value that is stored in each of the targets.
[[nodiscard]] std::vector<ValueId> late_values(const Graph& graph, const LateReductions& late);

/// What the kernel stores in each of the targets. `before`: by static, the Globals at its entry;
/// `results`: what the late reductions give.
[[nodiscard]] std::vector<Constant> late_globals(const Graph& graph, const LateReductions& late,
                                                 const Cell& size, std::span<const Constant> before,
                                                 std::span<const Constant> results);

}  // namespace paraiso::om
