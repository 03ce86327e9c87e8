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

}  // namespace

std::vector<ComingRow> coming_rows(const KernelPlan& kernel, const Group& group) {
  if (!group.prefetch || group.sweep.empty() || group.stages.size() == 1) return {};
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
  std::vector<ComingRow> rows;
  for (auto& [array, row] : foremost) {
    const int axis = group.sweep.back();
    row.offset[axis] += axis == 1 ? kRowsAhead : kPlanesAhead;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace paraiso::plan
