// several_cells: how many cells a thread makes one after the other, where nothing is kept.
// Gives: kLaunchAxes, axis_of_cells, TermCounts, count_terms, registers_of_cells,
// cells_of_thread. Needs: plan, body_bound.
//
// Compilers bring the loads of all cells to the front, so that a thread waits for memory once; what
// is loaded lies in registers. So only light bodies have several cells, and those that change
// arrays in place have one. Where each of these cells is a vector (vector_rows.hpp), enough is loaded
// at once, and they follow each other plainly.
#pragma once

#include <set>

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Along so many axes a launch has threads; along further ones each makes all cells.
inline constexpr int kLaunchAxes = 3;
/// The one along which a thread has several cells: the last; -1 in one dimension.
[[nodiscard]] constexpr int axis_of_cells(int dimension) {
  return dimension == 1 ? -1 : (dimension < kLaunchAxes ? dimension : kLaunchAxes) - 1;
}

/// What the loops of a group read and call.
struct TermCounts {
  double loads = 0;                       // of arrays
  int elementary = 0;                     // calls of elementary functions
  std::set<om::ValueId> arrays, scalars;  // that are read
};

[[nodiscard]] TermCounts count_terms(const om::Graph& graph, const Group& group);

/// What a thread with so many cells takes besides one with one, of 4 bytes: an estimate.
[[nodiscard]] double registers_of_cells(const TermCounts& counts, int dimension, int cells);

/// As many as are wanted, or fewer where these would take too many registers.
[[nodiscard]] int cells_of_thread(const om::Graph& graph, const Group& group, int wanted);

}  // namespace paraiso::plan
