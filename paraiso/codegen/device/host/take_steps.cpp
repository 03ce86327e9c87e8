#include "paraiso/codegen/device/host/take_steps.hpp"

#include <fmt/format.h>

#include "paraiso/codegen/cpp/cpp_words.hpp"
#include "paraiso/codegen/cpp/print_cpp.hpp"

namespace paraiso::codegen {
namespace {

/// 0: the class, 1: the step kernel's method.
constexpr const char* kDeclareSteps =
    R"(  /// Takes `count` steps one after the other while the host waits but once, at the end; fewer where
  /// the time, if there is one, has reached `until`, stands still or is NaN. Gives how many.
  std::int64_t take_steps(std::int64_t count, double until, bool& stands_still);
  /// The same by calls of `&{0}::{1}` or of a kernel of several steps; gives how many calls.
  /// `stop` is 0 after all of them, 1 where the time has reached `until` or is NaN, 2 where it
  /// stands still, and 3 before several steps of which not only the last one would, or one has a
  /// time that stands still or is NaN: these are to be taken one by one.
  std::int64_t take_steps(void ({0}::*kernel)(), std::int64_t count, double until, int& stop);
)";

/// 0: the class, 1: the layer, 2 and 3: its arrays, 4: the step kernel's method, 5: what becomes of
/// ghost cells.
constexpr const char* kDefineSteps =
    R"(std::int64_t {0}::take_steps(std::int64_t count, double until, bool& stands_still) {{
  int stop = 0;
  const std::int64_t done = take_steps(&{0}::{4}, count, until, stop);
  stands_still = stop == 2;
  return done;
}}

std::int64_t {0}::take_steps(void ({0}::*kernel)(), std::int64_t count, double until, int& stop) {{
{2}
{3}  support::Arrangements<{1}::Memory> arrangements(std::move(arrays));
  Scalars& begin = scalars_.host();
  begin.until = until;
  begin.stop = begin.done = 0;
  begin.guarded = 1;
  for (std::int64_t call = 0; call < count; ++call) {{
    arrangements.keep();
    (this->*kernel)();
  }}
  Scalars& end = scalars_.host();
  arrangements.go_back(static_cast<std::size_t>(end.done));
  stop = static_cast<int>(end.stop);
{5}  end.stop = end.guarded = 0;
  return end.done;
}}

)";

/// Of steps that did nothing none has stored ghost cells, nor filled them.
std::string forget_ghosts(const Module& module) {
  std::string text;
  for (std::size_t s = 0; s < module.statics.size(); ++s)
    if (module.ghosts_kept[s])
      text += fmt::format("  if (stop != 0) {}.set_ghosts(false);\n", module.statics[s].member);
  return text;
}

}  // namespace

std::string declare_take_steps(const DeviceModule& device) {
  if (device.scalars.all.empty()) return {};
  return fmt::format(fmt::runtime(kDeclareSteps), device.module.name,
                     device.module.kernels[device.step].name);
}

std::string define_take_steps(const DeviceModule& device, const std::string& layer) {
  if (device.scalars.all.empty()) return {};
  std::string fields, spares;
  for (const Variable& s : device.module.statics)
    if (s.is_field) fields += fmt::format("{}&{}.memory()", fields.empty() ? "" : ", ", s.member);
  for (auto [bytes, count] : device.module.spares)
    if (count > 0)
      spares += fmt::format("  for (auto& array : spare{}_) arrays.push_back(&array);\n", bytes);
  return fmt::format(
      fmt::runtime(kDefineSteps), device.module.name, layer,
      wrap_line(fmt::format("  std::vector<{}::Memory*> arrays{{{}}};", layer, fields)), spares,
      device.module.kernels[device.step].name, forget_ghosts(device.module));
}

}  // namespace paraiso::codegen
