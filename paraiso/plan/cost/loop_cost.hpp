// loop_cost: what the core of a processor does for one loop body, were all it reads in the
// first-level cache. Gives: LoopCost, loop_cost. Needs: plan, machine_model.
#pragma once

#include "paraiso/plan/cost/machine_model.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Seconds a cell, each were it alone the limit; and what else is known of the body.
struct LoopCost {
  double arithmetic = 0;  // instructions on vectors
  double divider = 0;     // divides and square roots
  double waiting = 0;     // for results: chains of instructions that the core can't look beyond
  double loads = 0;       // loads and stores
  double rows = 0;        // that the body reads, each by a pointer of its own
  int step = 1;           // cells that one run of the body makes
  double code_bytes = 0;  // of the body
};

[[nodiscard]] LoopCost loop_cost(const om::Graph& graph, const Stage& stage, int vectors,
                                 const MachineModel& machine);

}  // namespace paraiso::plan
