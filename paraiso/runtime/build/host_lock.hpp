// HostLock: who may use this host now: any number of processes that share it, or one alone.
// Gives: HostLock, LockFile, Locks, Turn, host_lock_file, device_lock_file. Needs: cache, host,
// report.
//
// Timings next to other work are wrong. It is a lock on a file, so that it ends with the process
// that holds it, however that ends. A device has a lock of the same kind.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "paraiso/support/device/report.hpp"

namespace paraiso::runtime {

class HostLock {
 public:
  enum class Mode { shared, alone };
  /// Called before it waits, with who has the lock: "process 4242 (`paraiso bench`)", one of those
  /// who share it, or "another process".
  using Tell = std::function<void(const std::string& holder)>;

  /// Waits until the host is free for that use. Throws Error if the file can't be created. A
  /// process that holds one lock and waits for another may wait for ever, unless all take the
  /// host's before a device's.
  HostLock(const std::filesystem::path& file, Mode use, const Tell& tell = {});
  HostLock(const HostLock&) = delete;
  HostLock& operator=(const HostLock&) = delete;
  ~HostLock();

 private:
  int descriptor_;
};

/// Without a file nothing is locked: there are no other users.
struct LockFile {
  std::filesystem::path file = {};
  HostLock::Tell tell = {};
};

struct Locks {
  LockFile host = {}, device = {};
};

/// Whoever shares the host leaves its device to others; whoever is alone there has the device
/// alone, too. The host's lock comes first, so that no two wait for each other.
class Turn {
 public:
  /// Waits, and throws, like HostLock.
  Turn(const Locks& locks, HostLock::Mode use);

 private:
  std::optional<HostLock> host_, device_;
};

/// One file per host, in $PARAISO_LOCKS, which must exist, or the cache folder: hosts may share a
/// user's files. Throws Error like Cache.
[[nodiscard]] std::filesystem::path host_lock_file();
/// The same for a device of this host, by any back end that says where on the bus it is; two of one
/// name that say nothing have one lock.
[[nodiscard]] std::filesystem::path device_lock_file(const paraiso_support::DeviceReport& device);

}  // namespace paraiso::runtime
