// parameters: `--set name=value`, checked.
// Gives: ParameterValue, Parameters, parse_parameters, set_parameters, parameters_text,
// parameter_names, AxisRange, extent, check_extents. Needs: Instance.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::runtime {

/// A parameter (or a domain bound) and its value, which is of its type and within its bounds.
struct ParameterValue {
  std::string name;
  om::Constant value;
  friend bool operator==(const ParameterValue&, const ParameterValue&) = default;
};
/// By name, each once.
using Parameters = std::vector<ParameterValue>;

/// From `name=value`; of several for one name the last one counts. Throws Error for an unknown name
/// (suggests the nearest), a value that does not fit its type, and one outside its bounds.
[[nodiscard]] Parameters parse_parameters(const om::Machine& machine,
                                          std::span<const std::string> assignments);
void set_parameters(Instance& instance, const Parameters& parameters);
/// "a=1, b=2"
[[nodiscard]] std::string parameters_text(const Parameters& parameters);

/// The names of the machine's parameters, in order.
[[nodiscard]] std::vector<std::string> parameter_names(const om::Machine& machine);

/// The grid's coordinates along one axis: the domain bounds if the machine has them, else 0 and the
/// number of cells.
struct AxisRange {
  double lower = 0, upper = 1;
};
[[nodiscard]] AxisRange extent(const Instance& instance, int axis);
/// Throws Error if an axis has an upper bound that is not above its lower one.
void check_extents(const Instance& instance);
/// The same of a machine at rest, whose parameters were set: before there is an instance.
void check_extents(const om::Machine& machine, const Parameters& parameters);

}  // namespace paraiso::runtime
