#include "paraiso/runtime/process_session.hpp"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace paraiso::runtime {

namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

struct Process {
  pid_t id = 0;
  double bytes = 0;
};

/// What stands behind the program's name, which may hold anything, in /proc/PID/stat.
std::string fields_of(const char* process) {
  std::ifstream file(std::string("/proc/") + process + "/stat");
  std::string line;
  std::getline(file, line);
  const auto end = line.rfind(") ");
  return end == std::string::npos ? "" : line.substr(end + 2);
}

/// Adds the process, if it is of the session and lives.
void add(const char* process, pid_t leader, std::vector<Process>& members) {
  std::istringstream fields(fields_of(process));
  char state = 'Z';
  pid_t parent = 0, group = 0, session = 0;
  if (!(fields >> state >> parent >> group >> session) || session != leader || state == 'Z') return;
  constexpr int kBetween = 17;  // fields 7 to 23 of proc(5)
  std::string skipped;
  for (int field = 0; field < kBetween; ++field) fields >> skipped;
  long pages = 0;
  fields >> pages;
  members.push_back({static_cast<pid_t>(atoi(process)),
                     static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE))});
}

std::vector<Process> members_of(pid_t leader) {
  std::vector<Process> members;
  const std::unique_ptr<DIR, CloseFolder> folder(opendir("/proc"));
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr)
    if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') add(entry->d_name, leader, members);
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
  // A process that multiplies may do so between the look and the kill: so look again, but not
  // for ever.
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const auto members = members_of(leader);
    if (members.empty()) return;
    for (const Process& process : members) kill(process.id, SIGKILL);
  }
}

}  // namespace paraiso::runtime
