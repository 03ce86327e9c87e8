#include "paraiso/plan/loops/loop_levels.hpp"

#include <algorithm>
#include <climits>

#include "paraiso/passes/analysis/cost.hpp"
#include "paraiso/plan/groups/item_boxes.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// Whether both ends of this read may share a loop. Ghost cells are filled after the loop.
bool may_share(const GroupValues& items, const GroupValue& item, const ValueAt& read) {
  const GroupValue& made = items.producer(read);
  if (has_filled_cells(made)) return false;
  for (int a = 0; a < items.graph.dimension(); ++a) {
    const bool may_lie_apart =
        items.form == Form::swept && std::ranges::find(items.sweep, a) != items.sweep.end();
    if (!may_lie_apart && read.offset[a] != 0) return false;
  }
  return items.section(item) == items.section(made);
}

int distance(const GroupValues& items, const GroupValue& item, const ValueAt& read) {
  return may_share(items, item, read) ? 0 : 1;
}

void find_earliest(GroupValues& items) {
  for (GroupValue& item : items.list) {
    item.earliest = 0;
    for (const ValueAt& read : item.reads)
      item.earliest =
          std::max(item.earliest, items.producer(read).earliest + distance(items, item, read));
  }
}

/// `latest`: per item, the level that it must not exceed.
void find_levels_up_to(GroupValues& items, const std::vector<int>& latest) {
  find_earliest(items);
  int last = 0;
  for (const GroupValue& item : items.list)
    if (!item.consumed) last = std::max(last, item.earliest);
  for (std::size_t i = 0; i < items.list.size(); ++i)
    items.list[i].level = items.list[i].consumed ? latest[i] : last;
  for (auto item = items.list.rbegin(); item != items.list.rend(); ++item)
    for (const ValueAt& read : item->reads) {
      int& level = items.producer(read).level;
      level = std::min(level, item->level - distance(items, *item, read));
    }
}

std::vector<int> no_limits(const GroupValues& items) {
  return std::vector<int>(items.list.size(), INT_MAX);
}

bool divides(const Graph& graph, const GroupValue& item) {
  return !item.made && !item.state &&
         std::ranges::any_of(item.expansion.terms, [&](const Term& term) {
           const auto* arith = graph.producer_as<Arith>(term.value);
           return term.kind == Term::Kind::compute && arith && passes::divides(arith->op);
         });
}

std::vector<bool> shares_loop_with_reader(const GroupValues& items) {
  std::vector<bool> shares(items.list.size());
  for (const GroupValue& item : items.list)
    for (const ValueAt& read : item.reads)
      if (items.loop_of(items.producer(read)) == items.loop_of(item))
        shares[items.of_value[read.value.index]] = true;
  return shares;
}

using Moves = std::map<int, LoopKey>;  // by place: the loop that an item moves to

Moves moves_of_divides(const GroupValues& items) {
  std::map<int, const GroupValue*> by_level;  // one that divides
  for (const GroupValue& item : items.list)
    if (divides(items.graph, item)) by_level.try_emplace(item.level, &item);
  const std::vector<bool> shares = shares_loop_with_reader(items);
  Moves moves;
  for (std::size_t i = 0; i < items.list.size(); ++i) {
    const GroupValue& item = items.list[i];
    if (!shares[i] || !divides(items.graph, item)) continue;
    auto mate = by_level.lower_bound(item.level);
    if (mate == by_level.begin() || (--mate)->first < item.earliest) continue;
    moves[static_cast<int>(i)] = items.loop_of(*mate->second);
  }
  return moves;
}

bool reads_older_line(const GroupValues& items, const ValueAt& read) {
  return std::ranges::any_of(items.sweep, [&](int axis) { return read.offset[axis] != 0; });
}

/// A buffered value that reads two lines of a quotient moves to the quotient's loop, so that the
/// quotient needs one line less.
void follow_divides(const GroupValues& items, Moves& moves) {
  for (std::size_t i = 0; i < items.list.size(); ++i) {
    const GroupValue& item = items.list[i];
    if (item.made || item.state || moves.contains(static_cast<int>(i))) continue;
    for (const ValueAt& read : item.reads) {
      const auto moved = moves.find(items.of_value[read.value.index]);
      if (moved == moves.end() || !reads_older_line(items, read)) continue;
      if (item.earliest > moved->second.level) continue;
      moves[static_cast<int>(i)] = moved->second;
      break;
    }
  }
}

/// All items of a loop are computed on the cells where the newly joined items are needed.
void widen_loops(GroupValues& items, const Moves& moves) {
  std::map<LoopKey, LoopCells> widened;
  for (const auto& [i, loop] : moves) {
    const LoopCells section = items.section(items.list[i]);
    LoopCells& common = widened.try_emplace(loop, loop.section).first->second;
    common.made.include(section.made);
    common.reach.include(section.reach);
  }
  for (std::size_t i = 0; i < items.list.size(); ++i) {
    GroupValue& item = items.list[i];
    const auto move = moves.find(static_cast<int>(i));
    const auto loop = widened.find(move == moves.end() ? items.loop_of(item) : move->second);
    if (loop == widened.end()) continue;
    item.box.include(loop->second.made);
    item.reach.include(loop->second.reach);
  }
  widen_boxes(items);
}

/// Whether an array would be written, or a Reduce computed, on cells where it is not needed: tiles
/// must not share such cells.
bool widens_what_lasts(const std::vector<GroupValue>& before, const std::vector<GroupValue>& now) {
  return !std::ranges::equal(before, now, [](const GroupValue& was, const GroupValue& is) {
    return !is.made || (is.box == was.box && is.reach == was.reach);
  });
}

}  // namespace

void find_levels(GroupValues& items) { find_levels_up_to(items, no_limits(items)); }

void gather_divisions(GroupValues& items) {
  const std::vector<GroupValue> ungathered = items.list;
  Moves moves = moves_of_divides(items);
  follow_divides(items, moves);
  widen_loops(items, moves);
  std::vector<int> latest = no_limits(items);
  for (const auto& [i, loop] : moves) latest[i] = loop.level;
  find_levels_up_to(items, latest);
  if (widens_what_lasts(ungathered, items.list) ||
      std::ranges::any_of(items.list, [](const GroupValue& i) { return i.level < i.earliest; }))
    items.list = ungathered;
}

}  // namespace paraiso::plan
