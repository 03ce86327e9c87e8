// random_schedule: schedules drawn at random from a gene table. Gives: random_schedule, vary.
// Needs: schedule.
#pragma once

#include "paraiso/base/rng.hpp"
#include "paraiso/plan/schedule/schedule.hpp"

namespace paraiso::plan {

/// Every gene drawn at random; not repaired.
[[nodiscard]] Schedule random_schedule(const std::vector<Gene>& genes, Rng& rng);
/// `schedule` with a random share of its genes, from none to all, drawn again; not repaired.
[[nodiscard]] Schedule vary(const std::vector<Gene>& genes, Schedule schedule, Rng& rng);

}  // namespace paraiso::plan
