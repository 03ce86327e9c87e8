#include "paraiso/plan/device/stage_loads.hpp"

#include <algorithm>
#include <climits>
#include <map>

#include "paraiso/plan/device/on_chip.hpp"
#include "paraiso/plan/loops/traversal.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

/// How the loops of a group read one array.
struct ArrayReads {
  Term::Kind kind;
  Extent tile, grid;      // cells beyond the tile and beyond the grid
  int ahead = INT_MIN;    // the plane furthest ahead
  int behind = INT_MAX;   // and the last one
  bool sideways = false;  // in other columns
};

bool is_own(const Group& group, const Offset& offset) {
  for (int a = 0; a < static_cast<int>(offset.size()); ++a)
    if (a != group.sweep.front() && offset[a] != 0) return false;
  return true;
}

/// Whether a term reads an array, and a cell that may be staged.
bool may_be_staged(const Group& group, const Term& term, Staging staging) {
  if (!term.reads_array()) return false;
  if (staging == Staging::columns) return is_own(group, term.offset);
  const auto axes = single_axes(group, static_cast<int>(term.offset.size()));
  return std::ranges::all_of(axes, [&](int axis) { return term.offset[axis] == 0; });
}

std::map<ValueId, ArrayReads> reads_of(const Group& group, int dimension, Staging staging) {
  Extent none(dimension);
  std::ranges::fill(none.lower, INT_MIN);
  std::ranges::fill(none.upper, INT_MIN);
  const int sweep = group.sweep.front();
  const std::vector<int> across = thread_axes(group, dimension);
  std::map<ValueId, ArrayReads> all;
  for (const Stage& stage : group.stages)
    for (const Term& term : stage.expansion.terms) {
      if (!may_be_staged(group, term, staging)) continue;
      ArrayReads& reads =
          all.try_emplace(term.value, ArrayReads{term.kind, none, none}).first->second;
      reads.tile.include(stage.reach, term.offset);
      reads.grid.include(cells_run_over(group, stage), term.offset);
      reads.ahead = std::max(reads.ahead, term.offset[sweep]);
      reads.behind = std::min(reads.behind, term.offset[sweep]);
      reads.sideways |= std::ranges::any_of(across, [&](int a) { return term.offset[a] != 0; });
    }
  return all;
}

/// `cells` beyond a tile or the grid, counted from planes that are so many ahead.
Extent in_turns(Extent cells, int axis, int ahead) {
  cells.lower[axis] += ahead;
  cells.upper[axis] -= ahead;
  return cells;
}

/// The loop that fetches an array, the plane furthest ahead.
Stage fetching(ValueId value, const ArrayReads& reads, int sweep, int buffer) {
  Offset ahead(reads.tile.lower.size(), 0), lag = ahead;
  ahead[sweep] = reads.ahead;
  lag[sweep] = -reads.ahead;
  Stage stage;
  stage.reach = in_turns(reads.tile, sweep, reads.ahead);
  stage.limit = in_turns(reads.grid, sweep, reads.ahead);
  stage.buffer_writes = {{buffer, 0}};
  stage.lags = {lag};
  stage.expansion.terms = {{reads.kind, value, ahead, {}}};
  stage.expansion.roots = {0};
  return stage;
}

}  // namespace

Group with_staged_loads(const Graph& graph, Group group, Staging staging) {
  if (group.sweep.empty()) return group;
  const int dimension = graph.dimension(), sweep = group.sweep.front();
  std::vector<Stage> stages;
  std::map<ValueId, ArrayReads> all = reads_of(group, dimension, staging);
  std::erase_if(all, [&](const auto& one) {
    const ArrayReads& reads = one.second;
    return staging == Staging::planes ? !reads.sideways : reads.ahead == reads.behind;
  });
  for (Stage& stage : group.stages)
    for (Term& term : stage.expansion.terms)
      if (may_be_staged(group, term, staging) && all.contains(term.value))
        term.kind = Term::Kind::read_buffer;
  for (auto& [value, reads] : all) {
    // A register is waited for when it is handed on: at the end of the turn, where nobody needs it.
    if (staging == Staging::columns) ++reads.ahead;
    std::vector<int> lines(static_cast<std::size_t>(dimension), 0);
    lines[static_cast<std::size_t>(sweep)] = reads.ahead - reads.behind + 1;
    stages.push_back(fetching(value, reads, sweep, static_cast<int>(group.buffers.size())));
    group.buffers.push_back({value, graph.type(value).element, {}, reads.tile, lines});
  }
  std::ranges::move(group.stages, std::back_inserter(stages));
  group.stages = std::move(stages);
  return group;
}

}  // namespace paraiso::plan
