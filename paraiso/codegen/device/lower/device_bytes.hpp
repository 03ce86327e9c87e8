// device_bytes: what an instance of a generated solver allocates on a device, before it is
// generated. Gives: device_bytes. Needs: DeviceModule, solver_bytes, and the support header's own
// arithmetic.
#pragma once

#include "paraiso/codegen/solver_bytes.hpp"

namespace paraiso::codegen {

/// The result of `bytes(size)` in the class generated from `plan`, by size: all arrays of its grid,
/// partial results of its reductions, and its scalars. `has_graphs`: as make_device_module has it.
[[nodiscard]] BytesOfSize device_bytes(const plan::Plan& plan, bool has_graphs);

}  // namespace paraiso::codegen
