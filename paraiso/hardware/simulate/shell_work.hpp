// shell_work: what parts of a divided grid compute of others, because one exchange is for several
// steps or values are needed around a part. Gives: received_sides, computed_shares,
// first_wants, shell_work, shell_work_text. Needs: om, footprint.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "paraiso/om/divide/distribute.hpp"

namespace paraiso::hardware {

/// By axis: whether a part's ghost cells below and above it are those of others. `tree` has the
/// Warps that the machine needs.
[[nodiscard]] std::vector<std::array<bool, 2>> received_sides(const om::Orthotree& tree,
                                                              const om::Cell& size,
                                                              const om::Box& part);

/// Of each part: how many cells a call of a kernel computes for one of its own, on average over
/// all operations.
[[nodiscard]] std::vector<double> computed_shares(const om::Graph& graph, const om::Orthotree& tree,
                                                  const om::Cell& size);

/// What each kernel reads before it has stored anything, which one exchange is to bring.
[[nodiscard]] std::vector<std::vector<om::Want>> first_wants(const om::Machine& machine);

/// Cells that all parts compute beyond their own, as a share of these. With `single_steps` > 1
/// ranks take so many steps of `kernel` one by one for one exchange, if that can be enough.
[[nodiscard]] double shell_work(const om::Machine& machine, const om::Kernel& kernel,
                                int single_steps, const om::Orthotree& tree, const om::Cell& size);
/// `parts compute 12.5 % more cells than they have`, a line.
[[nodiscard]] std::string shell_work_text(double share);

}  // namespace paraiso::hardware
