// One instruction as `.om` text, without its results: `shift %3 (-1, 0)`.
// Gives: word, Labels, number_values, instruction_text. Needs: Graph.
#pragma once

#include "paraiso/om/graph/graph.hpp"

namespace paraiso::om {

/// The instruction's first word: `load_index`, `mul`.
[[nodiscard]] const char* word(const Instruction& instruction);

/// The number of each value in the text, by ValueId; values that are not printed have none.
using Labels = std::vector<std::uint32_t>;

/// Numbers the results of `order`'s nodes 0, 1, 2, ...
[[nodiscard]] Labels number_values(const Graph& graph, std::span<const NodeId> order);

[[nodiscard]] std::string instruction_text(const Graph& graph, const Node& node,
                                           const Labels& labels);

}  // namespace paraiso::om
