// What `emit` adds to a generated class to make a project of its own: build file, example, page.
// Gives: name_of_target, number_function, read_arguments, write_cmake, write_example, write_readme.
// Needs: module.
#pragma once

#include <optional>

#include "paraiso/codegen/cpp/plugin_writer.hpp"
#include "paraiso/codegen/lower/module.hpp"
#include "paraiso/plan/target.hpp"

namespace paraiso::codegen {

/// The library's in CMakeLists.txt: not one of CMake's own targets, with any generator, nor a word
/// of target_link_libraries, nor the example's file.
[[nodiscard]] std::string name_of_target(const std::string& class_name);
/// The function by which examples read a number from their arguments.
[[nodiscard]] std::string_view number_function();
/// What they begin with: `steps` and `size`, which is some MB unless arguments say otherwise.
[[nodiscard]] std::string read_arguments(int dimension);

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
