// loop_cost: the cost of one loop body on one core, assuming that all its data is in L1.
// Gives: LoopCost, loop_cost. Needs: plan, machine_model.
#pragma once

#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Seconds per cell, each as if it were the only limit; and properties of the body.
struct LoopCost {
  double arithmetic = 0;  // instructions on vectors
  double divider = 0;     // divides and square roots
  double waiting = 0;     // latency: dependent instructions that out-of-order execution can't hide
  double loads = 0;       // loads and stores
  double rows = 0;        // read by the body, each by a pointer of its own
  int step = 1;           // cells per iteration
};

[[nodiscard]] LoopCost loop_cost(const om::Graph& graph, const Stage& stage, int vectors,
                                 const MachineModel& machine);

}  // namespace paraiso::plan
