// ProcessSession: what a program and all that it has started use together, and their common end.
// Gives: SessionUse, session_use, end_session, end_with_parent. Needs: process_stat.
//
// A program that starts others may put each into a process group of its own, as we do with
// compilers; they stay in its session.
#pragma once

#include <sys/types.h>

namespace paraiso::runtime {

struct SessionUse {
  int processes = 0;
  double bytes = 0;  // resident; what several share counts for each
};

/// Of the processes that live in the session just now; `leader` is the first one's number.
[[nodiscard]] SessionUse session_use(pid_t leader);

/// Kills them, and those that they start meanwhile, but not the one that asks for it.
void end_session(pid_t leader);

/// From now on this process, the first of its session, and all of the session end when its parent
/// does, in whatever way: the parent's own death tells the first process alone. Throws Error if the
/// parent, `parent`, has ended already. Takes SIGTERM; to be called before other threads are
/// started.
void end_with_parent(pid_t parent);

}  // namespace paraiso::runtime
