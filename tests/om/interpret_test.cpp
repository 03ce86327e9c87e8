// The interpreter against results worked out by hand.
#include "paraiso/om/interpret/interpret.hpp"

#include <gtest/gtest.h>

#include "by_hand.hpp"

namespace paraiso::om {
namespace {

using namespace by_hand;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// --- state ---

TEST(State, StartsAtZeroAndInitialValues) {
  Program p(2);
  StaticId f = p.local("f", {kCyclic, kCyclic}), s = p.global("s");
  p.machine.statics[s.index].initial = Constant(0.5);
  State state = initial_state(p.machine, {3, 2});
  EXPECT_EQ(state.cell_count(), 6u);
  EXPECT_EQ(text(state, f), "0 0 0 0 0 0");
  EXPECT_EQ(text(state, s), "0.5");
}

std::string size_error(std::vector<std::int64_t> size) {
  Program p(2);
  try {
    (void)initial_state(p.machine, std::move(size));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(State, RefusesASizeThatIsNone) {
  EXPECT_EQ(size_error({3}), "error: `test` has 2 dimensions, the size has 1");
  EXPECT_EQ(size_error({3, 0}), "error: the size of axis 1 is 0, expected 1 or more");
  EXPECT_EQ(size_error({-4, 3}), "error: the size of axis 0 is -4, expected 1 or more");
  EXPECT_EQ(size_error({65536, 65537}),
            "error: a grid of 65536x65537 cells is too large for the interpreter, which takes "
            "4294967296");
  EXPECT_EQ(size_error({INT64_MAX, INT64_MAX}),
            "error: a grid of 9223372036854775807x9223372036854775807 cells is too large for the "
            "interpreter, which takes 4294967296");
}

TEST(State, AnyNanEqualsAnyNan) {
  Array array{Element::f64, {0xfff8000000000123u}};
  EXPECT_EQ(array.at(0), Constant(kNan));
  Array single{Element::f32, {0x7fc00001u}};
  EXPECT_EQ(single.at(0), Constant(std::numeric_limits<float>::quiet_NaN()));
}

/// A cell of a small grid that reads one far away, in many dimensions.
TEST(Interpret, RefusesAHullThatIsTooLarge) {
  Program p(7);
  StaticId f = p.local("f", std::vector<Sides>(7, kCyclic));
  State state = initial_state(p.machine, std::vector<std::int64_t>(7, 1));
  try {
    p.run(state, [&](Graph& g) { g.add(Store{f}, {shifted(g, g.add(Load{f}), Offset(7, 1023))}); });
    FAIL() << "2^70 cells";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "error: a value is needed on 1.18e+21 cells, too many for the interpreter, which "
                 "takes 4294967296");
  }
}

// --- instructions ---

TEST(Interpret, ShiftReadsAtMinusItsOffset) {
  Program p(1);
  StaticId f = p.local("f", {kCyclic});
  State state = initial_state(p.machine, {4});
  set(state, f, {10, 20, 30, 40});
  p.run(state, [&](Graph& g) { g.add(Store{f}, {shifted(g, g.add(Load{f}), {1})}); });
  EXPECT_EQ(text(state, f), "40 10 20 30");
}

TEST(Interpret, IndicesAndSizesArePerAxisAndIndicesGoOnOutside) {
  Program p(2);
  StaticId x = p.local("x", {kCyclic, kCyclic}, kLocalInt);
  StaticId y = p.local("y", {kCyclic, kCyclic}, kLocalInt), n = p.global("n", kGlobalInt);
  State state = initial_state(p.machine, {3, 2});
  p.run(state, [&](Graph& g) {
    g.add(Store{x}, {shifted(g, g.add(LoadIndex{0}), {1, 0})});
    g.add(Store{y}, {g.add(LoadIndex{1})});
    g.add(Store{n}, {g.add(LoadSize{1})});
  });
  EXPECT_EQ(text(state, x), "-1 0 1 -1 0 1");
  EXPECT_EQ(text(state, y), "0 0 0 1 1 1");
  EXPECT_EQ(text(state, n), "2");
}

TEST(Interpret, AKernelIsATransaction) {
  Program p(1);
  StaticId f = p.local("f", {kCyclic}), g0 = p.local("g", {kCyclic});
  State state = initial_state(p.machine, {2});
  set(state, f, {1, 2});
  set(state, g0, {3, 4});
  p.run(state, [&](Graph& g) {
    g.add(Store{f}, {g.add(Load{g0})});
    g.add(Store{g0}, {g.add(Load{f})});
  });
  EXPECT_EQ(text(state, f), "3 4");
  EXPECT_EQ(text(state, g0), "1 2");
}

TEST(Interpret, ReduceCoversTheCoreAndFeedsBroadcast) {
  Program p(1);
  StaticId f = p.local("f", {kOutflow}), total = p.global("total");
  State state = initial_state(p.machine, {3});
  set(state, f, {1, 2, 4});
  p.run(state, [&](Graph& g) {
    ValueId v = g.add(Load{f});
    ValueId sum = g.add(Reduce{ReduceOp::sum}, {v});
    ValueId mean = g.add(Arith{Op::div}, {sum, g.add(Imm{Constant(7.0)})});
    // The operand of Reduce is needed on a wider box too; only its core may count.
    ValueId wide = g.add(Arith{Op::add}, {shifted(g, v, {-2}), g.add(Broadcast{}, {mean})});
    g.add(Store{f}, {wide});
    g.add(Store{total}, {sum});
  });
  EXPECT_EQ(text(state, total), "7");
  EXPECT_EQ(text(state, f), "5 5 5");
}

TEST(Interpret, TemporariesAreComputedOutsideTheCoreAndNotFilledByTheBoundary) {
  Program p(1);
  StaticId f = p.local("f", {kOutflow});
  State state = initial_state(p.machine, {3});
  set(state, f, {1, 2, 3});
  p.run(state, [&](Graph& g) {
    ValueId index = g.add(Arith{Op::cast, Element::f64}, {g.add(LoadIndex{0})});
    ValueId sum = g.add(Arith{Op::add}, {g.add(Load{f}), index});
    g.add(Store{f}, {shifted(g, sum, {-1})});  // f(x + 1) + x + 1, with f(3) = f(2)
  });
  EXPECT_EQ(text(state, f), "3 5 6");
}

TEST(Interpret, ShiftsAddUp) {
  Program p(1);
  StaticId f = p.local("f", {kOutflow});
  State state = initial_state(p.machine, {5});
  set(state, f, {1, 10, 100, 1000, 10000});
  p.run(state, [&](Graph& g) {
    ValueId v = g.add(Load{f});
    ValueId pair = g.add(Arith{Op::add}, {v, shifted(g, v, {-1})});
    g.add(Store{f}, {g.add(Arith{Op::add}, {shifted(g, pair, {-1}), shifted(g, pair, {2})})});
  });
  // f(x+1) + f(x+2) + f(x-2) + f(x-1)
  EXPECT_EQ(text(state, f), "112 1102 11011 20110 21100");
}

TEST(Interpret, BothResultsOfAnOperatorMayBeReadOnDifferentBoxes) {
  Program p(1);
  StaticId f = p.local("f", {kCyclic}, kLocalInt), h = p.local("h", {kCyclic}, kLocalInt);
  State state = initial_state(p.machine, {3});
  set<std::int64_t>(state, f, {17, -5, 9});
  p.run(state, [&](Graph& g) {
    ValueId four = g.add(Broadcast{}, {g.add(Imm{Constant(std::int64_t{4})})});
    ValueId quotient = g.add(Arith{Op::divmod}, {g.add(Load{f}), four});
    ValueId remainder(quotient.index + 1);
    g.add(Store{f}, {shifted(g, quotient, {-1})});
    g.add(Store{h}, {shifted(g, remainder, {2})});
  });
  EXPECT_EQ(text(state, f), "-1 2 4");
  EXPECT_EQ(text(state, h), "-1 1 1");
}

TEST(Interpret, IntegersWrapAndBoolsWork) {
  Program p(1);
  StaticId i = p.local("i", {kCyclic}, {Realm::local, Element::i32});
  StaticId b = p.local("b", {kCyclic}, {Realm::local, Element::boolean});
  StaticId any = p.global("any", {Realm::global, Element::boolean});
  StaticId all = p.global("all", {Realm::global, Element::boolean});
  State state = initial_state(p.machine, {2});
  set<std::int32_t>(state, i, {INT32_MAX, -1});
  p.run(state, [&](Graph& g) {
    ValueId v = g.add(Load{i});
    ValueId next = g.add(Arith{Op::add}, {v, g.add(Broadcast{}, {g.add(Imm{Constant(1)})})});
    ValueId grew = g.add(Arith{Op::gt}, {next, v});
    g.add(Store{i}, {next});
    g.add(Store{b}, {grew});
    g.add(Store{any}, {g.add(Reduce{ReduceOp::any}, {grew})});
    g.add(Store{all}, {g.add(Reduce{ReduceOp::all}, {grew})});
  });
  EXPECT_EQ(text(state, i), "-2147483648 0");
  EXPECT_EQ(text(state, b), "false true");
  EXPECT_EQ(text(state, any), "true");
  EXPECT_EQ(text(state, all), "false");
}

TEST(Interpret, NegativeZeroAndNanGoThrough) {
  Program p(1);
  StaticId f = p.local("f", {kCyclic}), low = p.global("low"), high = p.global("high");
  State state = initial_state(p.machine, {3});
  set(state, f, {-0.0, kNan, 1});
  p.run(state, [&](Graph& g) {
    ValueId v = g.add(Load{f});
    g.add(Store{low}, {g.add(Reduce{ReduceOp::min}, {v})});
    g.add(Store{high},
          {g.add(Reduce{ReduceOp::max},
                 {g.add(Arith{Op::signum}, {g.add(Arith{Op::min}, {v, shifted(g, v, {1})})})})});
    g.add(Store{f}, {g.add(Arith{Op::add}, {v, v})});
  });
  EXPECT_EQ(text(state, f), "-0 nan 2");
  EXPECT_EQ(text(state, low), "nan");
  EXPECT_EQ(text(state, high), "nan");  // min(1, NaN) is NaN
}

// --- steps ---

/// f(x) <- f(x - 1) + f(x + 1) + s; s <- s + max f: at step `step` of a chain.
void add_step(Graph& g, StaticId f, StaticId s, int step) {
  ValueId v = g.add(Load{f, step}), t = g.add(Load{s, step});
  ValueId sum = g.add(Arith{Op::add}, {shifted(g, v, {1}), shifted(g, v, {-1})});
  g.add(Store{f, step}, {g.add(Arith{Op::add}, {sum, g.add(Broadcast{}, {t})})});
  g.add(Store{s, step}, {g.add(Arith{Op::add}, {t, g.add(Reduce{ReduceOp::max}, {v})})});
}

TEST(Steps, AChainEqualsRunningTheKernelAsOften) {
  Program p(1);
  StaticId f = p.local("f", {kOutflow}), s = p.global("s");
  // The boundary kernel reads Globals and Locals of the step that it fills for.
  Graph g = p.graph();
  ValueId edge = g.add(Arith{Op::add}, {g.add(Load{f}), g.add(Broadcast{}, {g.add(Load{s})})});
  BoundaryKernelId kernel = p.boundary_kernel(std::move(g), edge);
  p.machine.statics[f.index].boundary = {{UserBoundary{kernel}, Reflect{-1}}};
  State once = initial_state(p.machine, {4});
  set(once, f, {1, 2, 4, 8});
  set(once, s, {0.25});
  State chained = once;
  p.run(once, [&](Graph& g) { add_step(g, f, s, 0); });
  EXPECT_EQ(text(once, f), "3.5 5.25 10.25 -3.75");
  EXPECT_EQ(text(once, s), "8.25");
  for (int i = 1; i < 3; ++i) p.run(once, [&](Graph& g) { add_step(g, f, s, 0); });
  p.run(chained, [&](Graph& g) {
    for (int step = 0; step < 3; ++step) add_step(g, f, s, step);
  });
  EXPECT_EQ(text(chained, f), text(once, f));
  EXPECT_EQ(text(chained, s), text(once, s));
}

TEST(Steps, TheOrderOfNodesDoesNotMatter) {
  Program p(1);
  StaticId f = p.local("f", {kOutflow});
  State state = initial_state(p.machine, {3});
  set(state, f, {1, 2, 3});
  p.run(state, [&](Graph& g) {
    ValueId later = g.add(Load{f, 1});  // comes before the Store that it reads
    g.add(Store{f, 1}, {shifted(g, later, {1})});
    g.add(Store{f, 0}, {shifted(g, g.add(Load{f}), {1})});
  });
  EXPECT_EQ(text(state, f), "1 1 1");
}

TEST(Steps, AStaticThatNoStepStoresStays) {
  Program p(1);
  StaticId f = p.local("f", {kOutflow}), h = p.local("h", {kOutflow});
  State state = initial_state(p.machine, {2});
  set(state, f, {1, 2});
  set(state, h, {3, 4});
  p.run(state, [&](Graph& g) { g.add(Store{f}, {g.add(Load{h})}); });
  EXPECT_EQ(text(state, f), "3 4");
  EXPECT_EQ(text(state, h), "3 4");
}

}  // namespace
}  // namespace paraiso::om
