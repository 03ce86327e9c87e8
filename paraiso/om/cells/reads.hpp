// reads: at which neighbours a graph reads each loaded static, exactly.
// Gives: Reads, reads_of. Needs: Graph, Cell.
//
//   %1 = shift %0 (-2)          # reads x + 2
//   store f %1                  ->  the offset 2, not the interval [0, 2]
#pragma once

#include <map>
#include <set>

#include "paraiso/om/cells/box.hpp"
#include "paraiso/om/graph/graph.hpp"

namespace paraiso::om {

/// For each step, for each Local static: the offsets o such that computing the results in cell x
/// needs the static in cell x + o.
using Offsets = std::set<Cell>;
using Reads = std::map<int, std::map<StaticId, Offsets>>;

/// The results are what the graph stores, what it reduces on the way there, and `wanted` if valid.
[[nodiscard]] Reads reads_of(const Graph& graph, ValueId wanted = {});

}  // namespace paraiso::om
