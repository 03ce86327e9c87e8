// distribute: who sends which cells of which static to whom, so that each leaf of a division can
// compute its own cells. Plain data; how it is sent is not its business.
// Gives: Reach, Want, Transfer, Image, Exchange, communicate, is_cyclic, stored_by, read_by_sides,
// Move, redivide, with_warps, exact_wants. Needs: Machine, Orthotree, Box.
//
// T. Muranushi (2012), section 7.3, has `communicate`, `split` and `merge`. Here:
//
//   communicate  each cell of the grid that a leaf needs and does not own comes from its owner,
//   once,
//                in one message a peer. Ghost cells beyond the grid's edges are not sent: the leaf
//                makes them itself from what it has, by the rules of its sides.
//   redivide     from one division to another: `split` and `merge` are those to a division with a
//                leaf divided, or two leaves merged.
//
// A cell is named by its place in the whole grid. A leaf that reads beyond a cyclic axis's end
// keeps the cell at its place plus a shift, a multiple of the grid's size.
#pragma once

#include <span>

#include "paraiso/om/cells/reads.hpp"
#include "paraiso/om/divide/orthotree.hpp"
#include "paraiso/om/graph/machine.hpp"

namespace paraiso::om {

/// Cells read of a static to compute a core: [lower + least, upper + most) of each axis. For one
/// offset both are that offset; for all within a halo's widths, their negative and positive sides.
struct Reach {
  Cell least, most;
  friend auto operator<=>(const Reach&, const Reach&) = default;
};

/// What is read of a Local static: the union of all reaches, so no corner that nobody reads.
/// Offsets that together are a box are one reach.
struct Want {
  StaticId what;
  std::vector<Reach> reaches;
  friend auto operator<=>(const Want&, const Want&) = default;
};
[[nodiscard]] std::vector<Want> exact_wants(const std::map<StaticId, Offsets>& reads);

/// Cells that `from` owns and `to` keeps at their place + `shift`.
struct Transfer {
  std::size_t from = 0, to = 0;
  StaticId what;
  Box cells;
  Cell shift;
};
/// Cells that a leaf has at their place + `known` and keeps at their place + `shift`, too.
struct Image {
  std::size_t leaf = 0;
  StaticId what;
  Box cells;
  Cell known, shift;
};
struct Exchange {
  std::vector<Transfer>
      transfers;              // in order of `from`, `to`, `what`: messages one after the other
  std::vector<Image> images;  // after the transfers, in this order
};

/// What each leaf of `tree` needs beyond its core to have `wants`, including what boundary kernels
/// read to make ghost cells. Every static that is cyclic along an axis needs the tree's Warp there
/// (checked: throws Error).
[[nodiscard]] Exchange communicate(const Machine& machine, const Orthotree& tree, const Cell& size,
                                   std::span<const Want> wants);

/// A Local that goes on at the other end of the axis.
[[nodiscard]] bool is_cyclic(const Static& s, std::size_t axis);
/// The Locals that a kernel stores.
[[nodiscard]] std::vector<StaticId> stored_by(const Machine& machine, const Kernel& kernel);
/// The Locals from which boundary kernels make a Local's ghost cells.
[[nodiscard]] std::vector<StaticId> read_by_sides(const Machine& machine, const Static& local);

/// Cells of every Local static that leaf `from` of the old division owns and `to` of the new one.
struct Move {
  std::size_t from = 0, to = 0;
  Box cells;
};
[[nodiscard]] std::vector<Move> redivide(const Orthotree& before, const Orthotree& after,
                                         const Cell& size);

/// `tree` below a Warp for each axis along which a Local static is cyclic.
[[nodiscard]] Orthotree with_warps(const Machine& machine, const Orthotree& tree);

}  // namespace paraiso::om
