// gene_names: what the genes of values are called, so that a line added to a solver leaves the
// names of all that it does not change. Gives: GeneNames. Needs: om.
//
// A value that the user has named, or a bundle of such values, is called so. Any other one is
// called by where it stands and what it computes from what:
//
//   half/x/interpolate/density/min(sum,max)
//   half/difference_x/density/sub(half_flux_x.density[-1,0],half_flux_x.density)
//
// An operand is told by its name, or as the static or constant that it is; else by its operator
// alone, with `sum` for all sums and differences: whether a product vanishes in one depends on who
// else reads the product (passes/contract.hpp). Values that are alike in all this are counted, in
// canonical order: `mul(sum,sum)`, `mul(sum,sum)#1`. So a line that is added renames what reads
// what it changes, and sometimes one that is like what it adds.
#pragma once

#include <map>
#include <string>

#include "paraiso/om/graph.hpp"

namespace paraiso::plan {

/// Invariant: no two unnamed values have one name.
class GeneNames {
 public:
  explicit GeneNames(const om::Graph& graph) : graph_(graph) {}

  /// Of a result of an Arith; asked in canonical order, once of each.
  [[nodiscard]] std::string next(om::ValueId value);

 private:
  const om::Graph& graph_;
  std::map<std::string, int> counts_;
};

}  // namespace paraiso::plan
