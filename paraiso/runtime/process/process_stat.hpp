// ProcessStat: what the kernel tells of a process.
// Gives: ProcessStat, process_stat. Needs: /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace paraiso::runtime {

struct ProcessStat {
  bool ended = false;  // and nobody has asked yet how
  pid_t session = 0;
  std::int64_t started = 0;  // in ticks of the system's clock since it was booted
  double bytes = 0;          // resident
};

/// Nothing where there is no such process, or none that this user may look at.
[[nodiscard]] std::optional<ProcessStat> process_stat(pid_t process);

}  // namespace paraiso::runtime
