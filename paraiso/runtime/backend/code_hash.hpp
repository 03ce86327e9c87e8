// code_hash: whether two generated sources are one program.
// Gives: code_hash, generator_hash. Needs: backend.
#pragma once

#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso::runtime {

/// Of what the compiler sees: comments name the schedule.
[[nodiscard]] std::string code_hash(const std::string& source);

/// Of all that is generated for one kernel of a program under its default schedule, the support
/// included. Where it changes, so may the speed of schedules that were measured before.
[[nodiscard]] std::string generator_hash(const Backend& backend, const om::Machine& program,
                                         const om::Kernel& kernel);

}  // namespace paraiso::runtime
