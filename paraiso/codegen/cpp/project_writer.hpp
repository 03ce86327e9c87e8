// What `emit` adds to a generated class to make a project of its own: build file, example, page.
// Gives: write_cmake, write_example, write_readme. Needs: module.
#pragma once

#include <optional>

#include "paraiso/codegen/cpp/plugin_writer.hpp"
#include "paraiso/codegen/lower/module.hpp"
#include "paraiso/plan/target.hpp"

namespace paraiso::codegen {

/// Builds for `target` by default; without one, for the machine that builds it.
[[nodiscard]] std::string write_cmake(const std::string& class_name,
                                      const std::optional<plan::Target>& target,
                                      RunsOn runs_on = RunsOn::threads);
/// A main that starts the first problem, takes some steps and prints what became of the state.
[[nodiscard]] std::string write_example(const om::Machine& machine, const Module& module,
                                        RunsOn runs_on = RunsOn::threads);
[[nodiscard]] std::string write_readme(const om::Machine& machine, const Module& module,
                                       const std::optional<plan::Target>& target,
                                       RunsOn runs_on = RunsOn::threads);

}  // namespace paraiso::codegen
