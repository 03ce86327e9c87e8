// The source that measures a machine: compiled and loaded as generated code is, it says how fast
// that is here. Gives: probe_source, Probe. Needs: nothing.
//
// It exports one function, Probe: by the name of what to measure, how many bytes each thread goes
// over (where that matters) and the number of threads. All threads work at the same time, and what
// counts is the least time of many short runs: others who use the machine only make it longer.
#pragma once

#include <string_view>

namespace paraiso::runtime {

/// A rate a second and thread, or seconds; negative for a name that there is not.
using Probe = double (*)(const char* name, double bytes, int threads);

/// Goes behind the support header.
[[nodiscard]] std::string_view probe_source();

}  // namespace paraiso::runtime
