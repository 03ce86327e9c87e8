// code_hash: whether two generated sources are one program.
// Gives: code_hash, generator_hash. Needs: backend.
#pragma once

#include "paraiso/runtime/backend/backend.hpp"

namespace paraiso::runtime {

/// The hash of a class's source (Library::source) without comments, which name the schedule. The
/// cost model's forecasts are in the header and do not count.
[[nodiscard]] std::string code_hash(const std::string& source);

/// The hash of everything that is generated for one kernel of a program under some schedules,
/// including the support. If it changes, so may the speed of schedules that were measured before.
/// Neither the schedules nor the text depend on the cost model. `genes` are the kernel's.
[[nodiscard]] std::string generator_hash(const Backend& backend, const om::Machine& program,
                                         const om::Kernel& kernel,
                                         const std::vector<plan::Gene>& genes);

}  // namespace paraiso::runtime
