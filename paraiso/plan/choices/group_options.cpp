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

void set_options(const Graph& graph, Group& group, const Choices& choices) {
  group.tile = choices.tile;
  group.vectors = choices.vectors;
  group.streaming = choices.streaming;
  group.prefetch = choices.prefetch;
  group.row_unit = kVectorCells;
  for (const Stage& stage : group.stages)
    group.row_unit = std::max<std::int64_t>(group.row_unit, vector_cells(graph, stage));
  group.granule = group.row_unit;
  for (const Stage& stage : group.stages)
    if (!stage.reductions.empty()) group.granule = paraiso_support::chunk_cells;
  for (group.jam = choices.jam; !may_jam(group, group.jam);) group.jam /= 2;
  std::int64_t& length = group.tile[0];
  if (length > 0) length = (length + group.granule - 1) / group.granule * group.granule;
  if (group.form != Form::split) return;
  // Tiles are cut along one axis only; and no streaming stores, since results are read soon.
  for (int axis = 0; axis < graph.dimension(); ++axis)
    if (axis != group.cut) group.tile[axis] = kWholeAxis;
  group.streaming = false;
}

}  // namespace paraiso::plan
