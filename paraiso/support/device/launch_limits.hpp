// How many blocks a launch may have: CUDA's limits, which hold for all devices here.
// Gives: most_blocks, most_blocks_beside in paraiso_support. Needs: nothing.
#pragma once

#include <cstdint>

namespace paraiso_support {

/// Along the first axis of a launch, and along its second and third.
inline constexpr std::int64_t most_blocks = 2147483647, most_blocks_beside = 65535;

}  // namespace paraiso_support
