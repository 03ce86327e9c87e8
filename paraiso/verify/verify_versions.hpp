// verify_versions: each version of a kernel against the interpreter, bit for bit.
// Gives: verify_versions. Needs: verify_backend, plan/dispatch.
#pragma once

#include "paraiso/verify/verify_backend.hpp"

namespace paraiso::verify {

/// Runs a plan that has versions with thresholds that force each of them in turn, on every grid,
/// with every compiler, target and number of threads; between the steps each version also takes
/// over the state from another one, since it is a kernel by itself. `schedules` of the report
/// counts versions. Stops at the first difference, whose `schedule` is the version's number and
/// `schedule_text` what forces it.
[[nodiscard]] VerifyReport verify_versions(const plan::Plan& plan,
                                           const VerifyOptions& options = {},
                                           const std::function<void(int, int)>& progress = {});

}  // namespace paraiso::verify
