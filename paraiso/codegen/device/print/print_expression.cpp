#include "paraiso/codegen/device/print/print_expression.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "paraiso/codegen/device/operators.hpp"

namespace paraiso::codegen {

using namespace claris;
using om::Op;
using om::Overload;

namespace {

[[noreturn]] Spelt not_on_devices() {
  throw std::logic_error("an expression that no kernel of a device has");
}

/// Of comparisons of indices and what joins them.
Spelt condition(std::string text) { return {std::move(text), 2}; }

Spelt literal_text(const std::string& text) { return {text, text[0] == '-' ? 6 : 7}; }

}  // namespace

std::string DeviceExpressions::negated(om::Element element, const std::string& value) const {
  return library_function(Op::neg, element, element, 0) + "(" + value + ")";
}

Spelt DeviceExpressions::spell(const ExprPtr& expr) const {
  return std::visit(
      Overload{
          [](const Name& e) { return Spelt{e.text}; },
          [&](const Literal& e) { return literal_text(device_literal(dialect_, e.value)); },
          [](const IndexLiteral& e) { return literal_text(fmt::format("{}", e.value)); },
          [&](const IndexBinary& e) {
            return infix(std::string(1, e.op), e.op == '*' ? 5 : 4, spell(e.left), spell(e.right));
          },
          [&](const Operate& e) { return operation(e); },
          [&](const Subscript& e) { return Spelt{text(e.array) + "[" + text(e.index) + "]"}; },
          [&](const Call& e) { return Spelt{e.function + "(" + joined(e.arguments) + ")"}; },
          [](const GridSize& e) { return Spelt{fmt::format("grid.size[{}]", e.axis)}; },
          [](const WholeSize& e) { return Spelt{fmt::format("grid.size[{}]", e.axis)}; },
          [](const GridOrigin&) -> Spelt { throw std::logic_error("a device has the whole grid"); },
          [](const GridStride& e) { return Spelt{fmt::format("grid.stride[{}]", e.axis)}; },
          [](const HaloCell& e) { return Spelt{fmt::format("cell[{}]", e.axis)}; },
          [](const NearestCell& e) {
            std::string offset;
            for (const auto cells : e.offset) offset += fmt::format(", {}", cells);
            return Spelt{"nearest(grid, cell" + offset + ")"};
          },
          [&](const DeviceExpr& e) {
            return std::visit([&](const auto& of_device) { return spell(of_device); }, e);
          },
          [&](const And& e) { return condition(text(e.left) + " && " + text(e.right)); },
          [&](const Within& e) {
            const std::string at = text(e.at);
            return condition(
                fmt::format("{} <= {} && {} < {}", text(e.begin), at, at, text(e.end)));
          },
          [&](const Smaller& e) { return extreme(e.left, e.right, false); },
          [&](const Larger& e) { return extreme(e.left, e.right, true); },
          [](const Convert&) { return not_on_devices(); },
          [](const Choose&) { return not_on_devices(); },
          [](const GridRow&) { return not_on_devices(); },
          [&](const Held& e) { return Spelt{"scalars->" + held_.at(e.id.index)}; },
          [](const Opaque&) { return not_on_devices(); },
          [](const CpuExpr&) { return not_on_devices(); },
      },
      expr->node);
}

Spelt DeviceExpressions::spell(const Remainder& e) const {
  return infix("%", 5, spell(e.value), Spelt{fmt::format("{}", e.divisor)});
}

Spelt DeviceExpressions::spell(const Quotient& e) const {
  return infix("/", 5, spell(e.value), Spelt{fmt::format("{}", e.divisor)});
}

Spelt DeviceExpressions::spell(const PlaceOfPartial& e) const {
  Spelt place{e.places + ".first"};
  for (std::size_t a = 0; a < e.indices.size(); ++a)
    place =
        infix("+", 4, place,
              infix("*", 5, spell(e.indices[a]), Spelt{fmt::format("{}.stride[{}]", e.places, a)}));
  return place;
}

/// left < right ? left : right, or with `larger` the other one.
Spelt DeviceExpressions::extreme(const ExprPtr& left, const ExprPtr& right, bool larger) const {
  const Spelt a = spell(left), b = spell(right);
  return conditional(condition(a.text + " < " + b.text), larger ? b : a, larger ? a : b);
}

Spelt DeviceExpressions::operation(const Operate& operate) const {
  const Spelling row = spelling(operate.op);
  const auto& operands = operate.operands;
  const char* sign = operate.op == Op::cast ? nullptr : row.infix(operate.element);
  if (!sign)
    return {library_function(operate.op, operate.element, operate.target, operate.result) + "(" +
            joined(operands) + ")"};
  if (operate.op == Op::select)
    return conditional(spell(operands[0]), spell(operands[1]), spell(operands[2]));
  if (operands.size() > 1)
    return infix(sign, row.precedence, spell(operands[0]), spell(operands[1]));
  return prefix(sign, row.precedence, spell(operands[0]));
}

std::string DeviceExpressions::joined(const std::vector<ExprPtr>& exprs) const {
  std::string all;
  for (const ExprPtr& expr : exprs) all += (all.empty() ? "" : ", ") + text(expr);
  return all;
}

std::string DeviceExpressions::library_function(Op op, om::Element element, om::Element target,
                                                int result) const {
  return *used_.insert(device_function(op, element, target, result)).first;
}

}  // namespace paraiso::codegen
