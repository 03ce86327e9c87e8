// evaluate_graph: one graph's values over boxes of cells, each widened as far as its consumers
// read. Gives: Cell, Box, Values, LoadCell, StoreValues, evaluate_graph. Needs: Graph, evaluate,
// reduce_tree.
#pragma once

#include <functional>

#include "paraiso/om/graph.hpp"

namespace paraiso::om {

using Cell = std::vector<std::int64_t>;  // one index an axis

/// The cells `lower <= index < upper` of each axis. A box without axes has one cell.
struct Box {
  Cell lower, upper;

  [[nodiscard]] std::size_t cell_count() const;
  /// Grows to the smallest box that also holds `other`, which has the same axes.
  void include(const Box& other);
  /// The position of `cell` in the box, axis 0 fastest. Of `cell`, the box's own axes count.
  [[nodiscard]] std::size_t position(const Cell& cell) const;
  /// Calls `visit(cell)` in the order of positions.
  template <class F>
  void for_each(F&& visit) const {
    Cell cell = lower;
    for (std::size_t left = cell_count(); left > 0; --left) {
      visit(static_cast<const Cell&>(cell));
      for (std::size_t a = 0; a < cell.size() && ++cell[a] == upper[a]; ++a) cell[a] = lower[a];
    }
  }
};

/// A value of a graph: of a Local over its box, of a Global over the box without axes.
struct Values {
  Box box;
  std::vector<Constant> constants;  // by position

  [[nodiscard]] Constant at(const Cell& cell) const { return constants[box.position(cell)]; }
};

/// The loaded static's value at `cell`; of a Global, `cell` is empty.
using LoadCell = std::function<Constant(const Load&, const Cell& cell)>;
/// Called for each Store with what it stores, before any Load of a later step.
using StoreValues = std::function<void(const Store&, const Values&)>;

/// Computes every value of `graph` over at least `box`. `size` is what LoadSize gives. Returns the
/// value of `wanted` if it is valid.
Values evaluate_graph(const Graph& graph, const Box& box, const std::vector<std::int64_t>& size,
                      const LoadCell& load, const StoreValues& store, ValueId wanted = {});

}  // namespace paraiso::om
