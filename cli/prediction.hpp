// prediction: a schedule out of what was learnt by tuning other programs, for the command line.
// Gives: untuned_of, prediction_from. Needs: execution, tune/predict.
#pragma once

#include <filesystem>
#include <functional>

#include "cli/execution.hpp"
#include "paraiso/tune/predict/near/predict_schedule.hpp"

namespace paraiso::cli {

/// The program of `prepared`, whose names are read, with its features. The arguments outlive it.
[[nodiscard]] tune::Untuned untuned_of(const Prepared& prepared, const Building& building);

/// What the database says of the program, which is asked for only if anything is known; a file that
/// does not exist knows nothing, and one that can't be read is a reason against predicting.
[[nodiscard]] tune::Predicted prediction_from(const std::filesystem::path& database,
                                              const std::function<tune::Untuned()>& program);

}  // namespace paraiso::cli
