// reduces: whether a kernel reduces anything. Gives: reduces. Needs: graph.
#pragma once

#include "paraiso/om/graph.hpp"

namespace paraiso::om {

[[nodiscard]] inline bool reduces(const Graph& graph) {
  for (std::size_t n = 0; n < graph.node_count(); ++n)
    if (std::holds_alternative<Reduce>(graph.node(NodeId(n)).instruction)) return true;
  return false;
}

}  // namespace paraiso::om
