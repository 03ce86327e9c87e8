// start_instance: memory for a prepared program, of this process or of several ranks.
// Gives: check_balance, start_instance. Needs: execution.
#pragma once

#include "cli/execution.hpp"
#include "paraiso/runtime/build/compile.hpp"

namespace paraiso::cli {

/// Throws WrongCall if cuts are to move where they can't.
void check_balance(const Session& session, const Execution& execution);

/// With `balance`, moves of cuts are told on standard error. One of several processes that does not
/// drive the others works for the one that does, and then there is none.
[[nodiscard]] std::unique_ptr<runtime::Instance> start_instance(const Prepared& prepared,
                                                                bool balance,
                                                                const runtime::Library& library,
                                                                runtime::World* world);

}  // namespace paraiso::cli
