// step_work: what each part of a divided grid does in a step, and the programs of the ranks that do
// it. Gives: StepWork, PartCost, step_work, reducing_groups, Collectives, programs_of. Needs: plan,
// engine.
#pragma once

#include <array>
#include <functional>

#include "paraiso/hardware/simulate/engine.hpp"
#include "paraiso/plan/exchanges.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::hardware {

struct StepWork {
  struct Message {
    std::size_t from = 0, to = 0;
    double bytes = 0, rows = 0;
    double packing = 0;  // seconds, and as many to unpack it
  };
  std::vector<double> seconds;    // of each part: computing its cells, in each call
  std::vector<double> ahead;      // of those, while messages travel
  int calls = 1;                  // of the kernel, until messages are sent again
  std::vector<Message> messages;  // before the first of them, ordered by `from` and `to`
  std::size_t reductions = 0;     // messages of each part with what it reduces, in each call
  std::vector<double> reduced;    // bytes that each part has in one of them
  double results = 8;             // bytes of the answer to one
  bool takes_results = false;     // rank 0 awaits that all have ended, for late reductions
  bool commanded = true;          // rank 0 tells of each call, and not of many at once
};

/// Seconds that cells take a part of the grid.
struct PartCost {
  /// Of part number `part`, which has so many cells along each axis.
  std::function<double(std::size_t part, const om::Cell& cells)> computing;
  /// To pack a message of so many rows of cells along axis 0, and bytes; none: nothing.
  std::function<double(std::size_t part, double rows, double bytes)> packing = {};
  /// The share of `computing` for what a part computes while messages travel, given which of its
  /// sides receive some; none: nothing.
  std::function<double(const om::Box& part, const std::vector<std::array<bool, 2>>& received)>
      ahead = {};
};

/// Of one call of `kernel`; or with `calls` > 1 of so many with one exchange, if that can be
/// enough, on larger parts. What no call changes is not sent again. `reducing`: the groups of loops
/// whose reductions are waited for; all those of a group go in one message.
[[nodiscard]] StepWork step_work(const om::Machine& machine, const om::Kernel& kernel,
                                 const om::Orthotree& tree, const om::Cell& size,
                                 const PartCost& cost, int calls = 1, std::size_t reducing = 1);
/// How many groups of a kernel reduce what is waited for.
[[nodiscard]] std::size_t reducing_groups(const plan::KernelPlan& kernel);

/// How ranks begin a step together, reduce, and end it.
enum class Collectives : std::uint8_t {
  star,    // rank 0 sends to and hears from each other one: what `run --ranks` does
  tree,    // by a binomial tree
  emitted  // as star, but nobody commands: what programs of `emit --mpi` do
};
[[nodiscard]] std::vector<RankProgram> programs_of(const StepWork& work, Collectives collectives);

}  // namespace paraiso::hardware
