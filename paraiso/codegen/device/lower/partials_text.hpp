// partials_text: what a solver's class says of the partial results that blocks leave
// (paraiso/support/device/partials.hpp). Gives: tiles_text, layout_of, make_partials.
// Needs: DeviceModule.
#pragma once

#include <string>

#include "paraiso/codegen/device/lower/device_module.hpp"

namespace paraiso::codegen {

/// Along each axis of a launch, the axis of the grid and the cells of a tile: `{0, 64}, {1, 4}`.
[[nodiscard]] std::string tiles_text(const claris::BlockShape& block);

/// Where they lie, in a grid of `size`.
[[nodiscard]] std::string layout_of(const DeviceModule& device, const PartialResults& partials);

/// In the constructor.
[[nodiscard]] std::string make_partials(const DeviceModule& device, const PartialResults& partials);

}  // namespace paraiso::codegen
