// keep_values: which values to store, because they would otherwise be computed more than once a
// cell. Gives: values_to_keep, planes_to_join, demands. Needs: genes.
//
// From the outputs backwards, users before operands, the demand of a value is the set of offsets at
// which the loops that need it would compute it. A stored value is computed at the cell itself
// only, so the demands of its operands start again there: the stages of a solver don't multiply. A
// value demanded at several offsets is stored if that saves more operations than it costs.
#pragma once

#include <set>
#include <string>

#include "paraiso/plan/schedule/genes.hpp"

namespace paraiso::plan {

/// Places in genes.storage.
[[nodiscard]] std::set<int> values_to_keep(const om::Kernel& kernel, const KernelGenes& genes);

/// What is known of the values of one storage gene; of several, the most of any of them.
struct ValueDemand {
  bool kept = false;     // it is one of values_to_keep
  std::size_t uses = 0;  // offsets at which loops ask for it, where those are kept
  double cost = 0;       // of computing it once, in additions, from values that are kept
  bool divides = false;  // that takes a divider
  bool crosses = false;  // two of the offsets lie apart along the outermost axis
  bool stored = false;   // a Store or a Reduce takes it as it is
  int depth = 0;         // the kept values on the longest way to it, itself included
  unsigned axes = 0;     // along which offsets lie apart: a bit each
  std::string made_by;   // the operator or instruction of the first of them
  // How they are computed: equal for equal expressions of fields of whatever names.
  std::uint64_t computation = 0;
};

/// For each of genes.storage.
[[nodiscard]] std::vector<ValueDemand> demands(const om::Kernel& kernel, const KernelGenes& genes);

/// Places in genes.storage of values computed from two planes, along `axis`, of one of the `kept`
/// values, if nothing else reads a second plane of that: storing the result saves a plane.
[[nodiscard]] std::set<int> planes_to_join(const om::Kernel& kernel, const KernelGenes& genes,
                                           const std::set<int>& kept, int axis);

}  // namespace paraiso::plan
