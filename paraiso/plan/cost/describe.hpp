// describe: a plan in words, for `show --plan`. Gives: Predictor, LoopWords,
// describe. Needs: plan, cost_model.
#pragma once

#include "paraiso/plan/cost/cost_model.hpp"

namespace paraiso::plan {

/// How a kind of machine predicts times.
using Predictor = Prediction (*)(const om::Machine&, const KernelPlan&, const Setting&);

/// How it runs a group, in the words that follow the group's box.
using LoopWords = std::string (*)(const Group&);

/// Groups, loops and where their results go, with the predicted time of each on `setting`.
[[nodiscard]] std::string describe(const Plan& plan, const Setting& setting, Predictor predict,
                                   LoopWords loops);

}  // namespace paraiso::plan
