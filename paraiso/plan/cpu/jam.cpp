#include "paraiso/plan/cpu/jam.hpp"

#include <algorithm>
#include <tuple>

namespace paraiso::plan {

using namespace om;

namespace {

bool reads_own(const Stage& stage) {
  return std::ranges::any_of(stage.expansion.terms, [&](const Term& term) {
    return term.kind == Term::Kind::read_array &&
           std::ranges::any_of(stage.outputs,
                               [&](const Output& output) { return output.value == term.value; });
  });
}

bool may_jam(const Stage& stage, int rows) {
  return stage.cpu.in_vectors && stage.buffer_writes.empty() && stage.reductions.empty() &&
         stage.fills.empty() && stage.row_fills.empty() && !reads_own(stage) &&
         stage.expansion.terms.size() * static_cast<std::size_t>(rows) <= kLargestVectorBody;
}

/// Repeats the terms for a cell further on, reusing those that exist already.
class Repeater {
 public:
  Repeater(const Graph& graph, Expansion& expansion, int axis)
      : graph_(graph), expansion_(expansion), axis_(axis), count_(expansion.terms.size()) {
    for (std::size_t t = 0; t < count_; ++t) known_[key(expansion.terms[t])] = static_cast<int>(t);
  }

  /// Adds the terms `distance` cells further along the axis; their roots come after all others.
  void repeat(int distance, std::size_t roots) {
    std::vector<int> places(count_);
    for (std::size_t t = 0; t < count_; ++t) {
      Term term = expansion_.terms[t];
      if (moves(term)) term.offset[axis_] += distance;
      for (int& operand : term.operands) operand = places[operand];
      auto [known, added] =
          known_.try_emplace(key(term), static_cast<int>(expansion_.terms.size()));
      if (added) expansion_.terms.push_back(std::move(term));
      places[t] = known->second;
    }
    for (std::size_t r = 0; r < roots; ++r) expansion_.roots.push_back(places[expansion_.roots[r]]);
  }

 private:
  using Key = std::tuple<Term::Kind, ValueId, Offset>;
  static Key key(const Term& term) { return {term.kind, term.value, term.offset}; }

  [[nodiscard]] bool moves(const Term& term) const {
    if (term.kind == Term::Kind::index)
      return graph_.producer_as<LoadIndex>(term.value)->axis == axis_;
    return term.kind != Term::Kind::scalar;
  }

  const Graph& graph_;
  Expansion& expansion_;
  const int axis_;
  const std::size_t count_;  // of one row
  std::map<Key, int> known_;
};

}  // namespace

int jam_axis(const Group& group) {
  return group.sweep.empty() ? static_cast<int>(group.cpu.tile.size()) - 1 : group.sweep.back();
}

int rows_at_a_time(const Group& group, int axis) {
  return axis == jam_axis(group) ? group.cpu.jam : 1;
}

bool may_jam(const Group& group, int rows) {
  if (rows == 1) return true;
  // Past the end of a split tile lie results of other tiles.
  const bool apart = group.form == Form::split ? jam_axis(group) != group.cut : group.sweep.empty();
  return apart && group.cpu.tile.size() > 1 && group.buffers.empty() &&
         std::ranges::all_of(group.stages,
                             [&](const Stage& stage) { return may_jam(stage, rows); });
}

Stage jammed(const Graph& graph, const Ranges& ranges, const Group& group, const Stage& stage) {
  Stage turn = stage;
  if (group.cpu.jam == 1) return turn;
  const int axis = jam_axis(group);
  const std::size_t roots = stage.expansion.roots.size();
  Repeater repeater(graph, turn.expansion, axis);
  for (int row = 1; row < group.cpu.jam; ++row) {
    repeater.repeat(row, roots);
    for (std::size_t r = 0; r < roots; ++r) {
      turn.lags.push_back(stage.lags[r]);
      turn.lags.back()[axis] -= row;
    }
    for (Output output : stage.outputs) {
      output.root += row * static_cast<int>(roots);
      turn.outputs.push_back(output);
    }
  }
  turn.cpu.vectors = vector_form(graph, ranges, turn.expansion);
  return turn;
}

}  // namespace paraiso::plan
