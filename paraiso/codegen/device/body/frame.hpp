// frame: what kernels of a device have in common: words that no name may be, blocks, where a cell
// lies, the loops over cells.
// Gives: kThreadsOfRow, block_shape, kernel_names, stride_name, repeat_routine, beside, end_of,
// first_cell, AtCell, over_box.
// Needs: CLARIS, names, plan, operators.
#pragma once

#include "paraiso/codegen/claris/tree.hpp"
#include "paraiso/codegen/lower/names.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::codegen {

inline constexpr int kThreadsOfRow = 256;  // of a block, where cells have no other shape

/// The blocks of a group, of which one-dimensional grids have all threads along their axis.
[[nodiscard]] claris::BlockShape block_shape(const plan::DeviceOptions& options, int dimension);

/// With the words of the languages of devices, and the names that the text of kernels has.
[[nodiscard]] const Names& kernel_names();

/// `row`, `plane`, ...: the variable for how far neighbours along an axis above 0 lie apart.
[[nodiscard]] std::string stride_name(int axis);

/// `store_ghosts_of_u`: what stores the ghost cells of a field that repeat a cell.
[[nodiscard]] std::string repeat_routine(const std::string& field);

/// Where a cell displaced from a place lies, by default from `at`: `at + row - 1`.
[[nodiscard]] claris::ExprPtr beside(const om::Offset& offset,
                                     claris::ExprPtr place = claris::name("at"));

/// The end of a box along an axis.
[[nodiscard]] claris::ExprPtr end_of(const plan::Extent& box, int axis);
/// `k_first`: of the cells that a thread makes along an axis.
[[nodiscard]] std::string first_cell(int axis);

/// What a thread does at a cell, and then, once it has done so at all of its cells.
struct AtCell {
  claris::Block first, then;
};

/// For every cell of a box, widened beyond the grid: declares `at`, where it lies in every array,
/// and runs what is to be done there. Declares the strides ahead of the loops. A thread makes
/// `cells` cells that follow each other along the last axis of the launch, each of them the first
/// of `vector` cells along x.
[[nodiscard]] claris::Block over_box(const plan::Extent& box, AtCell cell, int cells, int vector);

}  // namespace paraiso::codegen
