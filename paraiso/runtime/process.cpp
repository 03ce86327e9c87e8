#include "paraiso/runtime/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"

extern char** environ;

namespace paraiso::runtime {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kOutputLimit = 1 << 20;

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  void reset() {
    if (value_ >= 0) close(value_);
    value_ = -1;
  }
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_;
};

/// How the child starts: nothing to read, both outputs into `output`, in a process group of its own
/// so that a timeout ends its children too, and with the signals' default actions.
class SpawnSetting {
 public:
  SpawnSetting(int output, const std::filesystem::path& folder) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnSetting(const SpawnSetting&) = delete;
  SpawnSetting& operator=(const SpawnSetting&) = delete;
  ~SpawnSetting() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

pid_t spawn(const std::vector<std::string>& arguments, int output,
            const std::filesystem::path& folder) {
  SpawnSetting setting(output, folder);
  std::vector<char*> pointers;
  for (const auto& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  pid_t child = 0;
  int error = posix_spawn(&child, pointers[0], &setting.actions, &setting.attributes,
                          pointers.data(), environ);
  if (error != 0) throw Error("can't start `" + arguments[0] + "`: " + std::strerror(error));
  return child;
}

/// Reads until the end of `output` or until `deadline`; false if the deadline came first.
bool collect(int output, Clock::time_point deadline, std::string& text) {
  char buffer[4096];
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    pollfd waiting{output, POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(std::min<long long>(left.count(), 60'000))) <= 0)
      continue;
    ssize_t got = read(output, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    text.append(buffer, std::min(static_cast<std::size_t>(got), kOutputLimit - text.size()));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool is_executable(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::filesystem::path& folder, double timeout_seconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Error(std::string("can't make a pipe: ") + std::strerror(errno));
  Descriptor reading(ends[0]), writing(ends[1]);
  pid_t child = spawn(arguments, writing.get(), folder);
  writing.reset();
  ProgramResult result;
  auto limit =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout_seconds));
  result.timed_out = !collect(reading.get(), Clock::now() + limit, result.output);
  if (result.timed_out) kill(-child, SIGKILL);
  result.status = wait_for(child);
  return result;
}

std::optional<std::filesystem::path> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return is_executable(name) ? std::optional(std::filesystem::absolute(name)) : std::nullopt;
  const char* path = std::getenv("PATH");
  for (const auto& folder : split(path ? path : "/usr/bin:/bin", ':')) {
    auto candidate = std::filesystem::path(folder.empty() ? "." : folder) / name;
    if (!name.empty() && is_executable(candidate)) return std::filesystem::absolute(candidate);
  }
  return std::nullopt;
}

}  // namespace paraiso::runtime
