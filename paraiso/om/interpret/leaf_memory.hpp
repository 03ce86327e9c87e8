// LeafMemory: the statics of one leaf of a division during one kernel: its own cells, and those of
// others that it was sent. Gives: Patch, Flaw, LeafMemory. Needs: Machine, Box, distribute.
#pragma once

#include <optional>

#include "paraiso/om/divide/distribute.hpp"
#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/om/interpret/interpret_graph.hpp"

namespace paraiso::om {

/// Some cells of a box: those that were put there.
class Patch {
 public:
  void make_room(const Box& box);
  void put(const Cell& cell, Constant value);  // for which there is room
  [[nodiscard]] const Constant* find(const Cell& cell) const;

 private:
  Box box_;
  std::vector<std::optional<Constant>> cells_;
};

/// What a wrong implementation might do; for tests that have to notice.
enum class Flaw : std::uint8_t {
  none,
  narrow_halo,   // one cell too few is sent on one side
  stale_halo,    // what was stored since is not sent again
  corner_order,  // ghost cells are brought inside along axis 0 first
  local_index,   // indices count from the leaf's own first cell
  local_sum      // each leaf reduces its cells as if they were a grid
};

/// Of a kernel that runs on a leaf. A static's cells are kept at their place in the grid, or, where
/// they are read beyond a cyclic axis's end, at the place where they are read.
class LeafMemory {
 public:
  LeafMemory(const Machine& machine, const Cell& size, Box core, Flaw flaw)
      : machine_(machine),
        size_(size),
        core_(std::move(core)),
        flaw_(flaw),
        entry_(machine.statics.size()) {}

  [[nodiscard]] const Box& core() const { return core_; }
  /// The state at entry: of a Local at least the core, of a Global the cell without indices.
  [[nodiscard]] Patch& entry(StaticId id) { return entry_[id.index]; }
  [[nodiscard]] const Patch& entry(StaticId id) const { return entry_[id.index]; }
  /// The cells that `step` finds.
  [[nodiscard]] Patch& at(StaticId id, int step);

  /// What the kernel reads; all else that is loaded is never used, and is garbage.
  void expect(const Reads* reads, const std::vector<Reads>* of_boundary_kernels) {
    reads_ = reads;
    of_boundary_kernels_ = of_boundary_kernels;
  }
  /// A Local at any cell that the kernel reads, ghost cells made by the rules of their sides; or a
  /// Global. Throws std::logic_error if a cell is neither the leaf's own nor was sent.
  [[nodiscard]] Constant load(const Load& load, const Cell& cell);
  void store(StaticId id, int step, const Values& values);
  /// Makes what the last step stored the entry of the next kernel.
  void commit();

 private:
  [[nodiscard]] bool is_read(const Load& load, const Cell& cell) const;
  [[nodiscard]] Constant kept(StaticId id, int step, const Cell& place);
  [[nodiscard]] Constant boundary(const UserBoundary& side, int step, const Cell& cell,
                                  const Cell& shift);

  struct Version {
    StaticId id;
    int step;  // that stored it
    Patch patch;
  };
  const Machine& machine_;
  const Cell& size_;
  Box core_;
  Flaw flaw_;
  std::vector<Patch> entry_;  // by StaticId
  std::vector<Version> versions_;
  const Reads* reads_ = nullptr;
  const std::vector<Reads>* of_boundary_kernels_ = nullptr;
};

}  // namespace paraiso::om
