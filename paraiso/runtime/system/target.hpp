// Targets on this host: which it can run, and the meaning of `native`.
// Gives: find_target, target_names, runnable_levels, default_target, missing_features,
// require_runnable, native_target, survey_targets. Needs: plan's table of targets, host.
#pragma once

#include "paraiso/plan/target.hpp"
#include "paraiso/runtime/system/host.hpp"

namespace paraiso::runtime {

/// The target of that name; the default if `name` is empty. Throws Error with the nearest name if
/// there is none such.
[[nodiscard]] plan::Target find_target(const std::string& name);
[[nodiscard]] std::vector<std::string> target_names();
/// The levels that this host can run.
[[nodiscard]] std::vector<std::string> runnable_levels();

/// What code is compiled for by default: $PARAISO_TARGET, else `native`.
[[nodiscard]] std::string default_target();

/// With all features of the host.
[[nodiscard]] plan::Target native_target(const Host& host);

/// What the host lacks of a target, of the levels below it, too: its architecture, or features.
[[nodiscard]] std::vector<std::string> missing_features(const plan::Target& target,
                                                        const Host& host);

/// Throws Error if this host can't run the target's code.
void require_runnable(const plan::Target& target);

/// For `doctor`: each level of this host's architecture.
struct TargetReport {
  plan::Target target;
  std::vector<std::string> missing;  // empty: this host can run it
  std::string note;                  // what it lacks although it runs; empty: nothing
};
[[nodiscard]] std::vector<TargetReport> survey_targets(const Host& host);

}  // namespace paraiso::runtime
