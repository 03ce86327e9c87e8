#include "paraiso/plan/choices/group_options.hpp"

#include <algorithm>

#include "paraiso/plan/choices/jam.hpp"
#include "paraiso/support/reduction.hpp"

namespace paraiso::plan {

using namespace om;

int vector_cells(const Graph& graph, const Stage& stage) {
  constexpr int longest_vector = 64;  // bytes
  if (stage.vectors) return longest_vector / static_cast<int>(size_of(stage.vectors->unit));
  const auto is_small = [&](const Term& term) {
    return size_of(graph.type(term.value).element) < 8;
  };
  // Bools have the width of what was compared, except in memory.
  for (const Term& term : stage.expansion.terms)
    if (is_small(term) &&
        (term.kind != Term::Kind::compute || graph.type(term.value).element != Element::boolean))
      return kVectorCells;
  for (int root : stage.expansion.roots)
    if (is_small(stage.expansion.terms[root])) return kVectorCells;
  return kVectorCells / 2;
}

namespace {

void set_units(const Graph& graph, Group& group) {
  group.row_unit = kVectorCells;
  for (const Stage& stage : group.stages)
    group.row_unit = std::max<std::int64_t>(group.row_unit, vector_cells(graph, stage));
  group.granule = group.row_unit;
  for (const Stage& stage : group.stages)
    if (!stage.reductions.empty()) group.granule = paraiso_support::chunk_cells;
}

/// Rows are cut at whole granules.
void settle_tile(Group& group) {
  std::int64_t& length = group.tile[0];
  if (length > 0) length = (length + group.granule - 1) / group.granule * group.granule;
}

/// Tiles are cut along one axis only; and no streaming stores, since results are read soon.
void settle_split(Group& group) {
  for (std::size_t axis = 0; axis < group.tile.size(); ++axis)
    if (static_cast<int>(axis) != group.cut) group.tile[axis] = kWholeAxis;
  group.streaming = false;
}

}  // namespace

void set_options(const Graph& graph, Group& group, const Choices& choices) {
  static_cast<LoopOptions&>(group) = choices;
  set_units(graph, group);
  while (!may_jam(group, group.jam)) group.jam /= 2;
  settle_tile(group);
  if (group.form == Form::split) settle_split(group);
}

}  // namespace paraiso::plan
