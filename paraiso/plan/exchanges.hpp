// exchanges: what the parts of a divided grid send each other for one call of a kernel, before it
// runs. Gives: KernelExchanges, exchanges_of, ghosts_changed_by, describe_division. Needs: om.
#pragma once

#include <set>
#include <string>

#include "paraiso/om/divide/distribute.hpp"

namespace paraiso::plan {

/// What a kernel needs of other parts, each read cell once.
struct KernelExchanges {
  struct Step {
    int step = 0;  // of the steps in the kernel
    om::Exchange exchange;
  };
  std::vector<Step> steps;      // those that read beyond a part
  std::vector<double> reduced;  // bytes, by part, of all reductions together that it waits for
  std::size_t reductions = 0;
  std::vector<double> late_reduced;  // the same of late ones, sent with the word that it is done
  std::size_t late_reductions = 0;
};
/// `tree` has the Warps that the machine needs, and divides that size. If `changed` is given, only
/// ghost cells of those statics are needed, with whatever boundary kernels make them from.
[[nodiscard]] KernelExchanges exchanges_of(const om::Machine& machine, const om::Kernel& kernel,
                                           const om::Orthotree& tree, const om::Cell& size,
                                           const std::set<om::StaticId>* changed = nullptr);

/// The Locals whose ghost cells are others when a kernel has run: those that it stores, those whose
/// sides are made from them, and those whose sides' sources in a part its halos overwrite.
[[nodiscard]] std::set<om::StaticId> ghosts_changed_by(const om::Machine& machine,
                                                       const om::Kernel& kernel);

/// The parts of a grid, and what they send each other before each step and for its reductions. Of
/// many parts or messages only the first. Throws Error if the tree can't divide that size.
[[nodiscard]] std::string describe_division(const om::Machine& machine, const om::Kernel& kernel,
                                            const om::Orthotree& tree, const om::Cell& size);

}  // namespace paraiso::plan
