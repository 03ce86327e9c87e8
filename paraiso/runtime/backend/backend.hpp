// Backend: all that differs between kinds of machine that programs are compiled for, as one row.
// Gives: Backend, backends, backend_names, find_backend, default_backend. Needs: plan, codegen,
// build.
//
// To add one: its folders (what it adds to plans, its lowering and printer, its toolchain) and its
// row in backend.cpp. Callers ask the row; none but the table knows one by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraiso/codegen/generate.hpp"
#include "paraiso/plan/cost/cost_model.hpp"
#include "paraiso/plan/schedule/kernel_options.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/build/toolchain.hpp"

namespace paraiso::runtime {

struct Backend {
  const char* name;  // as `--backend` takes it
  const char* code;  // what it generates, in words

  // The genes of a kernel as a whole, besides those of its values, and the nearest legal schedule.
  std::vector<plan::OptionGene> (*kernel_options)(int dimension);
  plan::Schedule (*repair)(const om::Machine&, const plan::Schedule&);
  // What runs untuned, what a schedule means, and how long a kernel takes then.
  plan::Schedule (*default_schedule)(const om::Machine&, const plan::Setting&);
  plan::Schedule (*usual_schedule)(const om::Machine&);  // for the usual grids
  plan::Plan (*make_plan)(const om::Machine&, const plan::Schedule&);
  plan::Prediction (*predict)(const om::Machine&, const plan::KernelPlan&, const plan::Setting&);

  // Lowers a plan and prints what comes of it.
  std::vector<codegen::SourceFile> (*generate)(const plan::Plan&, const codegen::GenerateOptions&);

  // The compilers that it can use, found or not; and what they make of plans.
  std::vector<ToolchainReport> (*toolchains)();
  std::vector<Library> (*compile)(std::span<const plan::Plan>, const CompileOptions&);
  // What its programs can run on, by name.
  std::vector<std::string> (*devices)();
};

[[nodiscard]] std::span<const Backend> backends();

[[nodiscard]] std::vector<std::string> backend_names();

/// nullptr where there is none of that name.
[[nodiscard]] const Backend* find_backend(std::string_view name);

/// What is taken unless another one is asked for.
[[nodiscard]] const Backend& default_backend();

}  // namespace paraiso::runtime
