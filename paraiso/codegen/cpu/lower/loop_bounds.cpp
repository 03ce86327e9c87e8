#include "paraiso/codegen/cpu/lower/loop_bounds.hpp"

#include "paraiso/plan/cpu/jam.hpp"

namespace paraiso::codegen {

using namespace claris;
using namespace om;

ExprPtr LoopBounds::begin(int a) const {
  if (is_cut(a)) return begin_of_cut(stage_.limit);
  ExprPtr first = plus(make({TileBegin{a}}), integer(-stage_.reach.lower[a]));
  if (stage_.limit.lower[a] >= stage_.reach.lower[a] + frame_.group.box.lower[a]) return first;
  return make({Larger{std::move(first), integer(-stage_.limit.lower[a])}});
}

ExprPtr LoopBounds::end(int a) const {
  if (is_cut(a)) return end_of_cut(stage_.limit);
  ExprPtr last = plus(make({TileEnd{a}}), integer(stage_.reach.upper[a]));
  if (stage_.limit.upper[a] >= stage_.reach.upper[a] + frame_.group.box.upper[a]) return last;
  return make({Smaller{std::move(last), beyond_grid(a, stage_.limit)}});
}

ExprPtr LoopBounds::begin_of_cut(const plan::Extent& box) const {
  const int a = frame_.group.cut;
  return make({Larger{plus(make({TileBegin{a}}), moved()), integer(-box.lower[a])}});
}

ExprPtr LoopBounds::end_of_cut(const plan::Extent& box) const {
  const int a = frame_.group.cut;
  return make({Smaller{minus(make({TileEnd{a}}), moved()), beyond_grid(a, box)}});
}

ExprPtr LoopBounds::beyond_grid(int a, const plan::Extent& box) const {
  return plus(make({GridSize{a}}), integer(box.upper[a]));
}

bool LoopBounds::is_cut(int a) const { return frame_.split() && a == frame_.group.cut; }

ExprPtr LoopBounds::moved() const { return times(make({TileSlant{}}), integer(stage_.slope)); }

bool LoopBounds::runs_outside(std::int32_t offset, int axis) const {
  return stage_.reach.lower[axis] != offset || stage_.reach.upper[axis] != -offset;
}

ExprPtr LoopBounds::any_of_turn(int a) const {
  const int later = plan::rows_at_a_time(frame_.group, a) - 1;  // rows of the turn
  return make({Within{name(loop_variable(a)), minus(begin(a), integer(later)), end(a)}});
}

ExprPtr LoopBounds::in_turn(int row) const {
  const plan::Group& group = frame_.group;
  if (group.cpu.jam == 1 || (row == 0 && group.sweep.empty())) return {};
  const int axis = plan::jam_axis(group);
  return make({Within{plus(name(loop_variable(axis)), integer(row)), begin(axis), end(axis)}});
}

ExprPtr LoopBounds::inside(const Offset& offset) const {
  if (frame_.split()) return {};
  ExprPtr all;
  for (int axis : frame_.group.sweep) {
    if (!runs_outside(offset[axis], axis)) continue;
    ExprPtr one = make({Within{plus(name(loop_variable(axis)), integer(offset[axis])),
                               make({TileBegin{axis}}), make({TileEnd{axis}})}});
    all = all ? both(std::move(all), std::move(one)) : std::move(one);
  }
  return all;
}

}  // namespace paraiso::codegen
