#include "paraiso/plan/loops/loop_lags.hpp"

#include <algorithm>

#include "paraiso/passes/steps/step_flow.hpp"
#include "paraiso/plan/groups/edge_fills.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

Offset no_lag(const GroupValues& items) { return Offset(items.graph.dimension(), 0); }

/// Whether row `a` comes before row `b` in the sweep.
bool before(const GroupValues& items, const Offset& a, const Offset& b) {
  for (int axis : items.sweep)
    if (a[axis] != b[axis]) return a[axis] < b[axis];
  return false;
}

Offset plus(const GroupValues& items, const Offset& lag, const Offset& offset, int sign) {
  Offset sum = no_lag(items);
  for (int axis : items.sweep) sum[axis] = lag[axis] + sign * offset[axis];
  return sum;
}

void lag_behind_sources(GroupValues& items) {
  Offset last = no_lag(items);  // of items that nothing reads
  for (GroupValue& item : items.list) {
    bool first = true;
    item.lag = no_lag(items);
    for (const ValueAt& read : item.reads) {
      const Offset least = plus(items, items.producer(read).lag, needed_at(items, item, read), 1);
      if (first || before(items, item.lag, least)) item.lag = least;
      first = false;
    }
    if (!item.consumed && before(items, last, item.lag)) last = item.lag;
  }
  for (GroupValue& item : items.list)
    if (!item.consumed && item.reads.empty()) item.lag = last;
}

void wait_for_readers(GroupValues& items) {
  std::vector<bool> bounded(items.list.size());
  for (auto item = items.list.rbegin(); item != items.list.rend(); ++item)
    for (const ValueAt& read : item->reads) {
      const int p = items.of_value[read.value.index];
      const Offset most = plus(items, item->lag, needed_at(items, *item, read), -1);
      if (!bounded[p] || before(items, most, items.list[p].lag)) items.list[p].lag = most;
      bounded[p] = true;
    }
}

/// Moves `clear` behind the rows at `offset` on either side, and behind `needed`.
void keep_clear(Offset& clear, const Offset& from, const Offset& offset, const Offset& needed) {
  for (std::size_t a = 0; a < clear.size(); ++a)
    clear[a] = std::max(clear[a], from[a] + std::max(std::abs(offset[a]), needed[a]));
}

bool may_be_overwritten(const GroupValues& items, const passes::StaticSet& stored,
                        const Term& term) {
  if (term.kind == Term::Kind::read_array) return items.of_value[term.value.index] >= 0;
  return term.kind == Term::Kind::read_static &&
         stored.contains(items.graph.producer_as<Load>(term.value)->source);
}

}  // namespace

void find_lags(GroupValues& items) {
  lag_behind_sources(items);
  wait_for_readers(items);
}

void find_slopes(GroupValues& items) {
  const passes::StaticSet stored = passes::statics_stored(items.graph);
  const Offset none = no_lag(items);
  std::map<LoopKey, Offset> behind;
  Offset clear = none;  // behind all earlier reads
  for (const auto& [loop, places] : items.loops()) {
    Offset& at = behind[loop] = clear;
    for (int i : places)
      for (const GroupValue& item = items.list[i]; const ValueAt& read : item.reads)
        if (const LoopKey other = items.loop_of(items.producer(read)); other != loop)
          keep_clear(at, behind.at(other), read.offset, needed_at(items, item, read));
    for (int i : places) {
      GroupValue& item = items.list[i];
      item.lag = plus(items, none, at, 1);
      item.slope = at[items.cut];
      for (const Term& term : item.expansion.terms)
        if (may_be_overwritten(items, stored, term))
          keep_clear(clear, at, term.offset, term.offset);
      if (has_filled_cells(item))
        keep_clear(clear, at, none, plus(items, none, farthest_fill(items, item), 1));
    }
  }
}

}  // namespace paraiso::plan
