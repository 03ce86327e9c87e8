#include "paraiso/plan/device/cost/device_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "paraiso/plan/device/cost/block_work.hpp"
#include "paraiso/plan/device/cost/launches.hpp"
#include "paraiso/plan/device/cost/serial_cost.hpp"
#include "paraiso/plan/device/stored_ghosts.hpp"

namespace paraiso::plan {

using namespace om;

namespace {

// A multiprocessor's blocks fill each other's gaps; of one alone all threads begin and end
// together.
constexpr double kInStep = 0.2;
// A body that keeps nothing waits at each plane of a sweep for all that it reads. Measured on a
// card for hydro and acoustic in 3 dimensions: 1.3 to 1.65 times what the parts say.
constexpr double kMarched = 1.4;

// In the order of DeviceLimit.
constexpr const char* kLimitNames[] = {"memory",  "L2",   "instructions", "L1 and shared memory",
                                       "waiting", "tail", "launches",     "halos"};
static_assert(std::size(kLimitNames) <= kMostLimits);

double& part(PredictedTime& time, DeviceLimit limit) {
  return time.parts[static_cast<std::size_t>(limit)];
}

double all_cells(const std::vector<std::int64_t>& size) {
  double cells = 1;
  for (const std::int64_t n : size) cells *= static_cast<double>(n);
  return cells;
}

/// What the last wave of blocks takes longer than its share, where the launch has several: at least
/// as long as one block alone.
double tail_seconds(double longest, double waves, double alone) {
  const double rest = waves - std::floor(waves);
  if (waves <= 1 || rest == 0) return 0;
  return std::max(0.0, alone - rest * longest / waves);
}

/// What goes on at the same time hinders each other where each takes about as long: the norm of
/// third order, fitted to copies and stencils on a card.
double together(std::span<const double> parts) {
  double sum = 0;
  for (const double part : parts) sum += part * part * part;
  return std::cbrt(sum);
}

/// The parts are in seconds.
PredictedTime on_card(const BlockWork& work, const DeviceModel& device, double launch) {
  PredictedTime time{kLimitNames};
  time.block = {work.registers, work.shared_bytes, work.residents * work.threads / device.threads,
                work.spilled};
  if (work.residents < 1) {
    time.nanoseconds = std::numeric_limits<double>::infinity();
    return time;
  }
  const double of_unit = std::ceil(work.blocks / device.units);
  const double at_once = device.units * work.residents;
  const double waves = work.blocks / at_once;
  const double parts[] = {work.memory_bytes / device.memory_second_bytes,
                          work.blocks * work.l2_bytes / device.l2_second_bytes,
                          of_unit * work.issue_cycles / device.hertz,
                          of_unit * work.l1_bytes / device.l1_cycle_bytes / device.hertz,
                          std::ceil(waves) * work.seconds_alone * (1 + kInStep / work.residents)};
  std::ranges::copy(parts, time.parts.begin());
  const double longest = together(parts);
  part(time, DeviceLimit::tail) = tail_seconds(longest, waves, work.seconds_alone);
  part(time, DeviceLimit::launch) = launch;
  time.nanoseconds = longest + part(time, DeviceLimit::tail) + launch;
  return time;
}

class DeviceKernelPredictor {
 public:
  DeviceKernelPredictor(const KernelPlan& kernel, const Setting& setting)
      : kernel_(kernel),
        setting_(setting),
        device_(device_of(setting.machine)),
        cells_(all_cells(setting.size)),
        graph_(device_.graph_launch > 0 && becomes_graph(launches_of(kernel), cells_)),
        launch_(graph_ ? device_.graph_launch : device_.launch) {}

  Prediction run() {
    Prediction all;
    all.limits = kLimitNames;
    all.machine = device_.name;
    all.graph = graph_;
    for (const Group& group : kernel_.groups) {
      PredictedTime time = group_time(group);
      for (double& seconds : time.parts) seconds *= 1e9 / cells_;
      time.nanoseconds *= 1e9 / cells_;
      for (std::size_t limit = 0; limit < std::size(kLimitNames); ++limit)
        all.parts[limit] += time.parts[limit];
      all.nanoseconds += time.nanoseconds;
      all.groups.push_back(std::move(time));
    }
    part(all, DeviceLimit::halo) = 1e9 * halo_seconds() / cells_;
    all.nanoseconds += part(all, DeviceLimit::halo);
    return all;
  }

 private:
  PredictedTime group_time(const Group& group) const {
    PredictedTime time{kLimitNames};
    if (device_.serial) {
      const SerialTime serial = serial_time(kernel_, group, setting_, device_);
      part(time, DeviceLimit::memory) = serial.memory;
      part(time, DeviceLimit::issue) = serial.arithmetic;
      part(time, DeviceLimit::l1) = serial.kept;
      part(time, DeviceLimit::launch) = launch_;
      time.nanoseconds = std::max(serial.memory, serial.arithmetic + serial.kept) + launch_;
    } else {
      time = on_card(block_work(kernel_, group, setting_.size, device_), device_, launch_);
      if (group.form == Form::tiled && !group.sweep.empty())
        time.nanoseconds = launch_ + kMarched * (time.nanoseconds - launch_);
    }
    const double reduced = reduction_seconds(group);
    part(time, DeviceLimit::launch) += reduced;
    time.nanoseconds += reduced;
    return time;
  }

  [[nodiscard]] double memory_rate() const {
    return device_.serial ? setting_.machine.memory_all : device_.memory_second_bytes;
  }

  [[nodiscard]] double reduction_seconds(const Group& group) const {
    double seconds = 0;
    for (const Stage& stage : group.stages)
      for (const Reduction& reduction : stage.reductions) {
        const Element element = kernel_.kernel->graph.type(reduction.operand).element;
        if (reduction.array)
          seconds += cells_ * static_cast<double>(size_of(element)) / memory_rate();
        seconds += kernels_of(reduction, element, setting_.size) * launch_;
      }
    return seconds;
  }

  /// Of all fields and arrays whose ghost cells are filled, or stored with the cells that they
  /// repeat.
  [[nodiscard]] double halo_seconds() const {
    double seconds = fills_of(kernel_) * launch_;
    constexpr double kSector = 32;  // bytes of memory that a ghost cell, or its source, touches
    const auto add = [&](const Extent& width, double bytes) {
      if (width.is_core()) return;
      double with = 1;
      for (std::size_t a = 0; a < setting_.size.size(); ++a)
        with *= static_cast<double>(setting_.size[a]) + width.lower[a] + width.upper[a];
      seconds += (with - cells_) * bytes / memory_rate();
    };
    for (std::size_t s = 0; s < kernel_.filled.size(); ++s)
      if (fills_again(kernel_, s)) add(kernel_.filled[s], 2 * kSector);
    for (const Group& group : kernel_.groups)
      for (const Stage& stage : group.stages)
        for (const Output& output : stage.outputs)
          if (const Extent* width = ghosts_with(kernel_, output)) add(*width, kSector);
    for (const Fill& fill : kernel_.fills) add(fill.width, 2 * kSector);
    return seconds;
  }

  const KernelPlan& kernel_;
  const Setting& setting_;
  const DeviceModel& device_;
  double cells_;
  bool graph_;
  double launch_;  // of each kernel
};

}  // namespace

LimitNames device_limits() { return kLimitNames; }

Prediction predict_on_device(const Machine&, const KernelPlan& kernel, const Setting& setting) {
  return DeviceKernelPredictor(kernel, setting).run();
}

}  // namespace paraiso::plan
