// foreign_plan: a plan given to a generator that lowers only those for other machines.
// Gives: foreign_plan. Needs: Error.
#pragma once

#include <string>

#include "paraiso/base/error.hpp"

namespace paraiso::codegen {

/// The refusal: of what the plan was made for ("a device"), and who needs another ("processors
/// need").
[[nodiscard]] inline Error foreign_plan(const std::string& made_for, const std::string& who_needs) {
  return Error("this plan was made for " + made_for + ", and " + who_needs + " another one")
      .with_hint("the function `make_plan` of a back end makes those that it compiles");
}

}  // namespace paraiso::codegen
