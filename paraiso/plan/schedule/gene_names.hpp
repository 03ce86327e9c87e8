// gene_names: names for the genes of values, chosen so that a line added to a solver does not
// rename what it does not change. Gives: GeneNames, value_names. Needs: om.
//
// A value that the user has named, or a bundle of such values, keeps that name. Any other
// value is named by its scope, its operator and its operands:
//
//   half/x/interpolate/density/min(sum,max)
//   half/difference_x/density/sub(half_flux_x.density[-1,0],half_flux_x.density)
//
// An operand appears by its name, or as the static or constant that it is; otherwise by its
// operator alone, with `sum` for all sums and differences, since a product may be contracted into
// one depending on its other readers (passes/rewrite/contract.hpp). Values that are alike in all
// this are numbered in canonical order: `mul(sum,sum)`, `mul(sum,sum)#1`. So an added line renames
// only the readers of what it changes, and sometimes a value that looks like the added one.
#pragma once

#include <map>
#include <string>

#include "paraiso/om/graph/graph.hpp"

namespace paraiso::plan {

/// Invariant: no two unnamed values have one name.
class GeneNames {
 public:
  explicit GeneNames(const om::Graph& graph) : graph_(graph) {}

  /// The name of a result of an Arith; to be called in canonical order, once for each.
  [[nodiscard]] std::string next(om::ValueId value);

 private:
  const om::Graph& graph_;
  std::map<std::string, int> counts_;
};

/// What people read where each value of a graph is meant, by its id: its own name, else what a gene
/// of it is called, else what it loads or is. Values that would be called alike carry, if they are
/// reductions, what they are for, `sum for mass`, and else their number in `.om` text, `flux
/// (%68)`, but for the one value of cells among scalars. Values that nothing needs are called by
/// their number alone.
[[nodiscard]] std::vector<std::string> value_names(const om::Graph& graph);

}  // namespace paraiso::plan
