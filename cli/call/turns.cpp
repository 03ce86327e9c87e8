#include "cli/call/turns.hpp"

#include <fmt/format.h>

#include <set>

#include "cli/call/session.hpp"
#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso::cli {
namespace {

/// In the order of the members, so that no two wait for each other.
struct HostAndDevice {
  runtime::HostLock host;
  std::shared_ptr<const void> device;

  explicit HostAndDevice(const std::string& backend)
      : host(runtime::host_lock_file(), runtime::HostLock::Mode::alone, tell_once("this host")),
        device(take_device(backend)) {}
};

}  // namespace

runtime::HostLock::Tell tell_once(const std::string& what) {
  return [what](const std::string& holder) {
    static std::set<std::string> told;
    if (told.insert(what).second)
      say_aside(fmt::format("waits until {} is done with {}\n", holder, what));
  };
}

DeviceTurn chosen_device_turn(const std::string& name) {
  const runtime::Backend* backend = runtime::find_backend(name);
  const auto device = backend == nullptr ? std::nullopt : runtime::chosen_device(*backend);
  if (!device) return {};
  return {runtime::device_lock_file(*device), tell_once(fmt::format("device `{}`", device->name))};
}

std::shared_ptr<const void> take_device(const std::string& backend) {
  const DeviceTurn turn = chosen_device_turn(backend);
  if (turn.lock.empty()) return {};
  return std::make_shared<const runtime::HostLock>(turn.lock, runtime::HostLock::Mode::alone,
                                                   turn.tell);
}

std::shared_ptr<const void> take_host_and_device(const std::string& backend) {
  return std::make_shared<const HostAndDevice>(backend);
}

}  // namespace paraiso::cli
