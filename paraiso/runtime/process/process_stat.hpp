// ProcessStat: what the kernel reports about a process.
// Gives: ProcessStat, process_stat. Needs: /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace paraiso::runtime {

struct ProcessStat {
  bool ended = false;  // a zombie: nobody has asked for its status yet
  pid_t session = 0;
  std::int64_t started = 0;  // in ticks of the system's clock since it was booted
  double bytes = 0;          // resident
};

/// None if there is no such process, or none that this user may inspect.
[[nodiscard]] std::optional<ProcessStat> process_stat(pid_t process);

}  // namespace paraiso::runtime
