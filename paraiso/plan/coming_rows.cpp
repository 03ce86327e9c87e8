#include "paraiso/plan/coming_rows.hpp"

#include <algorithm>

namespace paraiso::plan {

using om::Offset;

namespace {

// A row is asked for this much ahead of the foremost one. Two rows give all loops but the last a
// whole row's time; a plane is time enough.
constexpr std::int32_t kRowsAhead = 2, kPlanesAhead = 1;

/// Whether a sweep comes to `one` after `other`.
bool is_later(const Offset& one, const Offset& other) {
  return std::ranges::lexicographical_compare(other.rbegin(), other.rend(), one.rbegin(),
                                              one.rend());
}

/// Whether loops share what their sweep comes to; others ask by themselves.
bool share_rows(const Group& group) { return !group.sweep.empty() && group.stages.size() > 1; }

}  // namespace

Ahead how_far_ahead(const Group& group) {
  if (share_rows(group)) {
    const int axis = group.sweep.back();
    return {axis, axis == 1 ? kRowsAhead : kPlanesAhead};
  }
  const int dimension = static_cast<int>(group.tile.size());
  int axis = 1;  // of the innermost loop over rows
  while (axis < dimension && std::ranges::count(group.sweep, axis) > 0) ++axis;
  return {axis < dimension ? axis : group.sweep.back(), 0};
}

std::vector<ComingRow> coming_rows(const KernelPlan& kernel, const Group& group) {
  if (!group.prefetch || !share_rows(group)) return {};
  std::map<ArrayRef, ComingRow> foremost;
  const auto touch = [&](ComingRow row) {
    row.offset[0] = 0;
    auto [known, added] = foremost.try_emplace(row.array, row);
    if (!added && is_later(row.offset, known->second.offset)) known->second = row;
  };
  for (const Stage& stage : group.stages) {
    for (const Term& term : stage.expansion.terms)
      if (const auto array = kernel.array_read(group, term))
        touch({*array, term.value, {}, term.offset});
    if (group.form != Form::split) continue;
    for (const Output& output : stage.outputs)
      touch({output.array, output.value, output.target, stage.behind(output.root)});
  }
  const Ahead ahead = how_far_ahead(group);
  std::vector<ComingRow> rows;
  for (auto& [array, row] : foremost) {
    row.offset[ahead.axis] += ahead.steps;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace paraiso::plan
