// ProcessSession: what a program and all that it has started use together, and how to end them.
// Gives: SessionUse, session_use, end_session, end_with_parent. Needs: process_stat.
//
// A program that starts others may put each into a process group of its own, as we do with
// compilers; they stay in its session.
#pragma once

#include <sys/types.h>

namespace paraiso::runtime {

struct SessionUse {
  int processes = 0;
  double bytes = 0;  // resident; shared memory counts for each process
};

/// For the processes alive in the session now; `leader` is the first one's number.
[[nodiscard]] SessionUse session_use(pid_t leader);

/// Kills them, and those that they start meanwhile, but not the calling process.
void end_session(pid_t leader);

/// From now on this process, the first of its session, and the whole session end when its parent
/// ends, in whatever way: the system reports the parent's death only to this process. Throws Error
/// if the parent, `parent`, has ended already. Takes SIGTERM; call it before other threads are
/// started.
void end_with_parent(pid_t parent);

}  // namespace paraiso::runtime
