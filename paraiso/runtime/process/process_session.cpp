#include "paraiso/runtime/process/process_session.hpp"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <memory>
#include <thread>
#include <vector>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/process/process_stat.hpp"

namespace paraiso::runtime {

namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

struct Process {
  pid_t id = 0;
  double bytes = 0;
};

/// Adds the process, if it is of the session and lives.
void add(pid_t process, pid_t leader, std::vector<Process>& members) {
  const auto stat = process_stat(process);
  if (stat && stat->session == leader && !stat->ended) members.push_back({process, stat->bytes});
}

std::vector<Process> members_of(pid_t leader) {
  std::vector<Process> members;
  const std::unique_ptr<DIR, CloseFolder> folder(opendir("/proc"));
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr)
    if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
      add(static_cast<pid_t>(atoi(entry->d_name)), leader, members);
  return members;
}

}  // namespace

SessionUse session_use(pid_t leader) {
  SessionUse use;
  for (const Process& process : members_of(leader)) {
    ++use.processes;
    use.bytes += process.bytes;
  }
  return use;
}

void end_session(pid_t leader) {
  // A process that multiplies may do so between look and kill: so look again, but not for ever.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    auto members = members_of(leader);
    std::erase_if(members, [](const Process& process) { return process.id == getpid(); });
    if (members.empty()) return;
    for (const Process& process : members) kill(process.id, SIGKILL);
  }
}

void end_with_parent(pid_t parent) {
  sigset_t end;
  sigemptyset(&end);
  sigaddset(&end, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &end, nullptr);  // for future threads too
  std::thread([end] {
    int signal = 0;
    sigwait(&end, &signal);
    end_session(getpid());
    kill(getpid(), SIGKILL);
  }).detach();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) throw Error("the process that has called this one has ended");
}

}  // namespace paraiso::runtime
