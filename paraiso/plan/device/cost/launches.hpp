// launches: how many kernels a call of a kernel launches, and whether many of its calls become a
// graph. Gives: kernels_of, fills_of, Launches, launches_of, becomes_graph. Needs: plan,
// device_model; graphs.
//
// Known before anything is measured, and for any grid: generated solvers and the cost model decide
// by the same numbers, those of the documented device.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// One reads the operand, where it lies in an array; one at least combines what is left, and
/// another one computes scalars.
[[nodiscard]] constexpr double kernels_of(const Reduction& reduction) {
  return reduction.array ? 3 : 2;
}

/// The same for operands of that element in a grid of that size: what has an order is combined by a
/// launch for each factor of 256.
[[nodiscard]] double kernels_of(const Reduction& reduction, om::Element element,
                                const std::vector<std::int64_t>& size);

/// So many fill ghost cells: one those of all fields, before the kernel's groups, and one those of
/// all arrays between two groups.
[[nodiscard]] double fills_of(const KernelPlan& kernel);

struct Launches {
  double count = 0;             // kernels of a call
  double cell_nanoseconds = 0;  // that these take at best, for one cell
};

/// No graph has an initial kernel, which runs once: its count is 0.
[[nodiscard]] Launches launches_of(const KernelPlan& kernel);

[[nodiscard]] bool becomes_graph(const Launches& launches, double cells);

}  // namespace paraiso::plan
