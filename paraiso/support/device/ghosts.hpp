// The ghost cells of a grid on a device, as kernels that fill them are told.
// Gives: kGhostsOfThread, DeviceGhosts in paraiso_support. Needs: grid.hpp.
#pragma once

#include <cstdint>

#include "paraiso/support/grid.hpp"

namespace paraiso_support {

/// Neighbours along x that a thread fills: what is the same for all is found once.
inline constexpr int kGhostsOfThread = 4;

/// So many on each side, and how many groups of such neighbours in all, as the kernels' text counts
/// them: those beyond axis 0 alone, then those beyond axis 1, ...
template <int D>
struct DeviceGhosts {
  std::int64_t lower[D], upper[D], count = 0;

  DeviceGhosts(const Grid<D>& grid, const std::int64_t (&below)[D],
               const std::int64_t (&above)[D]) {
    for (int a = 0; a < D; ++a) {
      lower[a] = below[a];
      upper[a] = above[a];
    }
    for (int beyond = 0; beyond < D; ++beyond) {
      std::int64_t groups = 1;
      for (int a = 0; a < D; ++a) {
        std::int64_t cells = a > beyond ? 0 : below[a] + above[a];
        if (a != beyond) cells += grid.size[a];
        groups *= a > 0 ? cells : (cells + kGhostsOfThread - 1) / kGhostsOfThread;
      }
      count += groups;
    }
  }
};

}  // namespace paraiso_support
