// DeviceModule: a module for a device: what its kernels are, and which of them fills or reduces
// what. Gives: DeviceModule, make_device_module. Needs: module, lower_fill, reduction_text.
#pragma once

#include <map>
#include <optional>
#include <tuple>

#include "paraiso/codegen/device/lower/lower_fill.hpp"
#include "paraiso/codegen/device/lower/scalars_on_device.hpp"
#include "paraiso/codegen/device/reduction_text.hpp"
#include "paraiso/codegen/lower/module.hpp"
#include "paraiso/plan/device/cost/launches.hpp"

namespace paraiso::codegen {

struct DeviceModule {
  Module module;
  std::vector<claris::Function> functions;  // of boundary kernels first, then all kernels
  std::set<DeviceReduction> reductions;
  // Those that fill ghost cells: by the static whose rules they follow, the axes, and the fields of
  // the scalars that they read.
  using Rules = std::tuple<om::StaticId, std::vector<int>, std::vector<std::string>>;
  // Of those that are filled together, and which of these have the same widths.
  using AllRules = std::pair<std::vector<Rules>, std::vector<std::size_t>>;
  std::map<AllRules, std::string> fills;
  DeviceScalars scalars;                 // none: the host computes them
  std::size_t step = 0;                  // the step kernel, where they are on the device
  std::vector<plan::Launches> launches;  // of each kernel

  /// The names of all kernels.
  [[nodiscard]] std::vector<std::string> kernels() const;
  /// The kernel's name, and what it is launched with besides the grid and the ghost cells.
  [[nodiscard]] std::pair<std::string, std::vector<Given>> fill(
      std::span<const HaloFill> all) const;
  [[nodiscard]] DeviceReduction reduction(const ReduceArray& reduce) const;
  [[nodiscard]] DeviceReduction reduction(const PartialResults& partials) const;
  /// The reduction whose result is NaN where a cell of that static is; none: no cell can be.
  [[nodiscard]] std::optional<DeviceReduction> nan_watch(const Variable& variable) const;
  [[nodiscard]] const claris::Function& function(const std::string& name) const;
};

/// Of a plan that plan::device_plan has made. `wanted` names the class; empty: the machine's name.
/// `has_graphs`: whether the layer may tell a device of many calls at once.
[[nodiscard]] DeviceModule make_device_module(const plan::Plan& plan, const std::string& wanted,
                                              bool has_graphs = false);

}  // namespace paraiso::codegen
