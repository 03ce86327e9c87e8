// lower_sweep: a group whose blocks keep values, as a kernel of a device. Gives:
// lower_device_sweep. Needs: lower; plan's on_chip.
//
// Each thread has one column of the block's tile, or of the rim around it, and follows the sweep
// along it. Every loop of the group is one guarded piece of the sweep's body.
#pragma once

#include "paraiso/codegen/lower/lower.hpp"

namespace paraiso::codegen {

/// Of a group that plan::place_kept has found to be on the chip.
[[nodiscard]] LoweredGroup lower_device_sweep(const plan::Plan& plan,
                                              const plan::KernelPlan& kernel,
                                              const plan::Group& group, const GroupNames& names);

}  // namespace paraiso::codegen
