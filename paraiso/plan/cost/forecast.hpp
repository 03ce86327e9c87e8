// forecast: what each group of a plan takes one thread, by which running code decides how many
// threads share it. Gives: forecast, remove_forecast, plan_program. Needs: cost_model,
// cpu_plan.
//
// Code is generated from forecast plans. The numbers are the only thing in it that a change of the
// cost model changes: they stand in the class's header, and code_hash doesn't see them.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Sets `nanoseconds_alone` of every group: as predict_alone says.
void forecast(Plan& plan);
/// The plan as if nobody had predicted anything.
void remove_forecast(Plan& plan);

/// cpu_plan, and its forecast: what code is made from. `machine` must have been through
/// passes::prepare.
[[nodiscard]] Plan plan_program(const om::Machine& machine, const Schedule& schedule);

}  // namespace paraiso::plan
