// random_schedule: legal schedules drawn at random. Gives: random_schedule, vary. Needs: repair.
#pragma once

#include "paraiso/base/rng.hpp"
#include "paraiso/plan/schedule/schedule.hpp"

namespace paraiso::plan {

/// Every gene drawn at random, repaired.
[[nodiscard]] Schedule random_schedule(const om::Machine& machine, Rng& rng);
/// `schedule` with a random share of its genes, from none to all, drawn again; repaired.
[[nodiscard]] Schedule vary(const om::Machine& machine, Schedule schedule, Rng& rng);

}  // namespace paraiso::plan
