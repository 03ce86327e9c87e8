// edge_fills: which ghost cells of a state between fused steps are filled while a tile is computed,
// by which rules, and from where. Gives: rules_of, filled_width, farthest_source, farthest_fill,
// needed_at. Needs: group_items. All items here are states, except for readers.
//
//   reflected on the left:   cell -1 - n is filled from cell n
#pragma once

#include "paraiso/plan/groups/group_items.hpp"

namespace paraiso::plan {

/// The static whose boundary fills its ghost cells.
[[nodiscard]] om::StaticId rules_of(const om::Graph& graph, const GroupValue& item);

/// The ghost cells that are filled, of those that are needed.
[[nodiscard]] Extent filled_width(const GroupValue& item);

/// How many cells inside the edge lies the source of the outermost ghost cell that is needed.
[[nodiscard]] std::int32_t farthest_source(const GroupValues& items, const GroupValue& item,
                                           int axis, bool upper);

/// The largest distance along each axis from a ghost cell above the grid back to its source.
[[nodiscard]] om::Offset farthest_fill(const GroupValues& items, const GroupValue& item);

/// The row, relative to the reader's, after which a row that is read has been computed or filled.
/// Ghost rows below the grid are filled as soon as their sources exist.
[[nodiscard]] om::Offset needed_at(const GroupValues& items, const GroupValue& reader,
                                   const ValueAt& read);

}  // namespace paraiso::plan
