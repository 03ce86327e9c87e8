// HostLock: who may use this host just now: any number who share it, or one alone.
// Gives: HostLock, host_lock_file. Needs: cache, host.
//
// What is timed beside something else is timed wrongly. The lock is one on a file, so that it ends
// with the process that holds it, whatever ends that.
#pragma once

#include <filesystem>

namespace paraiso::runtime {

class HostLock {
 public:
  enum class Use { shared, alone };

  /// Waits until the host is free for that use. Throws Error where the file can't be made. Whoever
  /// holds a lock and waits for another one may wait for ever.
  HostLock(const std::filesystem::path& file, Use use);
  HostLock(const HostLock&) = delete;
  HostLock& operator=(const HostLock&) = delete;
  ~HostLock();

 private:
  int descriptor_;
};

/// One for each host, in the cache folder: hosts may share a user's files. Throws Error as Cache.
[[nodiscard]] std::filesystem::path host_lock_file();

}  // namespace paraiso::runtime
