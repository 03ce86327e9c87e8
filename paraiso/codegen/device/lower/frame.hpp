// frame: what kernels of a device have in common: words that no name may be, blocks, where a cell
// lies, the loops over cells.
// Gives: kThreadsOfRow, block_shape, kernel_names, stride_name, beside, over_box.
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

/// Where `at` + offset lies: `at + row - 1`.
[[nodiscard]] claris::ExprPtr beside(const om::Offset& offset);

/// For every cell of a box, widened beyond the grid: declares `at`, where it lies in every array,
/// and runs `cell`. Declares the strides ahead of the loops. A thread makes `cells` cells that
/// follow each other along the last axis of the launch.
[[nodiscard]] claris::Block over_box(const plan::Extent& box, claris::Block cell, int cells = 1);

}  // namespace paraiso::codegen
