// Memory: the statics during one kernel, as they were at entry and as each step stored them.
// Gives: Memory. Needs: State, evaluate_graph.
#pragma once

#include <map>
#include <tuple>

#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/om/interpret/interpret_graph.hpp"

namespace paraiso::om {

/// Stored values are kept apart from the state, which changes only in `commit`.
class Memory {
 public:
  Memory(const Machine& machine, const State& entry)
      : machine_(machine), entry_(entry), core_{Cell(entry.size.size(), 0), entry.size} {}

  /// The core cells, from 0 to the size of each axis.
  [[nodiscard]] const Box& core() const { return core_; }
  /// The core cells of a Local, or a Global's value, that step `step` finds: those that the latest
  /// earlier step stored.
  [[nodiscard]] const Array& at(StaticId id, int step) const;
  /// A Local at any cell, its halo filled by its boundary; or a Global, for the empty cell.
  [[nodiscard]] Constant load(StaticId id, int step, Cell cell) const;
  void store(StaticId id, int step, const Values& values);
  /// Copies what the last step stored into `state`, the one that this memory began with.
  void commit(State& state) const;

 private:
  [[nodiscard]] Constant core_cell(StaticId id, int step, const Cell& cell) const;
  [[nodiscard]] Constant clamped(StaticId id, int step, Cell cell) const;
  [[nodiscard]] Constant user_boundary(const BoundaryKernel& kernel, int step,
                                       const Cell& cell) const;

  struct Version {
    StaticId id;
    int step;  // that stored it
    Array array;
  };
  using Line = std::tuple<const BoundaryKernel*, int, Cell, Cell>;  // step, lower, upper

  const Machine& machine_;
  const State& entry_;
  Box core_;
  std::vector<Version> versions_;
  // What boundary kernels give, a line of cells at a time: to begin an evaluation takes longer than
  // a cell of it.
  mutable std::map<Line, Values> lines_;
};

}  // namespace paraiso::om
