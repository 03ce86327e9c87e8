// describe: a plan in words, for `show --plan`. Gives: describe. Needs: plan, cost_model.
#pragma once

#include "paraiso/plan/cost/cost_model.hpp"

namespace paraiso::plan {

/// Groups, loops and where their results go, with the predicted time of each on `setting`.
[[nodiscard]] std::string describe(const Plan& plan, const Setting& setting);

}  // namespace paraiso::plan
