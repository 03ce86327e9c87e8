// ProcessIdentity: which process something was, so that others can tell later whether it lives.
// Gives: process_identity, has_ended. Needs: process_stat.
//
// A number alone is not enough: the system gives it to another process one day. So an identity is
// the host's name, the host's last start, the namespace of process numbers, the number, and when
// the process started, separated by blanks.
#pragma once

#include <unistd.h>

#include <string>

namespace paraiso::runtime {

/// Of a process that this user may look at; empty for any other.
[[nodiscard]] std::string process_identity(pid_t process = getpid());

/// Whether it has ended for sure. One on another host or in another namespace, and an identity that
/// is none, may live.
[[nodiscard]] bool has_ended(const std::string& identity);

}  // namespace paraiso::runtime
