// print_device: functions of devices, CLARIS in, text of a dialect out. Chooses spelling, never
// strategy. Gives: DevicePrinter. Needs: CLARIS, Dialect, operators.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "paraiso/codegen/claris/tree.hpp"
#include "paraiso/codegen/device/dialect.hpp"

namespace paraiso::codegen {

/// Remembers which functions of the library the printed text calls (device_functions).
class DevicePrinter {
 public:
  /// `held` names, of each Global static, its field of the scalars, where they are on the device.
  explicit DevicePrinter(const Dialect& dialect, std::vector<std::string> held = {})
      : dialect_(dialect), held_(std::move(held)) {}

  /// A whole function, with its comment.
  [[nodiscard]] std::string print(const claris::Function& function);
  [[nodiscard]] const std::set<std::string>& used() const { return used_; }

 private:
  [[nodiscard]] std::string parameter(const claris::FunctionParameter& parameter,
                                      bool of_kernel) const;

  const Dialect& dialect_;
  const std::vector<std::string> held_;
  std::set<std::string> used_;
};

}  // namespace paraiso::codegen
