// Grids whose rows and planes end anywhere in what devices cut them into. Gives: Shapes,
// edge_shapes, random_shapes, told_seed. Needs: rng, setting.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "paraiso/base/rng.hpp"
#include "tests/support/setting.hpp"

namespace paraiso {

using Shapes = std::vector<std::vector<std::int64_t>>;

/// One cell along some axes, primes, and a cell less and more than blocks (32, 64, 128, 256 or 512
/// threads along x, 2 to 16 along y) and chunks of the reduction tree (256 cells of a row).
inline Shapes edge_shapes(int dimension) {
  switch (dimension) {
    case 1: return {{1}, {2}, {31}, {33}, {65}, {127}, {255}, {256}, {257}, {511}, {513}, {4099}};
    case 2:
      return {{1, 1},   {1, 257},   {257, 1},  {2, 3},    {33, 9},  {65, 5}, {63, 17},
              {129, 3}, {255, 257}, {257, 31}, {512, 15}, {513, 2}, {769, 7}};
    default:
      return {{1, 1, 1},   {1, 1, 257},  {1, 257, 2}, {257, 1, 3}, {2, 3, 5},  {33, 9, 4},
              {65, 5, 17}, {31, 17, 65}, {255, 3, 7}, {257, 9, 2}, {513, 3, 3}};
  }
}

/// Of the random choices of a test; printed, so that they can be had again: $PARAISO_SEED, or 1.
inline std::uint64_t told_seed() {
  const auto seed = static_cast<std::uint64_t>(test::setting("PARAISO_SEED", 1));
  fmt::print("PARAISO_SEED={}\n", seed);
  return seed;
}

/// Each axis has one cell, or any number as often as twice as many, as far as `most` cells allow.
inline Shapes random_shapes(int dimension, Rng& rng, int count, std::int64_t most) {
  Shapes shapes;
  while (static_cast<int>(shapes.size()) < count) {
    std::vector<std::int64_t> shape(static_cast<std::size_t>(dimension), 1);
    std::int64_t left = most;
    for (std::int64_t& cells : shape) {
      if (rng.chance(0.9))
        cells = std::lround(std::exp(rng.unit() * std::log(static_cast<double>(left))));
      left /= cells;
    }
    std::swap(shape[0], shape[rng.below(shape.size())]);
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

}  // namespace paraiso
