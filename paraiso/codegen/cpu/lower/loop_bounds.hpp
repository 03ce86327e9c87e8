// LoopBounds: where a loop of a group begins and ends, and where its results lie.
// Gives: LoopBounds. Needs: group_frame.
#pragma once

#include "paraiso/codegen/cpu/lower/group_frame.hpp"

namespace paraiso::codegen {

class LoopBounds {
 public:
  LoopBounds(GroupFrame& frame, const plan::Stage& stage) : frame_(frame), stage_(stage) {}

  /// Along an axis.
  [[nodiscard]] claris::ExprPtr begin(int a) const;
  [[nodiscard]] claris::ExprPtr end(int a) const;
  /// Along the cut axis of a split group, for cells in `box`.
  [[nodiscard]] claris::ExprPtr begin_of_cut(const plan::Extent& box) const;
  [[nodiscard]] claris::ExprPtr end_of_cut(const plan::Extent& box) const;
  /// The condition that the row at `offset` from the loop's own lies inside the tile; null if it
  /// always does.
  [[nodiscard]] claris::ExprPtr inside(const om::Offset& offset) const;
  /// With several rows in an iteration: that any of them is to be computed, along axis `a` of the
  /// sweep.
  [[nodiscard]] claris::ExprPtr any_of_turn(int a) const;
  /// That row number `row` of an iteration is to be computed; null if it always is.
  [[nodiscard]] claris::ExprPtr in_turn(int row) const;

 private:
  [[nodiscard]] bool runs_outside(std::int32_t offset, int axis) const;
  /// Whether the ends of a tile move along an axis, and how far inwards they have moved.
  [[nodiscard]] bool is_cut(int a) const;
  [[nodiscard]] claris::ExprPtr moved() const;
  [[nodiscard]] claris::ExprPtr beyond_grid(int a, const plan::Extent& box) const;

  GroupFrame& frame_;
  const plan::Stage& stage_;
};

}  // namespace paraiso::codegen
