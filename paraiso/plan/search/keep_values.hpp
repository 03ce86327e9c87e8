// keep_values: what would otherwise be computed more than once a cell. Gives: values_to_keep,
// planes_to_join. Needs: genes.
//
// From the outputs backwards, users before operands, each value's demand is the set of
// displacements at which the loops that need it would compute it. What is kept is demanded at the
// cell itself only, so its operands' demands start afresh there: two stages of a solver never
// multiply. A value demanded at several displacements is kept where that saves more operations than
// it costs.
#pragma once

#include <set>

#include "paraiso/plan/schedule/genes.hpp"

namespace paraiso::plan {

/// Places in genes.storage.
[[nodiscard]] std::set<int> values_to_keep(const om::Kernel& kernel, const KernelGenes& genes);

/// Places in genes.storage of what is made of two planes across `axis` of one of the `kept` values,
/// where nothing else reads another plane of that than its own: kept itself, it spares a plane.
[[nodiscard]] std::set<int> planes_to_join(const om::Kernel& kernel, const KernelGenes& genes,
                                           const std::set<int>& kept, int axis);

}  // namespace paraiso::plan
