// changing_scalars: whether what a step's kernels are given of scalars differs from step to step.
// Then no step launches the same as the one before, and the host can't tell a device of many at
// once, as a graph. Gives: gives_changing_scalars. Needs: module.
//
//   time = time + dt;  f(u, u_next, sin(time))    changes
//   f(u, u_next, limit - time < dt ? limit - time : dt)    mostly does not: dt is one of the two
#pragma once

#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

/// Of a module whose scalars the host computes. A value changes that depends on a static which a
/// step stores anew from itself; one that is chosen among two changes where both do.
[[nodiscard]] bool gives_changing_scalars(const Module& module, const KernelMethod& step);

}  // namespace paraiso::codegen
