#include "paraiso/runtime/process/process.hpp"

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
#include <thread>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/runtime/process/child_signals.hpp"
#include "paraiso/runtime/process/process_session.hpp"
#include "paraiso/runtime/process/stop_signals.hpp"
#include "paraiso/runtime/system/memory.hpp"

extern char** environ;

namespace paraiso::runtime {
namespace {

using SteadyClock = std::chrono::steady_clock;
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

/// Where a child is placed, so that a timeout ends its children too.
enum class ChildPlace { own_group, own_session };

/// How the child starts: both outputs into `output`, and all signals unblocked with their default
/// actions.
class SpawnSetting {
 public:
  SpawnSetting(const std::filesystem::path& input, int output, const std::filesystem::path& folder,
               ChildPlace place) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    const int own = place == ChildPlace::own_group ? POSIX_SPAWN_SETPGROUP : POSIX_SPAWN_SETSID;
    const int clean = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    posix_spawnattr_setflags(&attributes, static_cast<short>(own | clean));
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

pid_t spawn(const std::vector<std::string>& arguments, const std::filesystem::path& input,
            int output, const std::filesystem::path& folder, ChildPlace place) {
  SpawnSetting setting(input, output, folder, place);
  std::vector<char*> pointers;
  for (const auto& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  pid_t child = 0;
  int error = posix_spawn(&child, pointers[0], &setting.actions, &setting.attributes,
                          pointers.data(), environ);
  if (error != 0) throw Error("can't start `" + arguments[0] + "`: " + std::strerror(error));
  return child;
}

/// Reads what there is, for at most `patience`; false at the end of `output`.
bool read_some(int output, std::chrono::milliseconds patience, std::string& text) {
  pollfd waiting{output, POLLIN, 0};
  if (poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return true;
  char buffer[4096];
  const ssize_t got = read(output, buffer, sizeof buffer);
  if (got < 0 && errno == EINTR) return true;
  if (got <= 0) return false;
  text.append(buffer, std::min(static_cast<std::size_t>(got), kOutputLimit - text.size()));
  return true;
}

/// Which limit other than the time the session exceeds; empty for none.
std::string excess(pid_t session, const ProgramLimits& limits) {
  if (limits.bytes <= 0 && limits.processes <= 0) return "";
  const SessionUse use = session_use(session);
  if (limits.processes > 0 && use.processes > limits.processes)
    return "more than " + std::to_string(limits.processes) + " processes";
  if (limits.bytes > 0 && use.bytes > limits.bytes)
    return "more than " + bytes_text(limits.bytes) + " of memory";
  return "";
}

/// Whether it has ended; its status can still be queried.
bool has_exited(pid_t child) {
  siginfo_t information = {};
  return waitid(P_PID, static_cast<id_t>(child), &information, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         information.si_pid == child;
}

/// Collects the output until its end and waits for the child's end, or until a limit is exceeded,
/// which `result` then names, or we are to stop. A child that closes its outputs and continues is
/// still limited.
void watch(pid_t child, int output, const ProgramLimits& limits, ProgramResult& result) {
  // Often enough that the machine's memory can't be used up between two looks; each costs a
  // millisecond.
  constexpr auto kBetweenLooks = std::chrono::milliseconds(250);
  constexpr auto kSilence = std::chrono::milliseconds(5);
  constexpr double kLongest = 1e9;  // seconds; 1e10 are more than a clock counts
  const auto end =
      SteadyClock::now() + std::chrono::duration_cast<SteadyClock::duration>(
                               std::chrono::duration<double>(std::min(limits.seconds, kLongest)));
  auto look = SteadyClock::now() + kBetweenLooks;
  for (bool speaks = true; speaks || !has_exited(child);) {
    const auto left = std::max(
        std::chrono::ceil<std::chrono::milliseconds>(std::min(look, end) - SteadyClock::now()),
        std::chrono::milliseconds(0));
    if (speaks)
      speaks = read_some(output, left, result.output);
    else
      std::this_thread::sleep_for(std::min(left, kSilence));
    if (SteadyClock::now() >= end) result.timed_out = true;
    if (SteadyClock::now() >= look) {
      result.exceeded = excess(child, limits);
      look = SteadyClock::now() + kBetweenLooks;
    }
    if (result.timed_out || !result.exceeded.empty() || ChildSignals::stopped()) return;
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

ProgramResult run(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                  const ProgramLimits& limits, ChildPlace place,
                  const std::filesystem::path& input = "/dev/null") {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Error(std::string("can't make a pipe: ") + std::strerror(errno));
  Descriptor reading(ends[0]), writing(ends[1]);
  const ChildSignals signals;
  const pid_t child = spawn(arguments, input, writing.get(), folder, place);
  writing.reset();
  ProgramResult result;
  watch(child, reading.get(), limits, result);
  if (result.timed_out || !result.exceeded.empty() || ChildSignals::stopped())
    kill(-child, SIGKILL);
  result.status = wait_for(child);
  if (place == ChildPlace::own_session) end_session(child);
  if (ChildSignals::stopped()) throw Stopped();
  return result;
}

bool is_executable(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::filesystem::path& folder, const ProgramLimits& limits) {
  return run(arguments, folder, limits, ChildPlace::own_session);
}

ProgramResult run_program(const std::vector<std::string>& arguments,
                          const std::filesystem::path& folder, double timeout_seconds,
                          const std::filesystem::path& input) {
  return run(arguments, folder, {.seconds = timeout_seconds}, ChildPlace::own_group, input);
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
