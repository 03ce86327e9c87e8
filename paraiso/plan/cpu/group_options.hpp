// group_options: the properties of a group that follow from options alone: tiles, vectors, jam.
// Gives: set_options, vector_cells. Needs: plan, cpu_options; inside jam.
#pragma once

#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

/// Sets tiles, vectors and memory options from the kernel's options and leaves the rest. Along axis
/// 0 tiles are whole vectors, and whole chunks of the reduction tree where there is a Reduce.
void set_options(const om::Graph& graph, Group& group, const CpuOptions& options);

/// Vector loops start and end at multiples of this many cells; surplus lanes land in padding.
[[nodiscard]] int vector_cells(const om::Graph& graph, const Stage& stage);

}  // namespace paraiso::plan
