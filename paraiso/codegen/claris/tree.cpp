#include "paraiso/codegen/claris/tree.hpp"

namespace paraiso::codegen::claris {
namespace {

const std::int64_t* literal_of(const ExprPtr& expr) {
  const auto* index = std::get_if<IndexLiteral>(&expr->node);
  return index ? &index->value : nullptr;
}

}  // namespace

ExprPtr make(Expr expr) { return std::make_shared<const Expr>(std::move(expr)); }
ExprPtr name(std::string text) { return make({Name{std::move(text)}}); }
ExprPtr literal(om::Constant value) { return make({Literal{value}}); }
ExprPtr integer(std::int64_t value) { return make({IndexLiteral{value}}); }

ExprPtr plus(ExprPtr left, ExprPtr right) {
  const auto* l = literal_of(left);
  const auto* r = literal_of(right);
  if (l && r) return integer(*l + *r);
  if (l && *l == 0) return right;
  if (r && *r == 0) return left;
  if (r && *r < 0) return make({IndexBinary{'-', std::move(left), integer(-*r)}});
  return make({IndexBinary{'+', std::move(left), std::move(right)}});
}

ExprPtr minus(ExprPtr left, ExprPtr right) {
  if (const auto* r = literal_of(right)) return plus(std::move(left), integer(-*r));
  return make({IndexBinary{'-', std::move(left), std::move(right)}});
}

ExprPtr times(ExprPtr left, ExprPtr right) {
  const auto* l = literal_of(left);
  const auto* r = literal_of(right);
  if ((l && *l == 1)) return right;
  if ((r && *r == 1)) return left;
  if ((l && *l == 0) || (r && *r == 0)) return integer(0);
  return make({IndexBinary{'*', std::move(left), std::move(right)}});
}

ExprPtr subscript(ExprPtr array, ExprPtr index) {
  return make({Subscript{std::move(array), std::move(index)}});
}

ExprPtr call(std::string function, std::vector<ExprPtr> arguments) {
  return make({Call{std::move(function), std::move(arguments)}});
}

ExprPtr choose(ExprPtr condition, ExprPtr yes, ExprPtr no) {
  return make({Choose{std::move(condition), std::move(yes), std::move(no)}});
}

ExprPtr both(ExprPtr left, ExprPtr right) { return make({And{std::move(left), std::move(right)}}); }

ExprPtr operate(const om::Graph& graph, om::ValueId value, std::vector<ExprPtr> operands,
                bool lanes) {
  const om::Node& node = graph.producer(value);
  const auto& arith = std::get<om::Arith>(node.instruction);
  // A comparison is spelt by its operands' type; `select` by its chosen operands'.
  const om::ValueId typed = node.operands[arith.op == om::Op::select ? 1 : 0];
  return make({Operate{arith.op, graph.type(typed).element, arith.target, graph.value(value).result,
                       lanes, std::move(operands), arith.libm}});
}

}  // namespace paraiso::codegen::claris
