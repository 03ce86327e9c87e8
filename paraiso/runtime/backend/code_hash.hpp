// code_hash: whether two generated sources are one program.
// Gives: code_hash, generator_hash. Needs: backend.
#pragma once

#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso::runtime {

/// Of a class's source (Library::source), as the compiler sees it: comments name the schedule. What
/// the cost model forecasts stands in its header and does not count.
[[nodiscard]] std::string code_hash(const std::string& source);

/// Of all that is generated for one kernel of a program under some schedules, the support included.
/// Where it changes, so may the speed of schedules that were measured before. Neither they nor the
/// text depend on the cost model.
[[nodiscard]] std::string generator_hash(const Backend& backend, const om::Machine& program,
                                         const om::Kernel& kernel);

}  // namespace paraiso::runtime
