// What a part of a grid reads of others, by a walk from cell to cell.
#pragma once

#include <set>

#include "paraiso/om/cells/box.hpp"
#include "paraiso/om/graph/machine.hpp"

namespace paraiso::test {

/// What one leaf reads and does not own, cell by cell: a walk from each of its results through the
/// graph. It knows no boxes and shares nothing with what it tests.
class CellsRead {
 public:
  using Read = std::pair<om::StaticId, om::Cell>;

  /// Of the states at entry to that step of a kernel.
  CellsRead(const om::Machine& machine, const om::Cell& size, int step)
      : machine_(machine), size_(size), step_(step) {}

  std::set<Read> reads(const om::Kernel& kernel, const om::Box& core);

 private:
  struct Walk {
    const om::Graph& graph;
    bool in_boundary;
    std::set<std::pair<om::ValueId, om::Cell>> seen;
    std::set<om::ValueId> seen_results;
  };

  void add_result(Walk& walk, om::ValueId v, const om::Box& core);
  void add_reductions(Walk& walk, om::ValueId v, const om::Box& core);
  void visit(Walk& walk, om::ValueId v, om::Cell cell);
  void visit_ghost(om::StaticId id, om::Cell cell);

  const om::Machine& machine_;
  const om::Cell& size_;
  int step_;
  std::set<Read> found_;
};

}  // namespace paraiso::test
