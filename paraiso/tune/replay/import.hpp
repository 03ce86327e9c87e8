// import: search spaces that others have measured, as recordings.
// Gives: import_kernel_tuner. Needs: recording, inflate.
//
// Kernel Tuner writes what it has measured as one JSON object, in either of two formats: its cache
// ("tune_params", "cache": one object a configuration, all times in milliseconds), and T4
// ("results": one object a configuration, with "configuration", "times" and "measurements").
// A score is the inverse of the time, in runs a second.
#pragma once

#include "paraiso/tune/replay/recording.hpp"

namespace paraiso::tune {

/// The content of such a file, compressed by gzip or not, as a trajectory: whether a search chose
/// the configurations, it does not tell. Throws Error that names the file.
[[nodiscard]] Recording import_kernel_tuner(std::string data, const std::string& file);

}  // namespace paraiso::tune
