// The whole halo of a static, cell by cell, against the rules of its sides.
#include <gtest/gtest.h>

#include "by_hand.hpp"

namespace paraiso::om {
namespace {

using namespace by_hand;

/// The value of `id` at every index `first`, ..., `first + count - 1` of axis 0 (and `rest` on the
/// other axes), read by shifting it to cell 0.
std::string halo(Program p, State state, StaticId id, std::int64_t first, std::int64_t count,
                 std::vector<std::int32_t> rest = {}) {
  std::string all;
  for (std::int64_t x = first; x < first + count; ++x) {
    State copy = state;
    p.run(copy, [&](Graph& g) {
      Offset offset = {static_cast<std::int32_t>(-x)};
      for (auto r : rest) offset.push_back(-r);
      g.add(Store{id}, {shifted(g, g.add(Load{id}), offset)});
    });
    all += (all.empty() ? "" : " ") + copy.arrays[id.index].at(0).text();
  }
  return all;
}

std::string halo_of(Sides sides, std::vector<double> core, std::int64_t first, std::int64_t count) {
  Program p(1);
  StaticId f = p.local("f", {sides});
  State state = initial_state(p.machine, {static_cast<std::int64_t>(core.size())});
  set(state, f, core);
  return halo(p, state, f, first, count);
}

TEST(Halo, OfEachRule) {
  EXPECT_EQ(halo_of(kCyclic, {1, 2, 3}, -4, 11), "3 1 2 3 1 2 3 1 2 3 1");
  EXPECT_EQ(halo_of(kOutflow, {1, 2, 3}, -2, 7), "1 1 1 2 3 3 3");
  EXPECT_EQ(halo_of({Reflect{1}, Reflect{1}}, {1, 2, 3}, -3, 9), "3 2 1 1 2 3 3 2 1");
  EXPECT_EQ(halo_of({Reflect{-1}, Reflect{-1}}, {1, 2, 3}, -3, 9), "-3 -2 -1 1 2 3 -3 -2 -1");
  EXPECT_EQ(halo_of({Fixed{Constant(7.0)}, Fixed{Constant(8.0)}}, {1, 2, 3}, -2, 7),
            "7 7 1 2 3 8 8");
}

TEST(Halo, WiderThanTheGrid) {
  EXPECT_EQ(halo_of(kCyclic, {1}, -3, 7), "1 1 1 1 1 1 1");
  EXPECT_EQ(halo_of(kOutflow, {1}, -2, 5), "1 1 1 1 1");
  EXPECT_EQ(halo_of({Reflect{1}, Reflect{1}}, {1, 2}, -6, 14), "2 1 1 2 2 1 1 2 2 1 1 2 2 1");
  // Each reflection changes the sign again.
  EXPECT_EQ(halo_of({Reflect{-1}, Reflect{-1}}, {1}, -3, 7), "-1 1 -1 1 -1 1 -1");
  EXPECT_EQ(halo_of({Reflect{-1}, Reflect{1}}, {1, 2}, -6, 14),
            "2 1 -1 -2 -2 -1 1 2 2 1 -1 -2 -2 -1");
}

TEST(Halo, MixedSidesResolveByEachSidesRule) {
  // Reflected at the lower side, an index may come out above: there the upper side's rule holds.
  EXPECT_EQ(halo_of({Reflect{1}, Fixed{Constant(9.0)}}, {1, 2}, -4, 8), "9 9 2 1 1 2 9 9");
  EXPECT_EQ(halo_of({Reflect{-1}, Fixed{Constant(9.0)}}, {1, 2}, -4, 8), "-9 -9 -2 -1 1 2 9 9");
  EXPECT_EQ(halo_of({Outflow{}, Reflect{-1}}, {1, 2}, -2, 8), "1 1 1 2 -2 -1 -1 -1");
  EXPECT_EQ(halo_of({Fixed{Constant(-0.0)}, Reflect{-1}}, {5}, -1, 4), "-0 5 -5 0");
}

TEST(Halo, CornersBelongToTheLastAxis) {
  Program p(2);
  StaticId f =
      p.local("f", {{Fixed{Constant(7.0)}, Outflow{}}, {Reflect{-1}, Fixed{Constant(9.0)}}});
  State state = initial_state(p.machine, {2, 2});
  set(state, f, {1, 2, 3, 4});
  EXPECT_EQ(halo(p, state, f, -1, 4, {0}), "7 1 2 2");
  EXPECT_EQ(halo(p, state, f, -1, 4, {-1}),
            "-7 -1 -2 -2");  // copies of the row above, filled before
  EXPECT_EQ(halo(p, state, f, -1, 4, {-2}), "-7 -3 -4 -4");
  EXPECT_EQ(halo(p, state, f, -1, 4, {2}), "9 9 9 9");       // not 7: the last axis has the corner
  EXPECT_EQ(halo(p, state, f, -1, 4, {-3}), "-9 -9 -9 -9");  // reflected to row 2, which is fixed
}

TEST(Halo, OfIntegersWrapsUnderASign) {
  Program p(1);
  StaticId f = p.local("f", {{Reflect{-1}, Reflect{1}}}, {Realm::local, Element::i32});
  State state = initial_state(p.machine, {2});
  set<std::int32_t>(state, f, {INT32_MIN, 5});
  EXPECT_EQ(halo(p, state, f, -2, 6), "-5 -2147483648 -2147483648 5 5 -2147483648");
}

/// edge = 100 x + 10 g(x, clamped) + s, where g is another static and s a Global.
TEST(Halo, OfABoundaryKernelIsEvaluatedAtTheCell) {
  Program p(1);
  StaticId f = p.local("f", {kOutflow}), other = p.local("g", {kCyclic}), s = p.global("s");
  Graph g = p.graph();
  ValueId x = g.add(Arith{Op::cast, Element::f64}, {g.add(LoadIndex{0})});
  auto times = [&](ValueId v, double factor) {
    return g.add(Arith{Op::mul}, {v, g.add(Broadcast{}, {g.add(Imm{Constant(factor)})})});
  };
  ValueId sum = g.add(Arith{Op::add}, {times(x, 100), times(g.add(Load{other}), 10)});
  ValueId edge = g.add(Arith{Op::add}, {sum, g.add(Broadcast{}, {g.add(Load{s})})});
  BoundaryKernelId kernel = p.boundary_kernel(std::move(g), edge);
  p.machine.statics[f.index].boundary = {{UserBoundary{kernel}, UserBoundary{kernel}}};
  State state = initial_state(p.machine, {2});
  set(state, f, {1, 2});
  set(state, other, {3, 4});
  set(state, s, {0.5});
  EXPECT_EQ(halo(p, state, f, -2, 6), "-169.5 -69.5 1 2 240.5 340.5");
  p.machine.statics[f.index].boundary = {{Reflect{-1}, UserBoundary{kernel}}};
  EXPECT_EQ(halo(p, state, f, -4, 6), "-340.5 -240.5 -2 -1 1 2");
}

TEST(Halo, ShiftInABoundaryKernelMovesThePointAndLoadsClampThere) {
  Program p(1);
  StaticId f = p.local("f", {kOutflow}, kLocalInt), other = p.local("g", {kCyclic}, kLocalInt);
  Graph g = p.graph();
  ValueId index = g.add(LoadIndex{0});
  ValueId both = g.add(Arith{Op::add}, {g.add(Load{other}), index});
  BoundaryKernelId kernel = p.boundary_kernel(std::move(g), both);
  Graph h = p.graph();
  ValueId moved = shifted(h, h.add(Arith{Op::add}, {h.add(Load{other}), h.add(LoadIndex{0})}),
                          {-2});  // at x + 2
  BoundaryKernelId shifted_kernel = p.boundary_kernel(std::move(h), moved);
  p.machine.boundary_kernels[1].name = "moved_edge";
  State state = initial_state(p.machine, {3});
  set<std::int64_t>(state, f, {1, 2, 3});
  set<std::int64_t>(state, other, {1000, 2000, 3000});
  p.machine.statics[f.index].boundary = {{UserBoundary{kernel}, UserBoundary{shifted_kernel}}};
  EXPECT_EQ(halo(p, state, f, -2, 7), "998 999 1 2 3 3005 3006");
  p.machine.statics[f.index].boundary = {{UserBoundary{shifted_kernel}, Outflow{}}};
  EXPECT_EQ(halo(p, state, f, -3, 3), "999 1000 2001");
}

TEST(Halo, ABoundaryKernelSeesTheLastAxisResolvedAndTheOthersAsTheyAre) {
  Program p(2);
  StaticId f = p.local("f", {kOutflow, kOutflow}, kLocalInt);
  Graph g = p.graph();
  ValueId ten = g.add(Broadcast{}, {g.add(Imm{Constant(std::int64_t{10})})});
  ValueId place = g.add(Arith{Op::add},
                        {g.add(LoadIndex{0}), g.add(Arith{Op::mul}, {ten, g.add(LoadIndex{1})})});
  BoundaryKernelId kernel = p.boundary_kernel(std::move(g), place);
  const Sides user = {UserBoundary{kernel}, UserBoundary{kernel}};
  State state = initial_state(p.machine, {2, 2});
  set<std::int64_t>(state, f, {1000, 1001, 1010, 1011});
  p.machine.statics[f.index].boundary = {user, kOutflow};
  EXPECT_EQ(halo(p, state, f, -2, 5, {3}), "8 9 1010 1011 12");  // row 3 is a copy of row 1
  p.machine.statics[f.index].boundary = {kOutflow, user};
  EXPECT_EQ(halo(p, state, f, -2, 5, {3}), "28 29 30 31 32");
}

TEST(Halo, InFourDimensions) {
  Program p(4);
  StaticId f = p.local(
      "f", {kCyclic, {Reflect{-1}, Reflect{-1}}, kOutflow, {Fixed{Constant(7.0)}, Reflect{1}}});
  State state = initial_state(p.machine, {2, 2, 1, 2});
  set(state, f, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(halo(p, state, f, -1, 4, {0, 0, 0}), "2 1 2 1");
  EXPECT_EQ(halo(p, state, f, -1, 4, {-1, 5, 0}), "-2 -1 -2 -1");
  EXPECT_EQ(halo(p, state, f, -1, 4, {2, -5, 2}), "-8 -7 -8 -7");
  EXPECT_EQ(halo(p, state, f, -1, 4, {2, -5, -1}), "7 7 7 7");
  EXPECT_EQ(halo(p, state, f, 0, 2, {3, 0, 3}), "-1 -2");
}

}  // namespace
}  // namespace paraiso::om
