// turns: processes that time take turns at this host and at its devices, and say for whom they
// wait. Gives: tell_once, chosen_locks, take_device, take_host_and_device. Needs: session,
// HostLock, backend.
#pragma once

#include <memory>
#include <string>

#include "paraiso/runtime/build/host_lock.hpp"

namespace paraiso::cli {

/// Says in one line for whom this process waits, until they are done with `what`; the second time
/// for the same it says nothing.
[[nodiscard]] runtime::HostLock::Tell tell_once(const std::string& what);

/// Of this host, and of the device that the back end's programs run on, if they do.
[[nodiscard]] runtime::Locks chosen_locks(const std::string& backend);

/// Waits for that device, and has it alone as long as the result lives.
[[nodiscard]] std::shared_ptr<const void> take_device(const std::string& backend);
/// Waits for this host as well, where no tuning compiles or times then.
[[nodiscard]] std::shared_ptr<const void> take_host_and_device(const std::string& backend);

}  // namespace paraiso::cli
