// plugin_writer: the entry points of plugin.hpp, for a module's class.
// Gives: RunsOn, print_plugin. Needs: module.
#pragma once

#include <set>

#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

/// What runs its kernels: threads of the host, or a device, which $PARAISO_DEVICE names, by its
/// language.
enum class RunsOn : std::uint8_t { threads, opencl, cuda, hip };

/// `counted`: the kernels several calls of which need no host, by their numbers.
[[nodiscard]] std::string print_plugin(const Module& module, RunsOn runs_on = RunsOn::threads,
                                       const std::set<std::size_t>& counted = {});

}  // namespace paraiso::codegen
