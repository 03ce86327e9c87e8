#include "paraiso/codegen/cpu/lower/stage_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/plan/cpu/jam.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using passes::lane_of;
using plan::ArrayRef;
using plan::Lane;
using plan::Stage;
using plan::Term;

StageRows::StageRows(GroupFrame& frame, const Stage& stage, std::size_t place,
                     const LoopBounds& bounds)
    : frame_(frame), stage_(stage), place_(place), bounds_(bounds) {
  for (const Term& term : stage.expansion.terms)
    if (is_read(term)) distances_[row_of(term)].insert(term.offset[0]);
}

std::string StageRows::read(const Term& term) {
  const std::string row = declared(term);
  const auto ends = std::ranges::find(with_ends_, row, &RowArgument::row);
  return ends == with_ends_.end() ? row : ends->cells;
}

std::string StageRows::declared(const Term& term) {
  const auto [value, across] = row_of(term);
  auto known = known_rows_.find({value, across});
  if (known != known_rows_.end()) return known->second;
  Lane lane = lane_of(frame_.graph.type(term.value).element);
  std::string base;
  ExprPtr place;
  bool written_by_group = false;
  if (term.kind == Term::Kind::read_buffer) {
    const int b = frame_.buffer_of[term.value.index];
    lane = frame_.group.buffers[b].lane;
    base = frame_.buffers[b];
    place = place_in_buffer(b, across);
  } else {
    const ArrayRef ref = *frame_.kernel.array_read(frame_.group, term);
    base = frame_.parameters.array(
        ref, array_name(frame_.plan.machine, frame_.graph, ref, term.value, {}),
        FunctionParameter::Kind::input_array);
    if (frame_.dimension == 1) return known_rows_[{term.value, across}] = base;
    place = place_in_grid(across);
    written_by_group = writes(ref);
  }
  const std::string row = frame_.names.unique(base + offset_suffix(across) + "_row");
  ExprPtr first = plus(name(base), std::move(place));
  if (written_by_group) first = where(bounds_.inside(across), lane, std::move(first));
  // In a group without a sweep, a loop reads only its own cell of what the group writes.
  if (written_by_group && !frame_.swept())
    first = where(bounds_.in_turn(across[plan::jam_axis(frame_.group)]), lane, std::move(first));
  declarations_.push_back({DeclarePointer{lane, true, row, std::move(first)}});
  if (makes_ends(term))
    with_ends_.push_back({lane, row,
                          frame_.row_ends.of(frame_.graph.producer_as<Load>(term.value)->source,
                                             stage_.cpu.vectors->unit, stage_.cpu.row_ends),
                          frame_.names.unique(base + offset_suffix(across) + "_cells")});
  return known_rows_[{term.value, across}] = row;
}

bool StageRows::makes_ends(const Term& term) const {
  if (term.kind != Term::Kind::read_static) return false;
  if (!frame_.kernel.computes_ghosts(frame_.graph.producer_as<Load>(term.value)->source))
    return false;
  const auto& distances = distances_.at(row_of(term));
  return *distances.begin() != 0 || *distances.rbegin() != 0;
}

void StageRows::name_targets() {
  for (const plan::Output& output : stage_.outputs) {
    const std::string array = frame_.parameters.array(
        output.array,
        array_name(frame_.plan.machine, frame_.graph, output.array, output.value, output.target),
        FunctionParameter::Kind::output_array);
    ExprPtr row = name(array);
    if (frame_.dimension > 1) row = plus(std::move(row), place_in_grid(stage_.behind(output.root)));
    const Lane lane = lane_of(output.array.element);
    row = where(bounds_.inside(stage_.behind(output.root)), lane, std::move(row));
    row = where(bounds_.in_turn(row_of_turn(output.root)), lane, std::move(row));
    targets_.push_back(target_row(array, lane, std::move(row)));
  }
  for (const plan::BufferWrite& keep : stage_.buffer_writes) {
    const std::string& buffer = frame_.buffers[keep.buffer];
    targets_.push_back(
        target_row(buffer, frame_.group.buffers[keep.buffer].lane,
                   plus(name(buffer), place_in_buffer(keep.buffer, stage_.behind(keep.root)))));
  }
}

bool StageRows::reads(const ArrayRef& array) const {
  return std::ranges::any_of(stage_.expansion.terms, [&](const Term& term) {
    return frame_.kernel.array_read(frame_.group, term) == array;
  });
}

bool StageRows::writes(const ArrayRef& array) const {
  return std::ranges::any_of(frame_.group.stages, [&](const Stage& stage) {
    return std::ranges::any_of(stage.outputs, [&](const auto& o) { return o.array == array; });
  });
}

ExprPtr StageRows::where(ExprPtr condition, Lane lane, ExprPtr row) {
  if (!condition) return row;
  return choose(std::move(condition), std::move(row), name(frame_.memory.unused_row(lane)));
}

int StageRows::row_of_turn(int root) const {
  return root * frame_.group.cpu.jam / static_cast<int>(stage_.expansion.roots.size());
}

bool StageRows::is_read(const Term& term) {
  return term.reads_array() || term.kind == Term::Kind::read_buffer;
}

StageRows::Row StageRows::row_of(const Term& term) {
  Offset across = term.offset;
  across[0] = 0;
  return {term.value, across};
}

ExprPtr StageRows::place_in_grid(const Offset& offset) const {
  return make({GridRow{frame_.row_at(offset)}});
}

ExprPtr StageRows::place_in_buffer(int b, const Offset& offset) {
  const plan::Buffer& buffer = frame_.group.buffers[b];
  const std::string window = frame_.memory.window(buffer.reach, buffer.lines);
  ExprPtr row = make({WindowRow{window, frame_.row_at(offset)}});
  for (int axis : frame_.group.sweep)
    if (buffer.lines[axis] > 1) row = plus(std::move(row), line(window, axis, offset[axis]));
  return row;
}

ExprPtr StageRows::line(const std::string& window, int axis, std::int32_t offset) {
  auto [known, added] = known_lines_.try_emplace({window, offset});
  if (added) {
    known->second = frame_.names.unique("line");
    ExprPtr row = plus(name(loop_variable(axis)), integer(offset));
    declarations_.push_back(
        {Declare{{}, known->second, make({WindowLine{window, axis, std::move(row)}})}});
  }
  return name(known->second);
}

std::string StageRows::target_row(const std::string& base, Lane lane, ExprPtr row) {
  if (std::get_if<Name>(&row->node)) return base;
  const std::string variable = frame_.names.unique(base + "_new");
  declarations_.push_back({DeclarePointer{lane, false, variable, std::move(row)}});
  return variable;
}

std::vector<StageRows::PrefetchPart> StageRows::coming() {
  std::vector<PrefetchPart> found;
  if (frame_.coming.empty()) return found;
  for (const auto& [row, part, parts] : frame_.coming[place_]) {
    const std::string base = frame_.parameters.array(
        row.array, array_name(frame_.plan.machine, frame_.graph, row.array, row.value, row.target),
        FunctionParameter::Kind::input_array);
    Offset offset = row.offset;
    const int axis = plan::jam_axis(frame_.group), jam = frame_.group.cpu.jam;
    offset[axis] += plan::prefetch_distance(frame_.group).steps * (jam - 1);
    for (int i = 0; i < jam; ++i, ++offset[axis]) {
      ExprPtr start = place_in_grid(offset);
      if (parts > 1)
        start = plus(std::move(start),
                     make({PartOfRow{part, parts, bounds_.begin(0), bounds_.end(0)}}));
      found.push_back({frame_.names.unique(base + "_coming"), parts});
      declarations_.push_back({DeclarePointer{lane_of(row.array.element), true, found.back().row,
                                              make({FarFrom{name(base), std::move(start)}})}});
    }
  }
  return found;
}

std::vector<std::string> StageRows::foremost() const {
  std::map<ValueId, std::map<Offset, std::string, std::greater<>>> found;  // the foremost first
  for (const auto& [key, row] : known_rows_) {
    const auto& [value, offset] = key;
    if (frame_.buffer_of[value.index] < 0)
      found[value][Offset(offset.rbegin(), offset.rend())] = row;
  }
  std::vector<std::string> rows;
  const int axis = frame_.dimension - 1 - plan::jam_axis(frame_.group);  // counted from the end
  for (const auto& [value, candidates] : found) {
    const Offset& first = candidates.begin()->first;
    for (const auto& [order, row] : candidates) {
      Offset beside = order;
      beside[axis] = first[axis];
      if (beside == first && first[axis] - order[axis] < frame_.group.cpu.jam) rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace paraiso::codegen
