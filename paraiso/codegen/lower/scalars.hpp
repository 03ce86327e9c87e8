// scalars: a kernel's Globals as expressions, by the names they have in its method.
// Gives: ScalarNames. Needs: CLARIS, names.
#pragma once

#include <map>

#include "paraiso/codegen/claris/tree.hpp"
#include "paraiso/codegen/lower/names.hpp"
#include "paraiso/passes/analysis/step_chain.hpp"

namespace paraiso::codegen {

/// Declares Globals one by one, operands first, and gives the expression of each.
class ScalarNames {
 public:
  ScalarNames(const om::Machine& machine, const om::Graph& graph, Names& names)
      : machine_(machine), graph_(graph), chain_(graph), names_(names) {}

  /// The declaration of `value`; none if it is written in place (a constant, a size) or has a name
  /// already (stored by the step before).
  [[nodiscard]] std::optional<claris::Declare> declare(om::ValueId value);
  /// A new variable for a Reduce's result.
  [[nodiscard]] std::string declare_result(om::ValueId value);
  [[nodiscard]] claris::ExprPtr expression(om::ValueId value) const { return known_.at(value); }

 private:
  [[nodiscard]] std::string wanted_name(om::ValueId value) const;

  const om::Machine& machine_;
  const om::Graph& graph_;
  const passes::StepChain chain_;
  Names& names_;
  std::map<om::ValueId, claris::ExprPtr> known_;
};

}  // namespace paraiso::codegen
