#include "paraiso/codegen/lower/scalars.hpp"

namespace paraiso::codegen {

using namespace om;

std::optional<claris::Declare> ScalarNames::declare(ValueId value) {
  const Node& node = graph_.producer(value);
  if (const auto* imm = std::get_if<Imm>(&node.instruction)) {
    known_[value] = claris::literal(imm->value);
    return std::nullopt;
  }
  if (const auto* size = std::get_if<LoadSize>(&node.instruction)) {
    known_[value] = claris::make({claris::WholeSize{size->axis}});
    return std::nullopt;
  }
  if (chain_.is_inner(value)) {
    known_[value] = known_.at(chain_.operands(value)[0]);
    return std::nullopt;
  }
  claris::ExprPtr expr;
  if (const auto* load = std::get_if<Load>(&node.instruction)) {
    expr = claris::make({claris::Held{load->source}});
  } else {
    std::vector<claris::ExprPtr> operands;
    for (ValueId v : node.operands) operands.push_back(known_.at(v));
    expr = claris::operate(graph_, value, std::move(operands));
  }
  std::string variable = names_.unique(wanted_name(value));
  known_[value] = claris::name(variable);
  return claris::Declare{graph_.type(value).element, variable, expr};
}

std::string ScalarNames::declare_result(ValueId value) {
  std::string variable = names_.unique(wanted_name(value));
  known_[value] = claris::name(variable);
  return variable;
}

std::string ScalarNames::wanted_name(ValueId value) const {
  if (const auto* load = graph_.producer_as<Load>(value)) return machine_.at(load->source).name;
  if (auto given = given_name(graph_, value); !given.empty()) return given;
  if (const auto* reduce = graph_.producer_as<Reduce>(value)) return name(reduce->op);
  return scope_name(graph_, value, "scalar");
}

}  // namespace paraiso::codegen
