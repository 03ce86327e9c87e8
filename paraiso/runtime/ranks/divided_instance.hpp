// divided_instance: a program whose grid is divided among ranks, to be driven like any other.
// Gives: runs_on_ranks, divided_instance, RankedInstance, ranked_instance. Needs: Library,
// Orthotree, Transport.
//
// Rank 0 drives: each call is one piece of work for all ranks, which ends on all of them or fails
// on all of them. So a run's decisions are made once, and no rank can wait for another that has
// decided otherwise.
#pragma once

#include <functional>

#include "paraiso/om/orthotree.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/transport/transport.hpp"

namespace paraiso::runtime {

/// False for a kernel of several steps with sides between them, which are filled in the whole grid.
/// (Where axes are cyclic, a step reads values of the one before: ranks compute those of cells
/// around their own, too, from one exchange for all steps.)
[[nodiscard]] bool runs_on_ranks(const om::Kernel& kernel);

/// One rank a leaf of `tree`, `threads` of them within each; all in this process. Throws Error if
/// the tree can't divide that size or if memory does not suffice.
[[nodiscard]] std::unique_ptr<Instance> divided_instance(
    const Library& library, const std::vector<std::int64_t>& size, const om::Orthotree& tree,
    int threads, Library::Sharing sharing = Library::Sharing::worthwhile);

/// The same, of the processes that `transport` connects: on rank 0 the instance; any other rank has
/// its part, works for rank 0 until that has no instance any more, and then gives nullptr. Each
/// calls `agree` when it has its part, and goes on if that throws nothing.
[[nodiscard]] std::unique_ptr<Instance> divided_instance(const Library& library,
                                                         const std::vector<std::int64_t>& size,
                                                         const om::Orthotree& tree, int threads,
                                                         Transport& transport,
                                                         const std::function<void()>& agree);

/// Of ranks that are all in this process.
class RankedInstance : public Instance {
 public:
  /// Of each rank: processor seconds in kernels so far. Waiting for others takes none.
  [[nodiscard]] virtual std::vector<double> busy() const = 0;
};

/// As divided_instance; `burden`, if any, is called by each rank in each kernel.
[[nodiscard]] std::unique_ptr<RankedInstance> ranked_instance(
    const Library& library, const std::vector<std::int64_t>& size, const om::Orthotree& tree,
    int threads, Library::Sharing sharing = Library::Sharing::worthwhile,
    std::function<void(int rank)> burden = {});

}  // namespace paraiso::runtime
