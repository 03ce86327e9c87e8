// The database with the results of tuning that a call reads, and what it foretells.
// Gives: kWaitForTuner, database_path, prediction_from. Needs: session, tune/predict.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>

#include "paraiso/tune/predict/near/predict_schedule.hpp"

namespace paraiso::cli {

/// What only reads the database waits no longer than this for a tuner that is writing.
inline constexpr auto kWaitForTuner = std::chrono::seconds(2);

/// `--database FILE`; else $PARAISO_DATABASE; else `paraiso/tuning.sqlite` in $XDG_DATA_HOME or
/// ~/.local/share. Throws WrongCall if there is none of these.
[[nodiscard]] std::filesystem::path database_path(const std::string& asked);

/// What the database says of the program, which is asked for only if anything is known; a file that
/// does not exist knows nothing, and one that can't be read is a reason against predicting.
[[nodiscard]] tune::Predicted prediction_from(const std::filesystem::path& database,
                                              const std::function<tune::Untuned()>& program);

}  // namespace paraiso::cli
