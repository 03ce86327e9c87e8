// cost: the cost of one cell of a kernel, if every value is computed once and none is stored
// between.
// Gives: Cost, cost_of, divides. Needs: om.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::passes {

/// Per core cell. Values that one fused step hands to the next cause no loads, stores or bytes.
struct Cost {
  double operations = 0;  // weighted: an addition is 1 (the column of the operator table)
  int instructions = 0;   // Local Arith instructions
  int divides = 0;        // divides, reciprocals and square roots
  int loads = 0;          // distinct Local statics read at entry
  int stores = 0;         // distinct Local statics that change
  double bytes = 0;       // read once and written once: the least traffic with memory
};

/// Whether an operator occupies the machine's divider.
[[nodiscard]] bool divides(om::Op op);

[[nodiscard]] Cost cost_of(const om::Graph& graph);

}  // namespace paraiso::passes
