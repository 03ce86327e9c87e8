// The back end for C++ and OpenMP: a plan in, the text of a standalone library out.
// Gives: generate_openmp. Needs: generate; inside make_module, lower_group, the printers.
#pragma once

#include "paraiso/codegen/generate.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::codegen {

/// NAME.hpp, NAME.cpp, paraiso_support.hpp, paraiso_support.cpp, and what the options ask for.
/// Nothing that is generated includes Paraiso.
[[nodiscard]] std::vector<SourceFile> generate_openmp(const plan::Plan& plan,
                                                      const GenerateOptions& options = {});

}  // namespace paraiso::codegen
