// The thresholds of a class: of its loops, where they are threads', and of the versions of a
// kernel, between which it has a switch. Each text is empty for a module without thresholds. Gives:
// kBaseVersion, has_thresholds, has_versions, is_of_version, version_methods, version_members,
// version_definitions, version_switch, declare_tuning, tuning_parameter, take_tuning,
// set_least_shared. Needs: module.
#pragma once

#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

/// The method of what runs if no guard holds. Not the kernel's own, so that this does nothing but
/// choose: what a long function does first and last costs more than the choice.
inline constexpr const char* kBaseVersion = "base_version";
[[nodiscard]] bool has_thresholds(const Module& module);
[[nodiscard]] bool has_versions(const Module& module, const KernelMethod& kernel);
/// Whether a function is called by one of several versions.
[[nodiscard]] bool is_of_version(const Module& module, const std::string& function);

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
/// What `set_threads` does with its second parameter.
[[nodiscard]] std::string set_least_shared(const Module& module);

}  // namespace paraiso::codegen
