// depth_choice: how many steps ranks take for one exchange of messages, where `--fuse auto` leaves
// that to what was measured on them: the planner's times know no messages.
// Gives: measure_depth, take_tuned_depth. Needs: tuning.
#pragma once

#include "cli/tuning.hpp"

namespace paraiso::cli {

/// With `--fuse auto` on several ranks: times the default schedules of more and more fused steps,
/// and sets `--fuse` to the number of the fastest, which it tells. Else does nothing. Throws like
/// set_up and find_reference.
void measure_depth(const Session& session, TuneCall& call);

/// With `--fuse auto` on several ranks: if there are champions for them in the database of
/// `execution`, replaces `prepared`, whose grid is divided, by the same program with as many steps
/// fused as the fastest of them has. A database that can't be read changes nothing.
void take_tuned_depth(Prepared& prepared, const Session& session, const Execution& execution);

}  // namespace paraiso::cli
