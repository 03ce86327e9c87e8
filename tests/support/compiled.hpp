// Plans as the default back end compiles them in one run. Gives: compile_together. Needs: backend.
#pragma once

#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso::runtime {

inline std::vector<Library> compile_together(std::span<const plan::Plan> plans,
                                             const CompileOptions& options = {}) {
  return default_backend().compile(plans, options);
}

}  // namespace paraiso::runtime
