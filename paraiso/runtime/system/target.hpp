// Targets on this host: which it can run, and what `native` means here.
// Gives: find_target, target_names, runnable_levels, default_target, missing_features,
// require_runnable, native_target, survey_targets. Needs: plan's table of targets, host.
#pragma once

#include "paraiso/plan/target.hpp"
#include "paraiso/runtime/system/host.hpp"

namespace paraiso::runtime {

/// The target of that name; of an empty one the default. Throws Error, with the nearest name, where
/// there is none.
[[nodiscard]] plan::Target find_target(const std::string& name);
[[nodiscard]] std::vector<std::string> target_names();
/// The levels that this host can run.
[[nodiscard]] std::vector<std::string> runnable_levels();

/// What code is made for unless told: $PARAISO_TARGET, else `native`.
[[nodiscard]] std::string default_target();

/// All that the host has.
[[nodiscard]] plan::Target native_target(const Host& host);

/// What the host lacks of a target, of the levels below it, too: its architecture, or features.
[[nodiscard]] std::vector<std::string> missing_features(const plan::Target& target,
                                                        const Host& host);

/// Throws Error where this host can't run the target's code.
void require_runnable(const plan::Target& target);

/// For `doctor`: each level of this host's architecture.
struct TargetReport {
  plan::Target target;
  std::vector<std::string> missing;  // empty: this host can run it
  std::string note;                  // what it lacks where it runs; empty for nothing
};
[[nodiscard]] std::vector<TargetReport> survey_targets(const Host& host);

}  // namespace paraiso::runtime
