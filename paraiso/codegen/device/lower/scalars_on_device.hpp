// scalars_on_device: a module whose steps depend on what they reduce has its scalars in the
// device's memory, and a kernel of one thread computes them, so that steps follow each other
// without the host. Gives: DeviceScalar, DeviceScalars, step_of, reduces_in_steps, move_scalars,
// is_scalar_on_device, read_scalars. Needs: module.
//
//   on the host: dt is passed to a group         on the device: the group reads `scalars->dt`
//   on the host: least = the array's minimum     on the device: `reduced[0]`, in the next kernel of
//                                                one thread
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "paraiso/codegen/lower/module.hpp"

namespace paraiso::codegen {

/// A field of the structure `Scalars`.
struct DeviceScalar {
  std::string name;
  om::Element element;
  std::optional<om::Constant> initial;  // of a Global static; none: what a kernel leaves for later
};

struct DeviceScalars {
  std::vector<DeviceScalar> all;  // none: the host computes scalars
  std::vector<std::string> held;  // of each Global static, the name of its field
  std::set<std::size_t> counted;  // kernels that count steps, so that calls of them need no host
};

/// The place of the step kernel, of a machine that has one.
[[nodiscard]] std::size_t step_of(const om::Machine& machine);

/// Whether a step of the module reduces something.
[[nodiscard]] bool reduces_in_steps(const Module& module, const om::Machine& machine);

/// Replaces what the module's kernels compute of scalars by kernels of one thread, which it adds to
/// their functions. What groups and fills are given of scalars is then the name of a field.
[[nodiscard]] DeviceScalars move_scalars(Module& module, const om::Machine& machine);

/// Whether an argument is such a field, once scalars are moved.
[[nodiscard]] bool is_scalar_on_device(const Given& argument);

/// The function, reading those of its arguments from `scalars`, which becomes its last parameter;
/// `first` parameters have no argument.
void read_scalars(claris::Function& function, std::size_t first,
                  const std::vector<Given>& arguments);

}  // namespace paraiso::codegen
