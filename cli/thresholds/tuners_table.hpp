// tuners_table: the tuners of thresholds on the times that `thresholds --json` printed.
// Gives: print_tuners. Needs: session, tune/versions.
#pragma once

#include <string>

namespace paraiso::cli {

/// A row for each tuner and seed, and a warning where the times are not monotone. Throws Error for
/// a file of another program, or that is none.
void print_tuners(const std::string& machine, const std::string& file, bool json);

}  // namespace paraiso::cli
