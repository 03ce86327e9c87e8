#include "paraiso/runtime/build/host_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "paraiso/runtime/build/cache.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/host.hpp"

namespace paraiso::runtime {

HostLock::HostLock(const std::filesystem::path& file, Mode use)
    : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (descriptor_ < 0) fail_to_write(file, errno);
  while (flock(descriptor_, use == Mode::alone ? LOCK_EX : LOCK_SH) != 0)
    if (errno != EINTR) {
      const int error = errno;
      close(descriptor_);
      fail_to_write(file, error);
    }
}

HostLock::~HostLock() { close(descriptor_); }

std::filesystem::path host_lock_file() {
  return Cache(cache_folder()).folder() / (host().name + ".lock");
}

}  // namespace paraiso::runtime
