// tuned_depth: how many steps ranks take for one exchange of messages, by what was measured before.
// Gives: kDepths, take_tuned_depth. Needs: prepared, database_choice.
#pragma once

#include "cli/prepared/prepared.hpp"

namespace paraiso::cli {

/// The numbers of fused steps that are tried on ranks.
inline constexpr int kDepths[] = {1, 2, 3, 4, 6, 8};

/// With `--fuse auto` on several ranks: if there are champions for them in the database of
/// `execution`, replaces `prepared`, whose grid is divided, by the same program with as many steps
/// fused as the fastest of them has. A database that can't be read changes nothing.
void take_tuned_depth(Prepared& prepared, const Session& session, const Execution& execution);

}  // namespace paraiso::cli
