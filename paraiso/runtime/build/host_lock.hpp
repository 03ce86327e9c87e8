// HostLock: who may use this host now: any number of processes that share it, or one alone.
// Gives: HostLock, host_lock_file. Needs: cache, host.
//
// Timings next to other work are wrong. It is a lock on a file, so that it ends with the process
// that holds it, however that ends.
#pragma once

#include <filesystem>

namespace paraiso::runtime {

class HostLock {
 public:
  enum class Mode { shared, alone };

  /// Waits until the host is free for that use. Throws Error if the file can't be created. A
  /// process that holds one lock and waits for another may wait for ever.
  HostLock(const std::filesystem::path& file, Mode use);
  HostLock(const HostLock&) = delete;
  HostLock& operator=(const HostLock&) = delete;
  ~HostLock();

 private:
  int descriptor_;
};

/// One file per host, in the cache folder: hosts may share a user's files. Throws Error like Cache.
[[nodiscard]] std::filesystem::path host_lock_file();

}  // namespace paraiso::runtime
