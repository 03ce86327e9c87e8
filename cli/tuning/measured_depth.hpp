// measured_depth: how many steps ranks take for one exchange of messages, where `--fuse auto`
// leaves that to what is measured on them: the planner's times know no messages.
// Gives: measure_depth. Needs: tuning.
#pragma once

#include "cli/tuning/tuning.hpp"

namespace paraiso::cli {

/// With `--fuse auto` on several ranks: times the default schedules of more and more fused steps,
/// and sets `--fuse` to the number of the fastest, which it tells. Else does nothing. Throws like
/// set_up and find_reference.
void measure_depth(const Session& session, TuneCall& call);

}  // namespace paraiso::cli
