#include "paraiso/codegen/group_frame.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/codegen/print_cpp.hpp"
#include "paraiso/codegen/sides.hpp"
#include "paraiso/codegen/spelling.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::Group;
using plan::Lane;
using plan::Stage;

ExprPtr braced(const std::vector<std::int32_t>& numbers) {
  return name(fmt::format("{{{}}}", fmt::join(numbers, ", ")));
}
ExprPtr braced(const std::vector<std::int64_t>& numbers) {
  return name(fmt::format("{{{}}}", fmt::join(numbers, ", ")));
}

std::string functor(ReduceOp op) {
  std::string text = om::name(op);
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return "support::" + text;
}

GroupFrame::GroupFrame(const plan::Plan& plan, const plan::KernelPlan& kernel,
                       const plan::Group& group)
    : plan(plan),
      kernel(kernel),
      group(group),
      graph(kernel.kernel->graph),
      dimension(plan.machine.dimension),
      names{"grid",   "tile",  "threads", "memory",    "scratch", "tiles",
            "number", "lanes", "Lanes",   "streaming", "ahead"},
      parameters(names),
      coming(plan::coming_parts(kernel, group)),
      buffer_of(graph.value_count(), -1) {
  for (const auto function : operator_functions()) names.take(function);
  for (int a = 0; a < 16; ++a) names.unique(loop_variable(a));
  for (std::size_t b = 0; b < group.buffers.size(); ++b)
    buffer_of[group.buffers[b].value.index] = static_cast<int>(b);
}

std::string GroupFrame::window(const plan::Extent& reach, const std::vector<int>& lines) {
  auto [known, added] = windows_.try_emplace({reach, lines});
  if (added) known->second = names.unique("window");
  return known->second;
}

std::string GroupFrame::one_row(const plan::Extent& reach) {
  std::vector<int> lines(dimension, 1);
  lines[0] = 0;
  return window(reach, lines);
}

plan::Extent GroupFrame::reach_of_rows() const {
  plan::Extent reach(dimension);
  if (!split()) return reach;
  for (const Stage& stage : group.stages) {
    reach.lower[0] = std::max(reach.lower[0], stage.reach.lower[0]);
    reach.upper[0] = std::max(reach.upper[0], stage.reach.upper[0]);
  }
  return reach;
}

std::string GroupFrame::piece(Lane element, const std::string& wanted, const std::string& window,
                              bool row) {
  const std::string variable = names.unique(wanted);
  pieces_.push_back({element, variable, window, row});
  return variable;
}

std::string GroupFrame::unused_row(Lane element) {
  auto [known, added] = unused_.try_emplace(element);
  if (added) known->second = piece(element, "unused", one_row(reach_of_rows()), true);
  return known->second;
}

std::string GroupFrame::row_ends(StaticId id, Lane unit, const plan::Extent& reach) {
  auto [known, added] = row_ends_.try_emplace({id, unit, reach.lower[0], reach.upper[0]});
  if (added) known->second = names.unique(plan.machine.at(id).name + "_ends");
  uses_grid = true;
  return known->second;
}

Block GroupFrame::all_row_ends() const {
  Block block;
  for (const auto& [key, variable] : row_ends_) {
    const auto& [id, unit, lower, upper] = key;
    const Static& source = plan.machine.at(id);
    const auto& [low, high] = source.boundary[0];
    const Element element = source.type.element;
    block.push_back(
        {DeclareObject{fmt::format("const support::RowEnds<{}, {}, {}, {}>", cpp_type(element),
                                   cpp_type(unit), lower, upper),
                       variable,
                       {name("grid.size[0]"), name(side_name(low)), name(side_name(high)),
                        name(side_constant(low, element)), name(side_constant(high, element))}}});
  }
  return block;
}

Block GroupFrame::memory() const {
  Block block;
  if (pieces_.empty()) return block;
  std::vector<std::pair<std::string, const Shape*>> windows;
  for (const auto& [key, variable] : windows_) windows.emplace_back(variable, &key);
  std::ranges::sort(windows, {}, [](const auto& w) { return std::pair(w.first.size(), w.first); });
  for (const auto& [variable, key] : windows) {
    std::vector<ExprPtr> shape{name("tile"), braced(key->first.lower), braced(key->first.upper),
                               braced(key->second)};
    if (group.row_unit != plan::kVectorCells) shape.push_back(integer(group.row_unit));
    block.push_back({DeclareObject{fmt::format("const support::Window<{}>", dimension), variable,
                                   std::move(shape)}});
  }
  block.push_back({DeclareObject{"support::Scratch", "scratch", {name("memory")}}});
  for (const Piece& piece : pieces_) {
    ExprPtr start =
        call(fmt::format("scratch.take<{}>", cpp_type(piece.element)), {name(piece.window)});
    if (piece.row) start = plus(start, first_row(piece.window));
    block.push_back({DeclarePointer{piece.element, false, piece.name, start}});
  }
  return block;
}

std::string GroupFrame::streaming() {
  uses_grid = streams_ = true;
  return "streaming";
}

std::string GroupFrame::ahead() {
  uses_grid = asks_ahead_ = true;
  return "ahead";
}

ExprPtr GroupFrame::distance_ahead() const {
  const int axis = plan::how_far_ahead(group).axis;
  const auto length = [](int a) {
    return minus(name(fmt::format("tile.end[{}]", a)), name(fmt::format("tile.begin[{}]", a)));
  };
  return times(call("support::rows_ahead", {length(0), length(axis)}),
               name(fmt::format("grid.stride[{}]", axis)));
}

std::string GroupFrame::opaque(Constant value) {
  for (const auto& [known, variable] : opaque_)
    if (known == value) return variable;
  opaque_.emplace_back(value, names.unique(value.bits() == 0 ? "zero" : "constant"));
  return opaque_.back().second;
}

Block GroupFrame::constants() const {
  Block block;
  for (const auto& [value, variable] : opaque_)
    block.push_back(
        {Declare{value.element(), variable, call("support::opaque", {literal(value)})}});
  if (asks_ahead_) block.push_back({Declare{Element::i64, "ahead", distance_ahead()}});
  if (!streams_) return block;
  block.push_back({Declare{Element::boolean, "streaming",
                           call("support::too_large_to_keep",
                                {name(fmt::format("{}.0 * static_cast<double>(grid.elements)",
                                                  kernel.touched_bytes))})}});
  return block;
}

ExprPtr GroupFrame::first_row(const std::string& window) const {
  std::vector<ExprPtr> cell;
  for (int a = 1; a < dimension; ++a) cell.push_back(name(fmt::format("tile.begin[{}]", a)));
  return call(window + ".row", std::move(cell));
}

}  // namespace paraiso::codegen
