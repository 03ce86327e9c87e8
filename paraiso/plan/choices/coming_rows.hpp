// What a group's loops read next from memory, for them to ask for in time.
// Gives: Ahead, how_far_ahead, ComingRow, coming_rows, ComingPart, coming_parts. Needs: plan.
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

/// One of so many equal parts of a row.
struct ComingPart {
  ComingRow row;
  std::size_t part, parts;
};

/// What each loop asks for; empty where there are no coming rows. All loops but the first find what
/// they read in the caches, so they share the waiting for memory: all in one loop would be more
/// than a core can have under way. Where a split group has too few loops to share rows out, each
/// asks for the row after the foremost one that it reads itself: of tiles that grow, the last loops
/// are the first to come to new rows.
[[nodiscard]] std::vector<std::vector<ComingPart>> coming_parts(const KernelPlan& kernel,
                                                                const Group& group);

}  // namespace paraiso::plan
