// evaluate_graph: one graph's values over boxes of cells, each widened as far as its consumers
// read. Gives: Values, LoadCell, StoreValues, evaluate_graph, PartAccess, evaluate_parts. Needs:
// Graph, Box, evaluate, reduce_tree.
#pragma once

#include <functional>
#include <span>

#include "paraiso/om/cells/box.hpp"
#include "paraiso/om/graph/graph.hpp"

namespace paraiso::om {

/// A value of a graph: a Local's over its box, a Global's over the box without axes.
struct Values {
  Box box;
  std::vector<Constant> constants;  // by position

  [[nodiscard]] Constant at(const Cell& cell) const { return constants[box.position(cell)]; }
};

/// The loaded static's value at `cell`; for a Global, `cell` is empty.
using LoadCell = std::function<Constant(const Load&, const Cell& cell)>;
/// Called for each Store with what it stores, before any Load of a later step.
using StoreValues = std::function<void(const Store&, const Values&)>;

/// Computes every value of `graph` over at least `box`. `size` is what LoadSize gives. Returns the
/// value of `wanted` if it is valid.
Values evaluate_graph(const Graph& graph, const Box& box, const std::vector<std::int64_t>& size,
                      const LoadCell& load, const StoreValues& store, ValueId wanted = {});

/// One of several boxes of a grid over which a graph is evaluated.
struct PartAccess {
  Box core;
  LoadCell load;
  StoreValues store;
  Cell zero = {};  // the cell of index 0; of all parts of one grid the same
};
/// Called for each Reduce with its operand's values over each part: the same result for all parts.
using ReduceParts = std::function<Constant(const Reduce&, std::span<const Values* const>)>;
/// Called before a step's first instruction, when all parts have stored what earlier steps store.
using BeforeStep = std::function<void(int step)>;

/// Computes every value of `graph` over each part, instruction by instruction.
void evaluate_parts(const Graph& graph, std::span<const PartAccess> parts,
                    const std::vector<std::int64_t>& size, const ReduceParts& reduce,
                    const BeforeStep& before_step);

}  // namespace paraiso::om
