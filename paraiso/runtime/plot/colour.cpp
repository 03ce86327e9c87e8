#include "paraiso/runtime/plot/colour.hpp"

#include <algorithm>
#include <cmath>

namespace paraiso::runtime {
namespace {

// Coefficients of t^0 ... t^6 for red, green, blue.
constexpr double kViridis[7][3] = {
    {0.2777273272234177, 0.005407344544966578, 0.3340998053353061},
    {0.1050930431085774, 1.404613529898575, 1.384590162594685},
    {-0.3308618287255563, 0.214847559468213, 0.09509516302823659},
    {-4.634230498983486, -5.799100973351585, -19.33244095627987},
    {6.228269936347081, 14.17993336680509, 56.69055260068105},
    {4.776384997670288, -13.74514537774601, -65.35303263337234},
    {-5.435455855934631, 4.645852612178535, 26.3124352495832},
};

}  // namespace

Colour viridis(double t) {
  t = std::clamp(t, 0.0, 1.0);
  std::uint8_t channel[3];
  for (int c = 0; c < 3; ++c) {
    double value = 0;
    for (int power = 6; power >= 0; --power) value = value * t + kViridis[power][c];
    channel[c] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
  }
  return {channel[0], channel[1], channel[2]};
}

}  // namespace paraiso::runtime
