// The loops of a processor's group in words. Gives: cpu_loops. Needs: plan.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// `swept along z y, tiles of all x 16 x a thread's cells, 2 rows at a time`
[[nodiscard]] std::string cpu_loops(const Group& group);

}  // namespace paraiso::plan
