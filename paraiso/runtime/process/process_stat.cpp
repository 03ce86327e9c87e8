#include "paraiso/runtime/process/process_stat.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace paraiso::runtime {

namespace {

/// The fields after the program's name, which may contain anything, in /proc/PID/stat.
std::string fields_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  const auto end = line.rfind(") ");
  return end == std::string::npos ? "" : line.substr(end + 2);
}

void skip(std::istream& fields, int count) {
  std::string skipped;
  for (int field = 0; field < count; ++field) fields >> skipped;
}

}  // namespace

std::optional<ProcessStat> process_stat(pid_t process) {
  std::istringstream fields(fields_of(process));
  ProcessStat stat;
  char state = 0;
  double pages = 0;
  fields >> state;  // field 3 of proc(5)
  skip(fields, 2);
  fields >> stat.session;
  skip(fields, 15);
  fields >> stat.started;
  skip(fields, 1);
  fields >> pages;
  if (!fields) return std::nullopt;
  stat.ended = state == 'Z' || state == 'X';
  stat.bytes = pages * static_cast<double>(sysconf(_SC_PAGESIZE));
  return stat;
}

}  // namespace paraiso::runtime
