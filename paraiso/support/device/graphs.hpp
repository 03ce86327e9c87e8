// When a device is told of a step's kernels one by one, and when of many calls at once, as a graph:
// what generated solvers and the cost model decide alike.
// Gives: calls_of_graph, launch_nanoseconds, graph_launch_nanoseconds, launches_dominate in
// paraiso_support. Needs: nothing.
#pragma once

namespace paraiso_support {

/// Calls of a kernel in a graph: of so many, arrays that swap are where they were before.
inline constexpr int calls_of_graph = 12;

/// From one kernel to the next, told one by one and within a graph: as measured with small kernels
/// on a card of 2022.
inline constexpr double launch_nanoseconds = 3000, graph_launch_nanoseconds = 1500;

/// Whether so many kernels, which take that long at best, are worth a graph: where they take much
/// longer than their launches, the host is ahead of the device anyway.
constexpr bool launches_dominate(double nanoseconds, double launches) {
  return nanoseconds < 2 * launches * launch_nanoseconds;
}

}  // namespace paraiso_support
