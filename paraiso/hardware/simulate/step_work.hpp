// step_work: what each part of a divided grid does in a step, and the programs of the ranks that do
// it. Gives: StepWork, PartCost, step_work, Collectives, programs_of. Needs: plan, engine.
#pragma once

#include <functional>

#include "paraiso/hardware/simulate/engine.hpp"
#include "paraiso/plan/exchanges.hpp"

namespace paraiso::hardware {

struct StepWork {
  struct Message {
    std::size_t from = 0, to = 0;
    double bytes = 0;
    double packing = 0;  // seconds, and as many to unpack it
  };
  std::vector<double> seconds;    // of each part: computing its cells
  std::vector<Message> messages;  // before that, ordered by `from` and `to`
  std::size_t reductions = 0;     // after it
  std::vector<double> reduced;    // bytes that each part contributes to one of them
};

/// Seconds that cells take a part of the grid.
struct PartCost {
  /// Of part number `part`, which has so many cells along each axis.
  std::function<double(std::size_t part, const om::Cell& cells)> computing;
  /// To pack a message: for each row of cells along axis 0, and for each byte.
  double per_row = 0, per_byte = 0;
};

/// Of one call of `kernel`, which takes one step; what no step changes is not sent again.
[[nodiscard]] StepWork step_work(const om::Machine& machine, const om::Kernel& kernel,
                                 const om::Orthotree& tree, const om::Cell& size,
                                 const PartCost& cost);

/// How ranks begin a step together, reduce, and end it.
enum class Collectives : std::uint8_t {
  star,    // rank 0 sends to and hears from each other one: what `run --ranks` does
  tree,    // by a binomial tree
  emitted  // as star, but nobody commands: what programs of `emit --mpi` do
};
[[nodiscard]] std::vector<RankProgram> programs_of(const StepWork& work, Collectives collectives);

}  // namespace paraiso::hardware
