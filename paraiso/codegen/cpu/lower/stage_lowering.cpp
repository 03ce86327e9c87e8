#include "paraiso/codegen/cpu/lower/stage_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "paraiso/plan/cpu/group_options.hpp"
#include "paraiso/plan/cpu/jam.hpp"
#include "paraiso/plan/vector_form.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using passes::lane_of;
using plan::ArrayRef;
using plan::Lane;
using plan::Stage;
using plan::Term;

StageLowering::StageLowering(GroupFrame& frame, const Stage& stage, std::size_t place)
    : BodyLowering(frame.graph, stage.expansion, frame.names,
                   stage.cpu.in_vectors ? stage.cpu.vectors : std::nullopt),
      frame_(frame),
      stage_(stage),
      bounds_(frame, stage),
      rows_(frame, stage, place, bounds_) {}

Block StageLowering::run() {
  rows_.name_targets();
  Block values = BodyLowering::run();
  Block cell = prefetches();
  std::ranges::move(values, std::back_inserter(cell));
  write_roots(cell);
  Block row = std::move(hoisted());
  std::ranges::move(rows_.declarations(), std::back_inserter(row));
  row.push_back(loop_over_row(std::move(cell)));
  reduce_row(row);
  Block nest = std::move(row);
  for (int a = 1; a < frame_.dimension; ++a) {
    if (std::ranges::find(frame_.group.sweep, a) != frame_.group.sweep.end()) continue;
    nest = Block{{For{loop_variable(a), bounds_.begin(a), bounds_.end(a), std::move(nest),
                      plan::rows_at_a_time(frame_.group, a)}}};
  }
  describe(nest);
  if (frame_.swept()) nest = at_its_rows(std::move(nest));
  fill_states(nest);
  return nest;
}

ExprPtr StageLowering::read(const Term& term) {
  const std::string row = rows_.read(term);
  if (vectors_ && term.offset[0] != 0 && rows_.distances(term).size() > 1)
    return make({Neighbour{term.offset[0], plus(name(row), name("i"))}});
  ExprPtr cell = plus(name("i"), integer(term.offset[0]));
  if (vectors_) return make({LoadLanes{plus(name(row), std::move(cell))}});
  return as_element(term, subscript(name(row), std::move(cell)));
}

ExprPtr StageLowering::as_element(const Term& term, ExprPtr cell) const {
  const Lane lane = lane_of(graph_.type(term.value).element);
  if (term.kind != Term::Kind::read_buffer ||
      frame_.group.buffers[frame_.buffer_of[term.value.index]].lane == lane)
    return cell;
  return as_lane(std::move(cell), lane);
}

ExprPtr StageLowering::index(int axis, std::int32_t offset) {
  return plus(plus(name(loop_variable(axis)), integer(offset)), make({GridOrigin{axis}}));
}

ExprPtr StageLowering::scalar(ValueId value) {
  return name(frame_.parameters.scalar(value, graph_.type(value).element,
                                       scalar_name(frame_.plan.machine, graph_, value),
                                       FunctionParameter::Kind::scalar));
}

bool StageLowering::must_read_first(const Term& term) const {
  if (term.kind == Term::Kind::read_buffer)
    return std::ranges::any_of(stage_.buffer_writes, [&](const plan::BufferWrite& keep) {
      return frame_.group.buffers[keep.buffer].value == term.value;
    });
  const auto array = frame_.kernel.array_read(frame_.group, term);
  return array &&
         std::ranges::any_of(stage_.outputs, [&](const auto& o) { return o.array == *array; });
}

Block StageLowering::at_its_rows(Block row) const {
  for (auto axis = frame_.group.sweep.rbegin(); axis != frame_.group.sweep.rend(); ++axis)
    row = Block{{If{bounds_.any_of_turn(*axis), std::move(row)}}};
  return row;
}

void StageLowering::write_roots(Block& cell) const {
  std::size_t target = 0;
  for (const auto& output : stage_.outputs)
    write(cell, rows_.targets()[target++], output.root, lane_of(output.array.element),
          frame_.group.cpu.streaming && !rows_.reads(output.array));
  for (const auto& keep : stage_.buffer_writes)
    write(cell, rows_.targets()[target++], keep.root, frame_.group.buffers[keep.buffer].lane,
          false);
  for (const auto& reduction : stage_.reductions)
    write(cell, frame_.cells.at(reduction.result), reduction.root, reduction.lane, false);
}

void StageLowering::write(Block& cell, const std::string& row, int root, Lane lane,
                          bool streaming) const {
  if (!vectors_) {
    cell.push_back({Assign{subscript(name(row), name("i")), BodyLowering::root(root)}});
    return;
  }
  cell.push_back({StoreLanes{plus(name(row), name("i")), BodyLowering::root(root, lane),
                             streaming ? kStreaming : ""}});
}

Block StageLowering::prefetches() {
  Block block;
  if (!vectors_ || !frame_.group.cpu.prefetch || frame_.dimension == 1) return block;
  for (const auto& part : rows_.coming())
    block.push_back({Prefetch{part.row, name("i"), part.parts}});
  if (frame_.coming.empty())
    for (const std::string& row : rows_.foremost())
      block.push_back({Prefetch{row, plus(name("i"), name(kAhead)), 1}});
  return block;
}

Statement StageLowering::loop_over_row(Block cell) const {
  const bool scalar = calls_library();
  ExprPtr first = bounds_.begin(0), last = bounds_.end(0);
  if (scalar && !vectors_) return {For{"i", first, last, std::move(cell)}};
  if (!scalar) {
    const int cells = plan::vector_cells(graph_, stage_);
    first = make({RoundTo{RoundTo::Way::down, cells, first}});
    last = make({RoundTo{RoundTo::Way::up, cells, last}});
  }
  const bool large = stage_.expansion.terms.size() > plan::kLargestPairedBody;
  return {VectorLoop{"i", first, last, vectors_ ? std::optional(vectors_->unit) : std::nullopt,
                     large ? 1 : frame_.group.cpu.vectors, rows_.with_ends(), std::move(cell)}};
}

bool StageLowering::calls_library() const {
  return std::ranges::any_of(stage_.expansion.terms, [&](const Term& term) {
    const auto* arith = graph_.producer_as<Arith>(term.value);
    return arith && term.kind == Term::Kind::compute && info(arith->op).unit == Unit::library;
  });
}

void StageLowering::reduce_row(Block& row) const {
  for (const auto& reduction : stage_.reductions) {
    const Offset offset = stage_.behind(reduction.root);
    Statement reduce{ReduceRow{reduction.op, frame_.cells.at(reduction.result),
                               frame_.partials.at(reduction.result), frame_.row_at(offset)}};
    if (ExprPtr inside = bounds_.inside(offset))
      row.push_back({If{std::move(inside), {std::move(reduce)}}});
    else
      row.push_back(std::move(reduce));
  }
}

void StageLowering::fill_states(Block& block) const {
  for (const plan::BufferFill& fill : stage_.fills) {
    const std::string& state = frame_.states.at(fill.buffer);
    block.push_back(frame_.swept() ? fill_row(state, fill.lag) : Statement{FillEdges{state, {}}});
  }
  const int cut = frame_.group.cut;
  for (const plan::RowFill& fill : stage_.row_fills)
    block.push_back({For{loop_variable(cut),
                         bounds_.begin_of_cut(fill.box),
                         bounds_.end_of_cut(fill.box),
                         {fill_row(frame_.row_fills.at(fill.value), fill.lag)}}});
}

Statement StageLowering::fill_row(const std::string& state, const Offset& lag) const {
  Offset behind = lag;
  for (auto& rows : behind) rows = -rows;
  return {FillEdges{state, frame_.row_at(behind)}};
}

void StageLowering::describe(Block& nest) const {
  std::string made;
  const auto add = [&](const std::string& text) { made += (made.empty() ? "" : ", ") + text; };
  const std::size_t outputs = stage_.outputs.size() / frame_.group.cpu.jam;  // of one row
  for (const auto& output : std::span(stage_.outputs).first(outputs))
    add(array_name(frame_.plan.machine, graph_, output.array, output.value, output.target));
  for (const auto& keep : stage_.buffer_writes) add(frame_.buffers[keep.buffer]);
  for (const auto& reduction : stage_.reductions) {
    const std::string operand = given_name(graph_, reduction.operand);
    add(fmt::format("{} of {}", om::name(reduction.op), operand.empty() ? "a value" : operand));
  }
  const double operations = stage_.expansion.operations(graph_) / frame_.group.cpu.jam;
  nest.insert(nest.begin(),
              {claris::Comment{fmt::format("{}: {:.0f} operations a cell", made, operations)}});
}

}  // namespace paraiso::codegen
