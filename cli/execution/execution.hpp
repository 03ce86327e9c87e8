// What `run` and `bench` share: choosing a schedule for a prepared program, building it, and
// starting it. Gives: choose_without_building, prepare_execution. Needs: prepared, start_instance.
#pragma once

#include "cli/execution/start_instance.hpp"
#include "cli/prepared/prepared.hpp"

namespace paraiso::cli {

/// For generated code: reads sizes and names, chooses the schedule and plans with it. Neither
/// memory nor compiled code exists yet.
[[nodiscard]] Prepared choose_without_building(const Session& session, const Execution& execution);

/// Reads sizes and names, generates, compiles, allocates. Refuses a grid that does not fit the
/// memory, with the numbers; `more_bytes` is what the caller allocates in addition. Prints to
/// standard output (to standard error with `json`) how much memory it takes, which schedule it
/// uses, and what compiled its code for which target. One of several processes that does not drive
/// the others works for the one that does, and then has no instance.
[[nodiscard]] Prepared prepare_execution(const Session& session, const Execution& execution,
                                         const MoreBytes& more_bytes);

}  // namespace paraiso::cli
