// walk: visits the nodes of a tree, so that nobody has to search its text.
// Gives: operands, Parts, parts, mentions. Needs: tree.
#pragma once

#include <algorithm>

#include "paraiso/codegen/claris/tree.hpp"

namespace paraiso::codegen::claris {

/// The operands of an expression.
[[nodiscard]] std::vector<ExprPtr> operands(const Expr& expr);

/// The expressions and blocks of a statement.
struct Parts {
  std::vector<ExprPtr> exprs;
  std::vector<const Block*> blocks;
};
[[nodiscard]] Parts parts(const Statement& statement);

/// Whether `wanted(expr)` or `wanted(statement)` holds for any node.
template <class Wanted>
[[nodiscard]] bool mentions(const Expr& expr, const Wanted& wanted) {
  return wanted(expr) || std::ranges::any_of(operands(expr), [&](const ExprPtr& operand) {
           return mentions(*operand, wanted);
         });
}
template <class Wanted>
[[nodiscard]] bool mentions(const Block& block, const Wanted& wanted) {
  return std::ranges::any_of(block, [&](const Statement& statement) {
    if (wanted(statement)) return true;
    const Parts made_of = parts(statement);
    return std::ranges::any_of(made_of.exprs,
                               [&](const ExprPtr& expr) { return mentions(*expr, wanted); }) ||
           std::ranges::any_of(made_of.blocks,
                               [&](const Block* inner) { return mentions(*inner, wanted); });
  });
}

/// For `mentions`: nodes of these kinds, of expressions or of statements.
template <class... Kinds>
struct AnyOf {
  bool operator()(const auto& node) const { return is(node.node); }

 private:
  template <class... Alternatives>
  static bool is(const std::variant<Alternatives...>& node) {
    return std::visit([](const auto& alternative) { return matches(alternative); }, node);
  }
  template <class... Alternatives>
  static bool matches(const std::variant<Alternatives...>& inner) {
    return is(inner);
  }
  template <class Node>
  static bool matches(const Node&) {
    return (std::is_same_v<Node, Kinds> || ...);
  }
};

}  // namespace paraiso::codegen::claris
