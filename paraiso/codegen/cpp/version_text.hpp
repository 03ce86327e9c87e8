// What a class has where one of its kernels has versions: thresholds, and the switch between the
// versions. Each text is empty for a module without versions.
// Gives: version_include, version_methods, version_members, version_definitions, version_switch,
// declare_tuning, tuning_parameter, take_tuning. Needs: module.
#pragma once

#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

[[nodiscard]] std::string version_include(const Module& module);
[[nodiscard]] std::string version_methods(const Module& module);
[[nodiscard]] std::string version_members(const Module& module);
/// `threads`: the number of threads, as an expression.
[[nodiscard]] std::string version_definitions(const Module& module, const std::string& threads);
/// At the beginning of a kernel.
[[nodiscard]] std::string version_switch(const Module& module, const KernelMethod& kernel);

/// The last parameter of constructors, as declared and as defined, and what becomes of it.
[[nodiscard]] std::string declare_tuning(const Module& module);
[[nodiscard]] std::string tuning_parameter(const Module& module);
[[nodiscard]] std::string take_tuning(const Module& module);

}  // namespace paraiso::codegen
