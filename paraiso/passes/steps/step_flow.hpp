// step_flow: what one step of a kernel hands to the next one through the statics.
// Gives: StaticSet, statics_stored, nodes_for, statics_read, statics_of_boundary, statics_carried,
// reductions_ahead, reduction_within. Needs: om.
#pragma once

#include <set>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

using StaticSet = std::set<om::StaticId>;

[[nodiscard]] StaticSet statics_stored(const om::Graph& graph);

/// The nodes that the Stores to `targets` need, those Stores included, in canonical order.
[[nodiscard]] std::vector<om::NodeId> nodes_for(const om::Graph& graph, const StaticSet& targets);

/// The statics that `nodes` load, and those that the boundary kernels of these load.
[[nodiscard]] StaticSet statics_read(const om::Machine& machine, const om::Graph& graph,
                                     std::span<const om::NodeId> nodes);

/// The statics that the boundary kernels of `id` load.
[[nodiscard]] StaticSet statics_of_boundary(const om::Machine& machine, om::StaticId id);

/// The statics that `kernel` stores and that its next call reads, in its cells or at boundaries.
[[nodiscard]] StaticSet statics_carried(const om::Machine& machine, const om::Kernel& kernel);

/// A Global static whose next value depends on a Reduce of the same step.
struct ReducedStatic {
  om::StaticId target;
  Location reduce;
  Location read;  // where a Local reads it; for the time, where it is stored
};

/// Those that the next steps' cells (by a Broadcast or a boundary kernel) or their time depend on:
/// the whole grid would have to wait for each of them at the end of every step. A sum that only
/// accumulates over the steps is none of them.
[[nodiscard]] std::vector<ReducedStatic> reductions_ahead(const om::Machine& machine,
                                                          const om::Kernel& kernel);

/// A Reduce that cells of the same step depend on, among the nodes that the Stores to `targets`
/// need.
struct ReducedCell {
  Location reduce, broadcast;
};
[[nodiscard]] std::optional<ReducedCell> reduction_within(const om::Graph& graph,
                                                          const StaticSet& targets);

}  // namespace paraiso::passes
