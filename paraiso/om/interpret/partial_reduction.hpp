// PartialReduction: a reduction of some cells of a grid, to be joined with those of all others.
// Gives: PartialReduction. Needs: Constant, Box, the reduction tree.
//
// The tree of docs/om.md combines neighbours in pairs, level by level: its nodes are intervals
// [j 2^k, (j + 1) 2^k) of chunks, rows, planes, ..., the last ones shorter. Whatever the cells are
// divided into, each part can compute the nodes that lie in it whole; parts of chunks are kept as
// cells, because lanes combine their cells one after the other. So any division gives the same
// bits.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "paraiso/om/cells/box.hpp"
#include "paraiso/om/graph/instruction.hpp"

namespace paraiso::om {

class PartialReduction {
 public:
  PartialReduction(ReduceOp op, Element element, Cell size);

  /// The cells of `box`, by position: none that was added before.
  void add(const Box& box, std::span<const Constant> cells);
  /// What another part has reduced.
  void merge(const PartialReduction& other);
  /// The result, if all cells of the grid were added; else nullopt.
  [[nodiscard]] std::optional<Constant> result() const;
  /// The numbers that stand for the cells added so far: what a part has to send.
  [[nodiscard]] std::size_t count() const;
  /// The same for all cells of `box`, without them.
  [[nodiscard]] static double count_of(ReduceOp op, Element element, const Box& box,
                                       const Cell& size);

 private:
  /// A node of the tree along `axis`, 2^level items long. `place` is its number there, the items'
  /// indices along the axes above, and 0 along those below.
  using Key = std::tuple<std::size_t, int, Cell>;  // axis, level, place
  struct Fragment {                                // of a chunk that lies in several parts
    std::vector<std::optional<Constant>> cells;
    std::size_t missing = 0;
  };

  [[nodiscard]] Constant combined(Constant x, Constant y) const;
  void add_unordered(Constant value, std::size_t cells);
  void add_row(const Cell& first, std::span<const Constant> cells);
  void add_to_chunk(const Cell& place, std::size_t first, std::span<const Constant> cells);
  void add_node(std::size_t axis, int level, Cell place, Constant value);
  [[nodiscard]] std::int64_t chunk_length(std::int64_t chunk) const;

  ReduceOp op_;
  Element element_;
  Cell size_;
  bool ordered_;                       // a sum or product of floats
  std::optional<Constant> unordered_;  // of the others: that of the cells so far
  std::size_t missing_;                // cells, of the others
  std::map<Key, Constant> nodes_;
  std::map<Cell, Fragment> fragments_;  // by chunk number and indices along the axes above
  std::optional<Constant> total_;
};

}  // namespace paraiso::om
