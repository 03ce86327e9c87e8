// What a class has where one of its kernels has versions: thresholds, and the switch between the
// versions. Each text is empty for a module without versions.
// Gives: kBaseVersion, has_versions, version_include, version_methods, version_members,
// version_definitions, version_switch, declare_tuning, tuning_parameter, take_tuning.
// Needs: module.
#pragma once

#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

/// The method of what runs if no guard holds. Not the kernel's own, so that this does nothing but
/// choose: what a long function does first and last costs more than the choice.
inline constexpr const char* kBaseVersion = "base_version";
[[nodiscard]] bool has_versions(const Module& module, const KernelMethod& kernel);

[[nodiscard]] std::string version_include(const Module& module);
[[nodiscard]] std::string version_methods(const Module& module);
[[nodiscard]] std::string version_members(const Module& module);
/// `threads`: the number of threads, as an expression.
[[nodiscard]] std::string version_definitions(const Module& module, const std::string& threads);
/// The kernel that has versions, which runs one of them.
[[nodiscard]] std::string version_switch(const Module& module, const KernelMethod& kernel);

/// The last parameter of constructors, as declared and as defined, and what becomes of it.
[[nodiscard]] std::string declare_tuning(const Module& module);
[[nodiscard]] std::string tuning_parameter(const Module& module);
[[nodiscard]] std::string take_tuning(const Module& module);

}  // namespace paraiso::codegen
