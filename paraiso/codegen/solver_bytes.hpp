// solver_bytes: what an instance of a generated solver will allocate, before it is generated.
// Gives: solver_bytes. Needs: plan, and the support header's own arithmetic.
#pragma once

#include <vector>

#include "paraiso/plan/plan.hpp"

namespace paraiso::codegen {

/// What `bytes(size)` of the class generated from `plan` gives: all arrays of its grid, statics and
/// spare ones, with their margins. As a double: no size makes it overflow.
[[nodiscard]] double solver_bytes(const plan::Plan& plan, const std::vector<std::int64_t>& size);

}  // namespace paraiso::codegen
