#include "paraiso/codegen/lower/spelt.hpp"

#include <fmt/format.h>

namespace paraiso::codegen {
namespace {

std::string parenthesised(const Spelt& operand, bool needed) {
  return needed ? "(" + operand.text + ")" : operand.text;
}

}  // namespace

Spelt infix(const std::string& op, int precedence, const Spelt& left, const Spelt& right) {
  // Equal precedence groups to the left; comparisons and bit operators are never chained bare.
  bool chain = precedence >= 4;
  bool left_needs = left.precedence < precedence || (!chain && left.precedence < 6);
  bool right_needs = right.precedence <= precedence || (!chain && right.precedence < 6);
  return {parenthesised(left, left_needs) + " " + op + " " + parenthesised(right, right_needs),
          precedence};
}

Spelt prefix(const std::string& op, int precedence, const Spelt& operand) {
  return {op + parenthesised(operand, operand.precedence < 7), precedence};
}

Spelt conditional(const Spelt& condition, const Spelt& yes, const Spelt& no) {
  return {
      fmt::format("{} ? {} : {}", parenthesised(condition, condition.precedence < 7),
                  parenthesised(yes, yes.precedence <= 1), parenthesised(no, no.precedence <= 1)),
      1};
}

}  // namespace paraiso::codegen
