#include "paraiso/codegen/device/body/cell_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/axis_name.hpp"
#include "paraiso/codegen/device/body/frame.hpp"
#include "paraiso/plan/device/stored_ghosts.hpp"
#include "paraiso/plan/device/thread/vector_rows.hpp"
#include "paraiso/plan/loops/found_ghosts.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::Term;

namespace {

bool negates(const Boundary& side) {
  const auto* mirror = std::get_if<Reflect>(&side);
  return mirror && mirror->sign < 0;
}

/// Rules with the same number lead to the same cell.
int rule_of(const Boundary& side) {
  return static_cast<int>(side.index()) * (negates(side) ? -1 : 1);
}

}  // namespace

CellLowering::CellLowering(const StageOfKernel& of)
    : BodyLowering(of.kernel.kernel->graph, of.stage.expansion, of.names),
      plan_(of.plan),
      kernel_(of.kernel),
      group_(of.group),
      stage_(of.stage),
      parameters_(of.parameters) {
  for (const plan::Output& output : stage_.outputs)
    targets_.push_back(parameters_.array(
        output.array, array_name(plan_.machine, graph_, output.array, output.value, output.target),
        FunctionParameter::Kind::output_array));
}

std::vector<Block> CellLowering::stores() const {
  std::vector<Block> all;
  for (std::size_t o = 0; o < targets_.size(); ++o) {
    const int root = stage_.outputs[o].root;
    all.push_back({{Assign{subscript(name(targets_[o]), beside(stage_.behind(root))),
                           BodyLowering::root(root)}}});
  }
  return all;
}

std::vector<Block> CellLowering::ghosts() const {
  const int vector = plan::vector_of(group_);
  std::vector<Block> all;
  for (std::size_t o = 0; o < targets_.size(); ++o) {
    Block& block = all.emplace_back();
    const plan::Output& output = stage_.outputs[o];
    const plan::Extent* width = plan::ghosts_with(kernel_, output);
    if (!width) continue;
    const Offset behind = stage_.behind(output.root);
    const Static& field = plan_.machine.at(*output.target);
    StoreGhosts ghosts{output.array.element,
                       repeat_routine(field.name),
                       targets_[o],
                       beside(behind),
                       {},
                       {},
                       vector};
    for (int a = 0; a < graph_.dimension(); ++a) {
      ghosts.cell.push_back(
          plus(name(vector > 1 && a == 0 ? first_cell(0) : loop_variable(a)), integer(behind[a])));
      ghosts.axes.push_back(
          {field.boundary[a][0], field.boundary[a][1], width->lower[a], width->upper[a]});
    }
    block.push_back({DeviceStatement{std::move(ghosts)}});
  }
  return all;
}

std::string CellLowering::describe() const {
  std::vector<std::string> all = targets_;
  std::ranges::move(kept(), std::back_inserter(all));
  return fmt::format("{}: {:.0f} operations a cell", fmt::join(all, ", "),
                     stage_.expansion.operations(graph_));
}

ExprPtr CellLowering::read(const Term& term) {
  const std::string array = array_of(term);
  if (term.kind == Term::Kind::read_static &&
      plan::finds_ghosts(kernel_, graph_.producer_as<Load>(term.value)->source))
    if (const auto beyond = plan::axes_beyond(group_, stage_, term.offset); !beyond.empty())
      return found(term, array, beyond);
  return subscript(name(array), beside(term.offset));
}

std::string CellLowering::array_of(const Term& term) const {
  const plan::ArrayRef ref = *kernel_.array_read(group_, term);
  return parameters_.array(ref, array_name(plan_.machine, graph_, ref, term.value, {}),
                           FunctionParameter::Kind::input_array);
}

Block CellLowering::body() {
  Block made = run();
  Block all = std::move(sources_.block);
  std::ranges::move(ghost_values_, std::back_inserter(all));
  std::ranges::move(made, std::back_inserter(all));
  return all;
}

/// A cell that may lie beyond the grid along some axes.
ExprPtr CellLowering::found(const Term& term, const std::string& array,
                            const std::vector<int>& beyond) {
  const Static& field = plan_.machine.at(graph_.producer_as<Load>(term.value)->source);
  ExprPtr place = make({DeviceExpr{CoreCell{}}});
  std::vector<std::pair<int, std::string>> sources;
  for (int a = 0; a < plan_.machine.dimension; ++a) {
    ExprPtr index = plus(name(loop_variable(a)), integer(term.offset[a]));
    if (std::ranges::find(beyond, a) != beyond.end()) {
      sources.emplace_back(a, source(field, a, term.offset[a]));
      index = name(sources.back().second);
    }
    place = plus(std::move(place),
                 a == 0 ? std::move(index) : times(std::move(index), name(stride_name(a))));
  }
  ExprPtr value = subscript(name(array), std::move(place));
  const bool copies = std::ranges::none_of(beyond, [&](int a) {
    return std::ranges::any_of(field.boundary[a], [](const Boundary& side) {
      return std::holds_alternative<Fixed>(side) || negates(side);
    });
  });
  if (copies) return value;
  return name(by_sides(field, declare(field.type.element, std::move(value)), sources));
}

/// The variable for an index along an axis that sides' rules have led into the grid.
std::string CellLowering::source(const Static& field, int axis, int offset) {
  const auto& [lower, upper] = field.boundary[axis];
  GhostSources& sources = sources_along(axis);
  auto [known, added] = sources.known.try_emplace({axis, offset, rule_of(lower), rule_of(upper)});
  if (added) {
    Offset along(graph_.dimension(), 0);
    along[axis] = offset;
    known->second = names_.unique(
        "source" + (offset == 0 ? fmt::format("_{}", axis_name(axis)) : offset_suffix(along)));
    sources.block.push_back({DeviceStatement{FindSource{
        known->second, axis, plus(name(loop_variable(axis)), integer(offset)), lower, upper}}});
  }
  return known->second;
}

/// What sides make of a value that was read: the last axis has the last word.
std::string CellLowering::by_sides(const Static& field, std::string value,
                                   const std::vector<std::pair<int, std::string>>& sources) {
  const Element element = field.type.element;
  const auto select = [&](DeviceExpr condition, ExprPtr yes) {
    value = declare(element,
                    make({Operate{Op::select,
                                  element,
                                  element,
                                  0,
                                  false,
                                  {make({std::move(condition)}), std::move(yes), name(value)}}}));
  };
  for (const auto& [axis, called] : sources) {
    const auto& sides = field.boundary[axis];
    for (const bool above : {false, true})
      if (const auto* fixed = std::get_if<Fixed>(&sides[above ? 1 : 0]))
        select(MeetsSide{called, above}, literal(fixed->value));
    if (std::ranges::any_of(sides, negates) && element != Element::boolean)
      select(ChangesSign{called},
             make({Operate{Op::neg, element, element, 0, false, {name(value)}}}));
  }
  return value;
}

std::string CellLowering::declare(Element element, ExprPtr value) {
  const std::string variable = names_.unique("ghost_value");
  ghost_values_.push_back({Declare{element, variable, std::move(value)}});
  return variable;
}

ExprPtr CellLowering::index(int axis, std::int32_t offset) {
  return plus(name(loop_variable(axis)), integer(offset));
}

ExprPtr CellLowering::scalar(ValueId value) {
  return name(parameters_.scalar(value, graph_.type(value).element,
                                 scalar_name(plan_.machine, graph_, value),
                                 FunctionParameter::Kind::scalar));
}

ExprPtr CellLowering::compared(Constant value) { return hidden_zero(parameters_, value); }

ExprPtr CellLowering::chosen(Constant value) { return hidden_zero(parameters_, value); }

bool CellLowering::must_read_first(const Term& term) const {
  const auto array = kernel_.array_read(group_, term);
  return array &&
         std::ranges::any_of(stage_.outputs, [&](const auto& o) { return o.array == *array; });
}

}  // namespace paraiso::codegen
