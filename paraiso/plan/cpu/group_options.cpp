#include "paraiso/plan/cpu/group_options.hpp"

#include <algorithm>

#include "paraiso/plan/cpu/jam.hpp"
#include "paraiso/support/reduction.hpp"

namespace paraiso::plan {

using namespace om;

int vector_cells(const Graph& graph, const Stage& stage) {
  constexpr int longest_vector = 64;  // bytes
  if (const auto& vectors = stage.cpu.vectors)
    return longest_vector / static_cast<int>(size_of(vectors->unit));
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
  std::int64_t unit = kVectorCells;
  for (const Stage& stage : group.stages)
    unit = std::max<std::int64_t>(unit, vector_cells(graph, stage));
  group.cpu.row_unit = group.cpu.granule = unit;
  for (const Stage& stage : group.stages)
    if (!stage.reductions.empty()) group.cpu.granule = paraiso_support::chunk_cells;
}

/// Rows are cut at whole granules.
void settle_tile(CpuGroup& group) {
  std::int64_t& length = group.tile[0];
  if (length > 0) length = (length + group.granule - 1) / group.granule * group.granule;
}

/// Tiles are cut along one axis only; and no streaming stores, since results are read soon.
void settle_split(int cut, CpuGroup& group) {
  for (std::size_t axis = 0; axis < group.tile.size(); ++axis)
    if (static_cast<int>(axis) != cut) group.tile[axis] = kWholeAxis;
  group.streaming = false;
}

}  // namespace

void set_options(const Graph& graph, Group& group, const CpuOptions& options) {
  static_cast<CpuOptions&>(group.cpu) = options;
  set_units(graph, group);
  while (!may_jam(group, group.cpu.jam)) group.cpu.jam /= 2;
  settle_tile(group.cpu);
  if (group.form == Form::split) settle_split(group.cut, group.cpu);
}

}  // namespace paraiso::plan
