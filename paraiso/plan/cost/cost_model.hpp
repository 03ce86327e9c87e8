// cost_model: how long a kernel takes for a grid of a given size, and what bounds it.
// Gives: Setting, large_grid, usual_grids, LimitNames, BlockUse, PredictedTime, Prediction, Limit,
// predict, predict_alone. Needs: plan, machine_model, loop_cost, traffic.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// What a plan runs on.
struct Setting {
  std::vector<std::int64_t> size;  // of the grid
  MachineModel machine = documented_machine();
  double sharing = 1;  // such grids in its last cache: of ranks on one host
};
/// A grid of 2^24 cells, equally long along each axis: assumed where no size is given.
[[nodiscard]] Setting large_grid(int dimension);
/// Grids of about 2^27, 2^24 and 2^18 cells: what plans are made for where no size is given.
[[nodiscard]] std::vector<Setting> usual_grids(int dimension);

/// The names of what may take the time: each kind of machine has its own limits.
using LimitNames = std::span<const char* const>;
inline constexpr std::size_t kMostLimits = 10;

/// What a block of threads takes of a device.
struct BlockUse {
  double registers = 0;  // of a thread: an estimate
  double shared_bytes = 0;
  double occupancy = 0;  // threads that run at a time, as a part of those that could
  double spilled = 0;    // registers that it lacks
};

/// Nanoseconds per core cell, all threads together.
struct PredictedTime {
  LimitNames limits = {};
  std::array<double, kMostLimits> parts = {};  // each limit on its own, as in `limits`
  double nanoseconds = 0;                      // less than their sum: limits overlap in time
  std::optional<BlockUse> block = {};          // of a group on a device

  /// The name of the limit that takes longest.
  [[nodiscard]] std::string_view bound() const;
};

/// `parts` are of all groups, and of halos.
struct Prediction : PredictedTime {
  std::string machine;                // that it is for
  std::vector<PredictedTime> groups;  // as KernelPlan::groups
  bool graph = false;  // a device is told of many calls at once (support/device/graphs.hpp)
};

/// The limits of a processor. `l1`: loads and stores of the core; `l3`: what is found there;
/// `rows`: starting loops over rows; `halo`: filling halos; `threads`: starting and joining them.
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

/// Of one call of a kernel of `machine`.
[[nodiscard]] Prediction predict(const om::Machine& machine, const KernelPlan& kernel,
                                 const Setting& setting);

/// The same by one thread of the documented machine, and for a grid that lies in its caches: by
/// that the generated code decides how many threads a group is worth. What takes less than
/// support::least_shared nanoseconds one thread makes alone.
[[nodiscard]] Prediction predict_alone(const om::Machine& machine, const KernelPlan& kernel);

}  // namespace paraiso::plan
