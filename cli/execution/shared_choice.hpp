// shared_choice: what one of several processes chooses for all, whose hosts may have unlike
// processors. Gives: share_choice, with_shared_choice. Needs: prepared, world.
#pragma once

#include "cli/prepared/prepared.hpp"

namespace paraiso::cli {

/// On rank 0: its schedule, and how many steps are fused.
void share_choice(const Session& session, const Prepared& prepared);

/// With what rank 0 has chosen, unless it was said here; on rank 0 and in one process, as it is.
[[nodiscard]] Execution with_shared_choice(const Session& session, const Execution& execution);

}  // namespace paraiso::cli
