// What `emit` adds to a generated class to make a project of its own: build file, example, page.
// Gives: write_cmake, write_example, write_readme. Needs: ClassWriter.
#pragma once

#include "paraiso/codegen/class_writer.hpp"

namespace paraiso::codegen {

[[nodiscard]] std::string write_cmake(const std::string& class_name);
/// A main that starts the first problem, takes some steps and prints what became of the state.
[[nodiscard]] std::string write_example(const plan::Plan& plan, const ClassWriter& writer);
[[nodiscard]] std::string write_readme(const plan::Plan& plan, const ClassWriter& writer);

}  // namespace paraiso::codegen
