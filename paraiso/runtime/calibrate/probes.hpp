// The source that measures a machine: compiled and loaded like generated code, it measures how fast
// that is here. Gives: probe_source, Probe. Needs: nothing.
//
// It exports one function, Probe, which takes the name of a measurement, the bytes that each thread
// goes over (where that matters) and the number of threads. All threads work at the same time, and
// the result is the least time of many short runs: other users of the machine only make it longer.
#pragma once

#include <string_view>

namespace paraiso::runtime {

/// A rate per second and thread: other programs make it lower. Negative for an unknown name.
using Probe = double (*)(const char* name, double bytes, int threads);

/// To be placed after the support header.
[[nodiscard]] std::string_view probe_source();

}  // namespace paraiso::runtime
