// LoopBounds: where a loop of a group begins and ends, and where what it makes lies.
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
  /// Along the cut of a split group, of what lies in `box`.
  [[nodiscard]] claris::ExprPtr begin_of_cut(const plan::Extent& box) const;
  [[nodiscard]] claris::ExprPtr end_of_cut(const plan::Extent& box) const;
  /// The condition that the row so far from the loop's own lies inside the tile; nothing where it
  /// always does.
  [[nodiscard]] claris::ExprPtr inside(const om::Offset& offset) const;
  /// The condition that a turn has rows to make, as an axis of the sweep has it.
  [[nodiscard]] claris::ExprPtr any_of_turn(int a) const;
  /// Of a row of a turn, that it is to be made; nothing where it always is.
  [[nodiscard]] claris::ExprPtr in_turn(int row) const;

 private:
  [[nodiscard]] bool runs_outside(std::int32_t offset, int axis) const;
  /// Whether the ends of a tile move along an axis; and how far inwards they have.
  [[nodiscard]] bool is_cut(int a) const;
  [[nodiscard]] claris::ExprPtr moved() const;
  [[nodiscard]] claris::ExprPtr beyond_grid(int a, const plan::Extent& box) const;

  GroupFrame& frame_;
  const plan::Stage& stage_;
};

}  // namespace paraiso::codegen
