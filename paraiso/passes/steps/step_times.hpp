// step_times: the times between the steps of a fused kernel, as values of its graph.
// Gives: step_times. Needs: om; inside extract_clock.
//
//   kernel proceed_2
//     %0 = load time
//     %1 = load dt
//     %2 = add %0 %1      # after the first step
//     %3 = add %2 %1      # after the second
//     store time %3
#pragma once

#include <vector>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

/// The time after each step of `kernel`, the last one as it stores it. None where it has one step,
/// where there is no time, or where a time depends on cells.
[[nodiscard]] std::vector<om::ValueId> step_times(const om::Machine& machine,
                                                  const om::Kernel& kernel);

}  // namespace paraiso::passes
