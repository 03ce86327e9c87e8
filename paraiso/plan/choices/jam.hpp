// jam: a loop that makes several rows at a time ("unroll and jam"): what rows beside each other
// both read, it reads once, and what they both compute, it computes once.
// Gives: jam_axis, rows_at_a_time, may_jam, jammed. Needs: plan.
//
// The rows of a turn lie side by side along one axis, the outermost of the loops. A turn may reach
// beyond the ends of what is to be made: what it makes there goes nowhere.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// The axis along which the rows of a turn lie.
[[nodiscard]] int jam_axis(const Group& group);

/// How many rows a loop makes at a time along an axis: group.jam, or 1.
[[nodiscard]] int rows_at_a_time(const Group& group, int axis);

/// Whether the group's loops can make so many rows at a time: of those that only write arrays, in
/// vectors.
[[nodiscard]] bool may_jam(const Group& group, int rows);

/// A stage of which a turn makes group.jam rows: the roots of the first row, then those of the
/// next, each as many. `ranges`: of the graph's values; not asked for one row.
[[nodiscard]] Stage jammed(const om::Graph& graph, const Ranges& ranges, const Group& group,
                           const Stage& stage);

}  // namespace paraiso::plan
