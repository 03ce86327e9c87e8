// Several steps in one pass over two arrays: trapezoids split along y, swept along z.
// Gives: SplitGrid, split_steps. Needs: OpenMP.
//
// Tiles of rows shrink by the stencil's radius on both sides at each step, then others grow into
// the gaps between them; a sweep takes each step one radius of planes behind the step before it.
// Both axes are cyclic: what the sweeps leave out around plane 0 is done at the end. Step t reads
// the values of step t - 1 around a cell, and may overwrite that cell's value of step t - 2: all
// that read it come before, in every order that respects what a step reads.
#pragma once

#include <algorithm>
#include <cstdint>

namespace reference {

struct SplitGrid {
  std::int64_t height, depth, radius;
  std::int64_t rows;  // of a tile, at least
};

/// n steps of the rows of a tile: `first(t)` to before `last(t)` at step t.
template <class First, class Last, class Advance>
void sweep_steps(const SplitGrid& grid, std::int64_t n, const First& first, const Last& last,
                 const Advance& advance) {
  const std::int64_t radius = grid.radius;
  for (std::int64_t front = radius; front < grid.depth + n * radius; ++front) {
    const std::int64_t unread = std::min(front + radius + 1, grid.depth - 1);
    for (std::int64_t t = 1; t <= n; ++t) {
      const std::int64_t z = front - (t - 1) * radius;
      if (z < t * radius || z >= grid.depth - t * radius) continue;
      for (std::int64_t y = first(t); y < last(t); ++y)
        advance(t, y, z, (y + t) % n == 0 ? unread : -1);
    }
  }
}

/// Calls `advance(t, y, z, soon)` for each row y of each plane z and each step t of n; y and z are
/// outside of the grid by less than its size where they mean the other side. `soon` is a plane
/// whose row y will be read soon, or -1: time to fetch it.
template <class Advance>
void split_steps(const SplitGrid& grid, std::int64_t n, const Advance& advance) {
  const std::int64_t radius = grid.radius, least = std::max(grid.rows, 2 * n * radius);
  const std::int64_t tiles = std::max<std::int64_t>(1, grid.height / least);
  const auto first_row = [&](std::int64_t tile) { return grid.height * tile / tiles; };
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (std::int64_t tile = 0; tile < tiles; ++tile)
      sweep_steps(
          grid, n, [&](std::int64_t t) { return first_row(tile) + t * radius; },
          [&](std::int64_t t) { return first_row(tile + 1) - t * radius; }, advance);
#pragma omp for schedule(dynamic)
    for (std::int64_t tile = 0; tile < tiles; ++tile)
      sweep_steps(
          grid, n, [&](std::int64_t t) { return first_row(tile) - t * radius; },
          [&](std::int64_t t) { return first_row(tile) + t * radius; }, advance);
    for (std::int64_t t = 1; t <= n; ++t)
#pragma omp for schedule(static)
      for (std::int64_t y = 0; y < grid.height; ++y)
        for (std::int64_t z = -t * radius; z < t * radius; ++z) advance(t, y, z, -1);
  }
}

}  // namespace reference
