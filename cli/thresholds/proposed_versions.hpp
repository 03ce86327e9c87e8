// ProposedVersions: versions of a kernel that nobody has written down, to be timed on a ladder.
// Gives: ProposedVersion, propose_versions. Needs: schedule_choice, dispatch, champion.
#pragma once

#include "cli/choices/schedule_choice.hpp"
#include "paraiso/plan/dispatch/versions_text.hpp"
#include "paraiso/tune/database/champion.hpp"

namespace paraiso::cli {

struct ProposedVersion {
  plan::VersionLine line;
  std::string from;  // in words
};

/// Grids on which versions are to be timed, the smallest first, and what their guards compare.
struct ProposedFor {
  std::vector<std::vector<std::int64_t>> sizes;
  plan::Measure measure = plan::Measure::state_bytes;
  plan::MachineModel machine;  // with the threads that will run
};

/// At most kMostVersions that differ in what they choose for `kernel`: the default schedule,
/// `usual`, which comes last; the default schedules for the smallest, the middle and the largest
/// size; and `champions`. If there are more, those that together are expected to be the fastest:
/// by the cost model, and near a champion's size by what it gained there.
[[nodiscard]] std::vector<ProposedVersion> propose_versions(
    const ScheduledProgram& scheduled, const om::Kernel& kernel, const ProposedFor& asked,
    const std::vector<tune::Champion>& champions);

}  // namespace paraiso::cli
