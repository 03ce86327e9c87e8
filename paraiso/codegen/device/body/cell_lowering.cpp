#include "paraiso/codegen/device/body/cell_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/codegen/device/body/frame.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;
using plan::Term;

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

Block CellLowering::stores() const {
  Block block;
  for (std::size_t o = 0; o < targets_.size(); ++o) {
    const int root = stage_.outputs[o].root;
    block.push_back({Assign{subscript(name(targets_[o]), beside(stage_.behind(root))),
                            BodyLowering::root(root)}});
  }
  return block;
}

std::string CellLowering::describe() const {
  std::vector<std::string> all = targets_;
  std::ranges::move(kept(), std::back_inserter(all));
  return fmt::format("{}: {:.0f} operations a cell", fmt::join(all, ", "),
                     stage_.expansion.operations(graph_));
}

ExprPtr CellLowering::read(const Term& term) {
  return subscript(name(array_of(term)), beside(term.offset));
}

std::string CellLowering::array_of(const Term& term) const {
  const plan::ArrayRef ref = *kernel_.array_read(group_, term);
  return parameters_.array(ref, array_name(plan_.machine, graph_, ref, term.value, {}),
                           FunctionParameter::Kind::input_array);
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
