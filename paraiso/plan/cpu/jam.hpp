// jam: unroll-and-jam: a loop computes several adjacent rows at a time, and loads and computes once
// what these rows share.
// Gives: jam_axis, rows_at_a_time, may_jam, jammed. Needs: plan.
//
// The rows of one iteration are adjacent along one axis, that of the outermost loop. The last
// iteration may reach past the end of the range: values computed there are discarded.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// The axis along which the rows of one iteration are adjacent.
[[nodiscard]] int jam_axis(const Group& group);

/// How many rows a loop computes at a time along an axis: group.cpu.jam, or 1.
[[nodiscard]] int rows_at_a_time(const Group& group, int axis);

/// Whether the group's loops can compute `rows` rows at a time: only loops in vectors that write
/// nothing but arrays can.
[[nodiscard]] bool may_jam(const Group& group, int rows);

/// `stage` with group.cpu.jam rows in an iteration: the roots of the first row, then as many of the
/// next one, and so on. `ranges`: of the graph's values; unused for one row.
[[nodiscard]] Stage jammed(const om::Graph& graph, const Ranges& ranges, const Group& group,
                           const Stage& stage);

}  // namespace paraiso::plan
