// reads: at which neighbours a graph reads each loaded static, exactly.
// Gives: Reads, reads_of, reads_between_steps. Needs: Graph, Cell.
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
/// Throws Error where one reads another at 2^20 cells or more.
[[nodiscard]] Reads reads_of(const Graph& graph, ValueId wanted = {});

/// Whether a result needs a Local static as it is after one of the graph's steps, with sides that
/// are filled anew, and not as it is at entry.
[[nodiscard]] bool reads_between_steps(const Graph& graph);

}  // namespace paraiso::om
