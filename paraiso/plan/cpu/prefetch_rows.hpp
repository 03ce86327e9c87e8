// prefetch_rows: what the loops of a group prefetch: the rows that they read next from memory.
// Gives: PrefetchDistance, prefetch_distance, PrefetchRow, prefetch_rows, PrefetchPart,
// prefetch_parts. Needs: plan.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// The prefetch distance of a loop, from its own row.
struct PrefetchDistance {
  int axis;            // along which
  std::int32_t steps;  // rows or planes; 0: as many rows as support::rows_ahead returns
};
[[nodiscard]] PrefetchDistance prefetch_distance(const Group& group);

/// The row of an array that the loops of a sweep need soon and have not touched yet.
struct PrefetchRow {
  ArrayRef array;
  om::ValueId value;                   // in the array
  std::optional<om::StaticId> target;  // if the group computes it: the static it is stored to
  om::Offset offset;                   // from the loops' own row
};

/// One row of each array that a group reads; in a split group also of those that it writes, since
/// they are read soon and not written by streaming stores. None for a group without `prefetch`,
/// without a sweep, or of a single loop.
[[nodiscard]] std::vector<PrefetchRow> prefetch_rows(const KernelPlan& kernel, const Group& group);

/// Part `index` of `count` equal parts of a row.
struct PrefetchPart {
  PrefetchRow row;
  std::size_t part, parts;
};

/// What each loop prefetches; empty where there are no coming rows. All loops except the first find
/// their data in the caches, so the prefetches are spread over all of them: all in one loop would
/// be more than a core can have in flight. Where a split group has too few loops to share rows out,
/// each prefetches the row after the foremost one that it reads itself: in growing tiles the last
/// loops are the first to reach new rows.
[[nodiscard]] std::vector<std::vector<PrefetchPart>> prefetch_parts(const KernelPlan& kernel,
                                                                    const Group& group);

}  // namespace paraiso::plan
