#include "paraiso/runtime/build/host_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <fstream>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/build/cache.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/host.hpp"
#include "paraiso/runtime/system/user_folder.hpp"

namespace paraiso::runtime {
namespace {

/// "paraiso bench": this program, and the first of its arguments.
std::string own_call() {
  std::ifstream file("/proc/self/cmdline");
  std::string program, argument;
  std::getline(file, program, '\0');
  std::getline(file, argument, '\0');
  program = std::filesystem::path(program).filename().string();
  return argument.empty() ? program : program + " " + argument;
}

/// Says in the file who has the lock. That is for people: where it fails, nothing is said.
void sign(int descriptor) {
  const std::string text = fmt::format("{} {}\n", getpid(), own_call());
  if (ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const auto written = pwrite(descriptor, text.data(), text.size(), 0);
}

/// Who has signed, if that process is still there.
std::string holder_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  pid_t process = 0;
  std::string call;
  if (!(file >> process) || process <= 0 || (kill(process, 0) != 0 && errno == ESRCH))
    return "another process";
  std::getline(file >> std::ws, call);
  return fmt::format("process {} (`{}`)", process, call);
}

/// As flock, which signals may interrupt.
int lock_file(int descriptor, int how) {
  while (flock(descriptor, how) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

/// Beside a cache that can only be read, a folder that all of the user's processes find.
std::filesystem::path locks_folder() {
  const std::string own = environment("PARAISO_LOCKS");
  if (!own.empty()) return std::filesystem::absolute(own);
  const Cache cache(cache_folder());
  if (cache.writable()) return cache.folder();
  const auto beside = std::filesystem::temp_directory_path() / fmt::format("paraiso-{}", geteuid());
  try {
    return Cache(beside).folder();
  } catch (const Error& error) {
    throw Error(fmt::format("no folder for locks, since the cache can only be read: {}",
                            error.diagnostics()[0].message))
        .with_hint("set PARAISO_LOCKS to a folder of your own");
  }
}

}  // namespace

HostLock::HostLock(const std::filesystem::path& file, Mode use, const Tell& tell)
    : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (descriptor_ < 0) fail_to_write(file, errno);
  const int how = use == Mode::alone ? LOCK_EX : LOCK_SH;
  int error = lock_file(descriptor_, how | LOCK_NB);
  if (error == EWOULDBLOCK) {
    if (tell) tell(holder_of(file));
    error = lock_file(descriptor_, how);
  }
  if (error != 0) {
    close(descriptor_);
    fail_to_write(file, error);
  }
  sign(descriptor_);
}

HostLock::~HostLock() { close(descriptor_); }

Turn::Turn(const Locks& locks, HostLock::Mode use) {
  if (!locks.host.file.empty()) host_.emplace(locks.host.file, use, locks.host.tell);
  if (!locks.device.file.empty() && use == HostLock::Mode::alone)
    device_.emplace(locks.device.file, use, locks.device.tell);
}

std::filesystem::path host_lock_file() { return locks_folder() / (host().name + ".lock"); }

std::filesystem::path device_lock_file(const paraiso_support::DeviceReport& device) {
  std::string name = device.place.empty() ? device.name : device.name + "-" + device.place;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  return locks_folder() / fmt::format("{}.{}.lock", host().name, name);
}

}  // namespace paraiso::runtime
