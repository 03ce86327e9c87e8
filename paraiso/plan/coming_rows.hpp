// What a group's loops read next from memory, for them to ask for in time.
// Gives: Ahead, how_far_ahead, ComingRow, coming_rows. Needs: plan.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// How far ahead of its own row a loop asks for others.
struct Ahead {
  int axis;            // along which
  std::int32_t steps;  // so many rows or planes; 0: as many rows as support::rows_ahead tells
};
[[nodiscard]] Ahead how_far_ahead(const Group& group);

/// The row of an array that the loops of a sweep will need soon and have not touched yet.
struct ComingRow {
  ArrayRef array;
  om::ValueId value;                   // what it holds
  std::optional<om::StaticId> target;  // where the group makes it: what that is stored to
  om::Offset offset;                   // from the loops' own row
};

/// One row of each array: of those that a group reads and, where it is split, of those that it
/// writes too, for these are read soon and not written past the caches. None for a group without
/// `prefetch`, without a sweep or of one loop, which has nobody to share with.
[[nodiscard]] std::vector<ComingRow> coming_rows(const KernelPlan& kernel, const Group& group);

}  // namespace paraiso::plan
