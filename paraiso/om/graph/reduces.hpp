// reduces: whether a kernel reduces anything, and whether a reduction has an order.
// Gives: reduces, has_order. Needs: graph.
#pragma once

#include "paraiso/om/graph/graph.hpp"

namespace paraiso::om {

[[nodiscard]] inline bool reduces(const Graph& graph) {
  for (std::size_t n = 0; n < graph.node_count(); ++n)
    if (std::holds_alternative<Reduce>(graph.node(NodeId(n)).instruction)) return true;
  return false;
}

/// Whether the bits of a reduction depend on the order in which cells are combined.
[[nodiscard]] inline bool has_order(ReduceOp op, Element element) {
  return is_float(element) && (op == ReduceOp::sum || op == ReduceOp::product);
}

}  // namespace paraiso::om
