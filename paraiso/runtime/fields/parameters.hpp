// parameters: `--set name=value`, checked.
// Gives: set_parameter, parameter_names, Extent, extent, check_extents. Needs: Instance.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paraiso/runtime/fields/instance.hpp"

namespace paraiso::runtime {

/// Sets a parameter (or a domain bound) from text. Throws Error for a name that is none (nearest
/// suggested), a value that is no value of its type, and one outside its bounds.
void set_parameter(Instance& instance, std::string_view name, std::string_view value);
/// The same from `name=value`.
void set_parameter(Instance& instance, std::string_view assignment);

/// The names of the machine's parameters, in order.
[[nodiscard]] std::vector<std::string> parameter_names(const om::Machine& machine);

/// The grid's coordinates along one axis: the domain bounds where the machine has them, else 0 and
/// the number of cells.
struct Extent {
  double lower = 0, upper = 1;
};
[[nodiscard]] Extent extent(const Instance& instance, int axis);
/// Throws Error where an axis has an upper bound that is not above its lower one.
void check_extents(const Instance& instance);

}  // namespace paraiso::runtime
