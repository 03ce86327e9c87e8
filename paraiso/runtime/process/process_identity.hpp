// ProcessIdentity: identifies a process, so that others can tell later whether it is still alive.
// Gives: process_identity, has_ended. Needs: process_stat.
//
// A process number alone is not enough: the system reuses it. So an identity is the host's name,
// the host's last start, the namespace of process numbers, the number, and the start time of the
// process, separated by blanks.
#pragma once

#include <unistd.h>

#include <string>

namespace paraiso::runtime {

/// For a process that this user may inspect; empty for any other.
[[nodiscard]] std::string process_identity(pid_t process = getpid());

/// Whether it has certainly ended. A process on another host or in another namespace, or an invalid
/// identity, may be alive.
[[nodiscard]] bool has_ended(const std::string& identity);

}  // namespace paraiso::runtime
