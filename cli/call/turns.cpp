#include "cli/call/turns.hpp"

#include <fmt/format.h>

#include <set>

#include "cli/call/session.hpp"
#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso::cli {
namespace {

runtime::LockFile chosen_device_lock(const std::string& name) {
  const runtime::Backend* backend = runtime::find_backend(name);
  const auto device = backend == nullptr ? std::nullopt : runtime::chosen_device(*backend);
  if (!device) return {};
  return {runtime::device_lock_file(*device), tell_once(fmt::format("device `{}`", device->name))};
}

std::shared_ptr<const void> take(const runtime::Locks& locks) {
  return std::make_shared<const runtime::Turn>(locks, runtime::HostLock::Mode::alone);
}

}  // namespace

runtime::HostLock::Tell tell_once(const std::string& what) {
  return [what](const std::string& holder) {
    static std::set<std::string> told;
    if (told.insert(what).second)
      say_aside(fmt::format("waits until {} is done with {}\n", holder, what));
  };
}

runtime::Locks chosen_locks(const std::string& backend) {
  return {.host = {runtime::host_lock_file(), tell_once("this host")},
          .device = chosen_device_lock(backend)};
}

std::shared_ptr<const void> take_device(const std::string& backend) {
  return take({.device = chosen_device_lock(backend)});
}

std::shared_ptr<const void> take_host_and_device(const std::string& backend) {
  return take(chosen_locks(backend));
}

}  // namespace paraiso::cli
