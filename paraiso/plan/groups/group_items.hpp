// group_items: what the loops of one group compute, and what is needed to arrange them.
// Gives: GroupValue, LoopCells, LoopKey, GroupValues, made_box, has_filled_cells. Needs: outputs.
//
// Filled in phases, each a file of its own: list_items, item_boxes, loop_levels, loop_lags.
#pragma once

#include "paraiso/plan/groups/outputs.hpp"

namespace paraiso::plan {

/// One result of a loop of the group: a buffer, an array, or a Reduce.
struct GroupValue {
  om::ValueId value;
  const Product* made = nullptr;      // none: only this group's loops read it
  const InnerState* state = nullptr;  // if it is one that a thread would keep, split or not
  bool kept = false;                  // other loops read it from memory
  bool consumed = false;              // by another item
  Expansion expansion = {};
  std::vector<ValueAt> reads = {};  // of other items
  Extent box = {};                  // cells on which it is needed, with one tile for the whole grid
  Extent reach = {};                // cells beyond a tile on which it is needed
  int earliest = 0;                 // the level that its reads allow
  int level = 0;                    // loops run in the order of their levels
  om::Offset lag = {};
  std::int32_t slope = 0;  // of a split group
};

/// What the items of one loop have in common: the cells they are computed on, without the sweep's
/// axes.
struct LoopCells {
  Extent made, reach;
  friend auto operator<=>(const LoopCells&, const LoopCells&) = default;
};

/// One loop of a group; loops run in this order.
struct LoopKey {
  int level = 0;
  LoopCells section;
  friend auto operator<=>(const LoopKey&, const LoopKey&) = default;
};

/// The items of one group, and what is known about the group before its loops are.
struct GroupValues {
  const om::Machine& machine;
  const om::Graph& graph;
  Form form = Form::tiled;            // as Group::form
  Extent box = {};                    // as Group::box
  std::vector<int> sweep = {};        // as Group::sweep
  int cut = 0;                        // as Group::cut
  Sources sources = {};               // of all loop bodies; each body sets `own` itself
  std::vector<GroupValue> list = {};  // producers before consumers
  std::vector<int> of_value = {};     // per value: the place in `list` of the item to read, or -1

  /// The item that is read.
  [[nodiscard]] GroupValue& producer(const ValueAt& read);
  [[nodiscard]] const GroupValue& producer(const ValueAt& read) const;

  [[nodiscard]] LoopCells section(const GroupValue& item) const;
  [[nodiscard]] LoopKey loop_of(const GroupValue& item) const;
  /// For each loop, the places of its items in `list`.
  [[nodiscard]] std::map<LoopKey, std::vector<int>> loops() const;
};

/// The cells that a loop computes of it, with one tile for the whole grid.
[[nodiscard]] Extent made_box(const GroupValue& item);

/// Whether ghost cells are needed that the loop does not compute.
[[nodiscard]] bool has_filled_cells(const GroupValue& item);

}  // namespace paraiso::plan
