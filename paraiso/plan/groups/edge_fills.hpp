// edge_fills: which cells of a state between fused steps are filled beyond the grid's edge while a
// tile is made, by which rules, and from where. Gives: rules_of, filled_width, farthest_source,
// farthest_fill, needed_at. Needs: group_items. Items are states here, but for readers.
//
//   reflected on the left:   cell -1 - n is filled from cell n
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// The static whose boundary fills it.
[[nodiscard]] om::StaticId rules_of(const om::Graph& graph, const Item& item);

/// Of its cells that are needed beyond the grid, those that are filled.
[[nodiscard]] Extent filled_width(const Item& item);

/// How many cells within the edge the one lies that the outermost needed cell is filled from.
[[nodiscard]] std::int32_t farthest_source(const GroupItems& items, const Item& item, int axis,
                                           bool upper);

/// How many cells before one above the grid, along each axis, lies what it is filled from, at most.
[[nodiscard]] om::Offset farthest_fill(const GroupItems& items, const Item& item);

/// The row, seen from the reader's, after which a row that is read has been made or filled. Rows
/// below the grid are filled as soon as their sources are there.
[[nodiscard]] om::Offset needed_at(const GroupItems& items, const Item& reader, const Wanted& read);

}  // namespace paraiso::plan
