#include "numerics/interpolation.hpp"

#include <gtest/gtest.h>

#include "random_state.hpp"

namespace paraiso::numerics {
namespace {

TEST(Interpolation, OfLinearDataIsExact) {
  const Vec<double, 2> below{1.0, 8.0}, cell{2.0, 4.0}, above{3.0, 0.0};
  const auto faces = linear_faces(below, cell, above, minmod);
  EXPECT_EQ(faces.lower[Axis<2>(0)], 1.5);
  EXPECT_EQ(faces.upper[Axis<2>(0)], 2.5);
  EXPECT_EQ(faces.lower[Axis<2>(1)], 6.0);
  EXPECT_EQ(faces.upper[Axis<2>(1)], 2.0);
}

TEST(Interpolation, IsFlatAtAnExtremum) {
  const auto faces = linear_faces(1.0, 5.0, 3.0, minmod);
  EXPECT_EQ(faces.lower, 5.0);
  EXPECT_EQ(faces.upper, 5.0);
}

TEST(Interpolation, StaysBetweenTheNeighboursAndMirrorsBitForBit) {
  Rng rng(7);
  for (int i = 0; i < 5000; ++i) {
    const auto below = random_state<double, 2>(rng), cell = random_state<double, 2>(rng),
               above = random_state<double, 2>(rng);
    const auto faces = linear_faces(below, cell, above, minmod);
    const auto image = linear_faces(above, cell, below, minmod);
    for_each([](double a, double b) { EXPECT_EQ(a, b); }, faces.lower, image.upper);
    for_each([](double a, double b) { EXPECT_EQ(a, b); }, faces.upper, image.lower);
    for_each(
        [](double lower, double b, double c) {
          EXPECT_GE(lower, std::min(b, c));
          EXPECT_LE(lower, std::max(b, c));
        },
        faces.lower, below, cell);
  }
}

}  // namespace
}  // namespace paraiso::numerics
