// divided_instance: a program whose grid is divided among ranks, to be driven like any other.
// Gives: runs_on_ranks, steps_for_one_exchange, RankedInstance, divided_instance.
// Needs: Library, Orthotree, Transport.
//
// Rank 0 drives: each call is one piece of work for all ranks, which ends on all of them or fails
// on all of them. So a run's decisions are made once, and no rank can wait for another that has
// decided otherwise.
#pragma once

#include "paraiso/passes/steps/fuse_steps.hpp"
#include "paraiso/runtime/ranks/part.hpp"

namespace paraiso::runtime {

/// False for a kernel of several steps with sides between them, which are filled in the whole grid.
/// (Where axes are cyclic, a step reads values of the one before: ranks compute those of cells
/// around their own, too, from one exchange for all steps.)
[[nodiscard]] bool runs_on_ranks(const om::Kernel& kernel);

/// The steps that ranks take one by one where others call a fused kernel, with one exchange for all
/// of them if that can be enough; 1 if they run that kernel, or steps are not fused.
[[nodiscard]] int steps_for_one_exchange(const om::Machine& program, const passes::Fusion& fusion);

class RankedInstance : public Instance {
 public:
  /// The present division.
  [[nodiscard]] virtual const om::Orthotree& tree() const = 0;
  /// Of each rank since cuts moved.
  [[nodiscard]] virtual std::vector<BusySeconds> busy() = 0;
  /// Moves all cells to the parts of another division of as many parts. False, and nothing has
  /// changed, if a rank has no memory for it. Throws Error if the tree can't divide the grid so.
  [[nodiscard]] virtual bool move_to(const om::Orthotree& tree) = 0;
};

/// One rank a leaf of `tree`, `threads` of them within each; all in this process. With `steps` > 1,
/// ranks exchange once for so many steps where WideHalo can do that. Throws Error if the tree can't
/// divide that size or if memory does not suffice.
[[nodiscard]] std::unique_ptr<RankedInstance> divided_instance(
    const Library& library, const std::vector<std::int64_t>& size, const om::Orthotree& tree,
    int threads, Library::Sharing sharing = Library::Sharing::worthwhile,
    Division::Burden burden = {}, int steps = 1);

/// The same, of the processes that `transport` connects: on rank 0 the instance; any other rank has
/// its part, works for rank 0 until that has no instance any more, and then gives nullptr. Each
/// calls `agree` when it has its part, and goes on if that throws nothing.
[[nodiscard]] std::unique_ptr<RankedInstance> divided_instance(
    const Library& library, const std::vector<std::int64_t>& size, const om::Orthotree& tree,
    int threads, Transport& transport, const std::function<void()>& agree, int steps = 1);

}  // namespace paraiso::runtime
