#include "paraiso/plan/loops/make_stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <set>
#include <stdexcept>

#include "paraiso/plan/groups/edge_fills.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

class StageMaker {
 public:
  explicit StageMaker(const GroupValues& items) : items_(items), graph_(items.graph) {
    group_.form = items.form;
    group_.box = items.box;
    group_.sweep = items.sweep;
    group_.cut = items.cut;
  }

  Group run() {
    for (const auto& [loop, places] : items_.loops()) {
      std::vector<const GroupValue*> members;
      for (int i : places) members.push_back(&items_.list[i]);
      group_.stages.push_back(make_stage(members));
    }
    return std::move(group_);
  }

 private:
  Stage make_stage(const std::vector<const GroupValue*>& members) {
    Stage stage;
    std::vector<ValueAt> roots;
    Sources sources = items_.sources;
    for (const GroupValue* item : members) {
      const int root = static_cast<int>(roots.size());
      stage.lags.push_back(item->lag);
      const Offset at = stage.behind(root);
      if (item->kept) sources.own[item->value] = at;
      add_root(stage, *item, root);
      roots.push_back({item->value, at});
    }
    stage.slope = members[0]->slope;
    stage.reach = in_rows(members, [](const GroupValue& item) { return item.reach; });
    stage.limit = in_rows(members, [](const GroupValue& item) { return made_box(item); });
    stage.expansion = expand(graph_, roots, sources, SIZE_MAX);
    return stage;
  }

  void add_root(Stage& stage, const GroupValue& item, int root) {
    if (item.made)
      add_made(stage, item, root);
    else if (group_.form == Form::split)
      add_array(stage, item, root);
    else
      add_buffer(stage, item, root);
  }

  void add_made(Stage& stage, const GroupValue& item, int root) {
    const Product& made = *item.made;
    if (made.reduce) {
      const Node& node = graph_.node(*made.reduce);
      stage.reductions.push_back({node.first_result, std::get<Reduce>(node.instruction).op,
                                  made.value, lane_of(made.value), root});
      return;
    }
    for (StaticId target : made.targets) stage.outputs.push_back({made.value, {}, target, root});
    if (made.targets.empty()) stage.outputs.push_back({made.value, {}, std::nullopt, root});
    add_row_fill(stage, item);
  }

  /// Of a split group: an array instead of a buffer.
  void add_array(Stage& stage, const GroupValue& item, int root) const {
    stage.outputs.push_back({item.value, {}, std::nullopt, root});
    add_row_fill(stage, item);
  }

  void add_row_fill(Stage& stage, const GroupValue& item) const {
    if (has_filled_cells(item))
      stage.row_fills.push_back(
          {item.value, rules_of(graph_, item), item.box, filled_width(item), item.lag});
  }

  void add_buffer(Stage& stage, const GroupValue& item, int root) {
    const int buffer = static_cast<int>(group_.buffers.size());
    stage.buffer_writes.push_back({buffer, root});
    group_.buffers.push_back({item.value, graph_.type(item.value).element, lane_of(item.value),
                              item.reach, std::vector<int>(graph_.dimension(), 0)});
    if (has_filled_cells(item))
      stage.fills.push_back(
          {buffer, rules_of(graph_, item), item.reach, filled_width(item), item.lag});
  }

  [[nodiscard]] Lane lane_of(ValueId value) {
    if (ranges_.empty()) ranges_ = passes::value_ranges(graph_);
    return passes::storage_lane(graph_.type(value).element, ranges_[value.index]);
  }

  /// The union of an extent of all items of a loop, counted in the loop's own rows.
  template <class ExtentOf>
  [[nodiscard]] Extent in_rows(const std::vector<const GroupValue*>& members,
                               ExtentOf&& extent_of) const {
    Extent extent = extent_of(*members[0]);
    for (int axis : group_.sweep) {
      extent.lower[axis] = extent.upper[axis] = INT_MIN;
      for (const GroupValue* item : members) {
        const Extent own = extent_of(*item);
        extent.lower[axis] = std::max(extent.lower[axis], own.lower[axis] - item->lag[axis]);
        extent.upper[axis] = std::max(extent.upper[axis], own.upper[axis] + item->lag[axis]);
      }
    }
    return extent;
  }

  const GroupValues& items_;
  const Graph& graph_;
  Ranges ranges_;  // found when the first value is kept
  Group group_;
};

std::set<ValueId> values_read(const Group& group, Term::Kind kind) {
  std::set<ValueId> read;
  for (const Stage& stage : group.stages)
    for (const Term& term : stage.expansion.terms)
      if (term.kind == kind) read.insert(term.value);
  return read;
}

/// A value that is read only by its own loop, at the cell that it computes, needs no memory.
void drop_unread_buffers(Group& group) {
  const std::set<ValueId> read = values_read(group, Term::Kind::read_buffer);
  std::vector<Buffer> needed;
  for (Stage& stage : group.stages) {
    std::vector<BufferWrite> buffer_writes;
    for (const BufferWrite& keep : stage.buffer_writes) {
      const Buffer& buffer = group.buffers[keep.buffer];
      if (!read.contains(buffer.value)) continue;
      for (BufferFill& fill : stage.fills)
        if (fill.buffer == keep.buffer) fill.buffer = static_cast<int>(needed.size());
      buffer_writes.push_back({static_cast<int>(needed.size()), keep.root});
      needed.push_back(buffer);
    }
    stage.buffer_writes = std::move(buffer_writes);
  }
  group.buffers = std::move(needed);
}

/// The same in a split group.
void drop_unread_outputs(const GroupValues& items, Group& group) {
  std::set<ValueId> needed = values_read(group, Term::Kind::read_array);
  for (const GroupValue& item : items.list)
    if (item.made) needed.insert(item.value);
  const auto is_unread = [&](const auto& written) { return !needed.contains(written.value); };
  for (Stage& stage : group.stages) {
    std::erase_if(stage.outputs, is_unread);
    std::erase_if(stage.row_fills, is_unread);
  }
}

/// Tiles must not share cells of an array or of a sum (in a split group each cell is computed once
/// anyway). Earlier phases guarantee it; a mistake there would be a race in generated code.
void require_own_cells(const GroupValues& items) {
  if (items.form == Form::split) return;
  for (const GroupValue& item : items.list)
    if (item.made && (item.box != items.box || !item.reach.is_core()))
      throw std::logic_error(fmt::format("value {} would be made outside its tile on {}, {}",
                                         item.value.index, item.box.text(), item.reach.text()));
}

}  // namespace

Group make_stages(const GroupValues& items) {
  require_own_cells(items);
  Group group = StageMaker(items).run();
  drop_unread_buffers(group);
  if (group.form == Form::split) drop_unread_outputs(items, group);
  return group;
}

}  // namespace paraiso::plan
