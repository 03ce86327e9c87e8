// cost_model: how long a kernel takes for a grid of a given size, and what bounds it.
// Gives: Setting, large_grid, usual_grids, Limit, GroupPrediction, Prediction, predict,
// predict_alone. Needs: plan, machine_model, loop_cost, traffic.
#pragma once

#include <array>

#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// On what a plan is to run.
struct Setting {
  std::vector<std::int64_t> size;  // of the grid
  MachineModel machine = documented_machine();
};
/// A grid of 2^24 cells, as long along each axis: where nothing is said about the size.
[[nodiscard]] Setting large_grid(int dimension);
/// The same, and about 2^27 and 2^18 cells: what plans are made for where nothing is said.
[[nodiscard]] std::vector<Setting> usual_grids(int dimension);

/// What takes the time. `l1` is the core's own loads and stores; `rows` is starting loops; `halo`
/// is filling halos; `threads` is starting and joining them.
enum class Limit : std::uint8_t {
  arithmetic,
  divider,
  waiting,
  l1,
  l2,
  l3,
  memory,
  rows,
  halo,
  threads
};
inline constexpr int kLimits = static_cast<int>(Limit::threads) + 1;
[[nodiscard]] const char* name(Limit limit);

/// Nanoseconds of all threads together for one cell of the core.
struct GroupPrediction {
  std::array<double, kLimits> parts = {};  // each limit by itself
  double nanoseconds = 0;                  // less than their sum: most of one hides behind another
  [[nodiscard]] Limit bound() const;
};

struct Prediction {
  std::vector<GroupPrediction> groups;     // as KernelPlan::groups
  std::array<double, kLimits> parts = {};  // of all groups, and of halos
  double nanoseconds = 0;
  [[nodiscard]] Limit bound() const;
};

/// Of one call of a kernel of `machine`.
[[nodiscard]] Prediction predict(const om::Machine& machine, const KernelPlan& kernel,
                                 const Setting& setting);

/// The same by one thread of the documented machine, and for a grid that lies in its caches: by
/// that the generated code decides how many threads a group is worth. What takes less than
/// support::least_shared nanoseconds one thread makes alone.
[[nodiscard]] Prediction predict_alone(const om::Machine& machine, const KernelPlan& kernel);

}  // namespace paraiso::plan
