// describe: a plan in words, for `show --plan`. Gives: describe. Needs: plan, cost_model.
#pragma once

#include "paraiso/plan/cost/cost_model.hpp"

namespace paraiso::plan {

/// Groups, loops and what they leave where; and how long each should take on `setting`.
[[nodiscard]] std::string describe(const Plan& plan, const Setting& setting);

}  // namespace paraiso::plan
