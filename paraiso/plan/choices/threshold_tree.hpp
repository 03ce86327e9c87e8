// threshold_tree: all guards of a plan in Futhark's format, and which must fail before one counts.
// Gives: threshold_tree. Needs: plan, dispatch.
//
//   heat.proceed.large (threshold ())
//   heat.proceed.rows (threshold (!heat.proceed.large))
//   heat.least_shared (threshold ())
//   heat.streaming (threshold ())
//   heat.proceed.split (fits)          no threshold: tiles shrink if enough of them fit the grid
//   heat.proceed_large.shared (fits)   of a version on a device: if that gives its blocks so much
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// `loops`: with the thresholds of loops, which devices' code has not.
[[nodiscard]] std::string threshold_tree(const Plan& plan, bool loops);

}  // namespace paraiso::plan
