// What kernels of `channel` store from sums over a grid that processes share: known after the kernel.
#pragma once

#include <functional>
#include <vector>

#include "channel.hpp"

namespace paraiso_solver {

// Of each kernel, before it runs: what computes its scalars later, from the addresses of the sums.
std::function<void(const std::vector<const void*>&)> channel_late_measure(
    [[maybe_unused]] channel& solver, [[maybe_unused]] paraiso_support::Place place);

}  // namespace paraiso_solver
