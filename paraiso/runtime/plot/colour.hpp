// colour: the colour map of pictures.
// Gives: Colour, viridis. Needs: nothing.
#pragma once

#include <cstdint>

namespace paraiso::runtime {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

/// The colour of `t` in [0, 1] (clamped): perceptually uniform, readable without colour vision.
/// N. Smith and S. van der Walt's `viridis` (2015, CC0), as the sixth-order fit by M. Zucker (CC0).
[[nodiscard]] Colour viridis(double t);

}  // namespace paraiso::runtime
