#include "paraiso/runtime/process/process_identity.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/utsname.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "paraiso/runtime/process/process_stat.hpp"

namespace paraiso::runtime {

namespace {

struct ProcessIdentity {
  std::string host, boot, numbers;
  pid_t process = 0;
  std::int64_t started = 0;
};

/// Identifies this host and namespace, without a process.
ProcessIdentity here() {
  ProcessIdentity found;
  utsname names;
  if (uname(&names) == 0) found.host = names.nodename;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> found.boot;
  std::error_code ignored;
  found.numbers = std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
  return found;
}

}  // namespace

std::string process_identity(pid_t process) {
  const auto stat = process_stat(process);
  if (!stat) return "";
  const ProcessIdentity i = here();
  return fmt::format("{} {} {} {} {}", i.host, i.boot, i.numbers, process, stat->started);
}

bool has_ended(const std::string& identity) {
  ProcessIdentity then;
  std::istringstream words(identity);
  if (!(words >> then.host >> then.boot >> then.numbers >> then.process >> then.started))
    return false;
  const ProcessIdentity now = here();
  if (then.host != now.host) return false;
  if (then.boot != now.boot) return true;
  if (then.numbers != now.numbers) return false;
  if (const auto stat = process_stat(then.process))
    return stat->ended || stat->started != then.started;
  return kill(then.process, 0) != 0 && errno == ESRCH;  // or another user's, hidden from us
}

}  // namespace paraiso::runtime
