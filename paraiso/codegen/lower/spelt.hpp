// Spelt: an expression's text in a language of C's family, and how tightly it binds.
// Gives: Spelt, infix, prefix, conditional. Needs: spelling, for what the numbers mean.
#pragma once

#include <string>

#include "paraiso/codegen/lower/spelling.hpp"

namespace paraiso::codegen {

/// 7: a name or call, 6 a sign, 5 a product, ...
struct Spelt {
  std::string text;
  int precedence = kCallPrecedence;
};

/// Two operands around an operator, in parentheses where they need them.
[[nodiscard]] Spelt infix(const std::string& op, int precedence, const Spelt& left,
                          const Spelt& right);
[[nodiscard]] Spelt prefix(const std::string& op, int precedence, const Spelt& operand);
/// condition ? yes : no
[[nodiscard]] Spelt conditional(const Spelt& condition, const Spelt& yes, const Spelt& no);

}  // namespace paraiso::codegen
