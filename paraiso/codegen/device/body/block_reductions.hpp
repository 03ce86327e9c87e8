// block_reductions: what a group's blocks reduce of what they make. Gives: BlockReductions.
// Needs: cell_lowering; plan's fused_sums.
//
//   without order                              by the fixed tree, plane by plane
//   item = identity                            item = identity
//   each cell: item = add(item, value)         the cell: item = value
//   at the end: all items of the block in      16 threads add every 16th item of a chunk, one of
//   pairs, and one thread leaves the result    them their sums in pairs, and leaves the result
//
// Partial results that no block leaves have the identity from the beginning.
#pragma once

#include "paraiso/codegen/device/body/cell_lowering.hpp"
#include "paraiso/codegen/device/reduction_text.hpp"

namespace paraiso::codegen {

class BlockReductions {
 public:
  BlockReductions(const plan::Plan& plan, const plan::KernelPlan& kernel, const plan::Group& group,
                  Names& names, ParameterList& parameters);

  [[nodiscard]] bool any() const { return !all_.empty(); }
  /// The variables of a thread's place in its block; without them they are declared here.
  void use_columns(std::vector<std::string> columns) { columns_ = std::move(columns); }

  /// At the kernel's beginning.
  [[nodiscard]] claris::Block declare();
  /// The numbers of those of a stage.
  [[nodiscard]] std::vector<std::size_t> of(const plan::Stage& stage) const;
  /// The root of its stage that one reduces.
  [[nodiscard]] int root(std::size_t number) const { return all_[number].root; }
  /// After the body of its stage, where the cell is one of the block's own.
  [[nodiscard]] claris::Block take(std::size_t number, const CellLowering& lowering) const;
  /// After its stage, for all threads: chunks. `inside`: whether a thread's cell is on the grid;
  /// `indices`: its own along the axes above x.
  [[nodiscard]] claris::Block finish_chunks(std::size_t number, const claris::ExprPtr& inside,
                                            const std::vector<claris::ExprPtr>& indices) const;
  /// At the kernel's end, in a launch of so many axes.
  [[nodiscard]] claris::Block finish_blocks(int axes) const;

 private:
  struct One {
    const plan::Stage* stage;
    int root;
    DeviceReduction reduction;
    bool has_order;
    std::string item, items, lanes, partials, places;
  };
  [[nodiscard]] claris::ExprPtr combined(const One& one, claris::ExprPtr left,
                                         claris::ExprPtr right) const;
  [[nodiscard]] claris::Block lane_of(const One& one) const;
  [[nodiscard]] claris::ExprPtr result_of(const One& one) const;
  [[nodiscard]] claris::ExprPtr tree_of(const One& one, int first, int count) const;
  [[nodiscard]] claris::ExprPtr here(const std::string& array, claris::ExprPtr column) const;
  /// The chunk of its row that a thread is of, and its place there.
  [[nodiscard]] claris::ExprPtr chunk() const;
  [[nodiscard]] claris::ExprPtr in_chunk() const;

  std::vector<int> threads_;  // of a block, along each axis of the launch that has any
  std::vector<One> all_;
  std::vector<std::string> columns_;
  Names& names_;
  std::string thread_;  // the number of a thread in its block
  std::string lane_, next_;
};

}  // namespace paraiso::codegen
