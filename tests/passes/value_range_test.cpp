#include "paraiso/passes/analysis/value_range.hpp"

#include <gtest/gtest.h>

#include "paraiso/base/rng.hpp"
#include "paraiso/om/graph/operators.hpp"

namespace paraiso::passes {
namespace {

using namespace om;

/// A kernel over a bool field `alive` and i32 and i64 fields `n` and `m`.
Graph make_graph() {
  const auto local = [](Element e) { return Type{Realm::local, e}; };
  Signature signature{1,
                      {{"alive", local(Element::boolean)},
                       {"n", local(Element::i32)},
                       {"m", local(Element::i64)},
                       {"f", local(Element::f64)}}};
  return Graph(std::make_shared<const Signature>(signature));
}

class ValueRanges : public testing::Test {
 protected:
  ValueId load(std::size_t s) { return graph.add(Load{StaticId(s)}); }
  ValueId arith(Op op, std::initializer_list<ValueId> operands) {
    return graph.add(Arith{op}, operands);
  }
  ValueId cast(ValueId x, Element target) { return graph.add(Arith{Op::cast, target}, {x}); }
  template <class T>
  ValueId constant(T value) {
    return graph.add(Broadcast{}, {graph.add(Imm{Constant(value)})});
  }
  Range range(ValueId v) { return value_ranges(graph)[v.index].value(); }

  Graph graph = make_graph();
};

TEST_F(ValueRanges, OfTruthsAndWhatIsMadeOfThem) {
  const ValueId alive = load(0), count = cast(alive, Element::i32);
  EXPECT_EQ(range(alive), (Range{0, 1}));
  EXPECT_EQ(range(count), (Range{0, 1}));
  const ValueId two = arith(Op::add, {count, graph.add(Shift{{1}}, {count})});
  EXPECT_EQ(range(two), (Range{0, 2}));
  EXPECT_EQ(range(arith(Op::sub, {two, count})), (Range{-1, 2}));
  EXPECT_EQ(range(arith(Op::mul, {two, constant(std::int32_t{-50})})), (Range{-100, 0}));
  EXPECT_EQ(range(cast(two, Element::i64)), (Range{0, 2}));
}

TEST_F(ValueRanges, OfMemoryIsAllOfTheElement) {
  EXPECT_EQ(range(load(1)), (Range{INT32_MIN, INT32_MAX}));
  EXPECT_EQ(range(load(2)), (Range{INT64_MIN, INT64_MAX}));
  EXPECT_EQ(range(graph.add(LoadIndex{0})), (Range{INT64_MIN, INT64_MAX}));
  const ValueId real = load(3);
  EXPECT_FALSE(value_ranges(graph)[real.index].has_value());
}

TEST_F(ValueRanges, OfWhatMayWrapIsAllOfTheElement) {
  const ValueId n = load(1), m = load(2);
  EXPECT_EQ(range(arith(Op::add, {n, constant(std::int32_t{1})})), (Range{INT32_MIN, INT32_MAX}));
  EXPECT_EQ(range(arith(Op::neg, {m})), (Range{INT64_MIN, INT64_MAX}));
  EXPECT_EQ(range(arith(Op::mul, {m, m})), (Range{INT64_MIN, INT64_MAX}));
  EXPECT_EQ(range(cast(m, Element::i32)), (Range{INT32_MIN, INT32_MAX}));
  EXPECT_EQ(range(cast(load(3), Element::i32)), (Range{INT32_MIN, INT32_MAX}));
}

TEST_F(ValueRanges, OfBitsChoicesAndBounds) {
  const ValueId n = load(1), seven = constant(std::int32_t{7});
  EXPECT_EQ(range(arith(Op::and_, {n, constant(std::int32_t{-8})})), (Range{INT32_MIN, INT32_MAX}));
  const ValueId low = arith(Op::and_, {n, seven});
  EXPECT_EQ(range(low), (Range{0, 7}));
  EXPECT_EQ(range(arith(Op::xor_, {low, constant(std::int32_t{8})})), (Range{0, 15}));
  EXPECT_EQ(range(arith(Op::not_, {low})), (Range{-8, -1}));
  EXPECT_EQ(range(arith(Op::signum, {low})), (Range{0, 1}));
  EXPECT_EQ(range(arith(Op::abs, {arith(Op::not_, {low})})), (Range{0, 8}));
  EXPECT_EQ(range(arith(Op::min, {n, seven})), (Range{INT32_MIN, 7}));
  EXPECT_EQ(range(arith(Op::select, {load(0), low, constant(std::int32_t{-3})})), (Range{-3, 7}));
}

/// Whatever operands are drawn from their ranges, the result is in its own.
TEST_F(ValueRanges, HoldEveryResult) {
  Rng rng(5);
  for (const Op op : {Op::add, Op::sub, Op::mul, Op::min, Op::max, Op::and_, Op::or_, Op::xor_,
                      Op::neg, Op::not_, Op::abs, Op::signum})
    for (int trial = 0; trial < 200; ++trial) {
      const std::int64_t widest = trial % 2 == 0 ? 9 : INT32_MAX;
      graph = make_graph();
      std::vector<ValueId> operands;
      std::vector<Constant> drawn;
      for (int o = 0; o < info(op).arity; ++o) {
        const std::int64_t a = rng.between(-widest, widest), b = rng.between(-widest, widest);
        const auto low = static_cast<std::int32_t>(std::min(a, b));
        const auto high = static_cast<std::int32_t>(std::max(a, b));
        drawn.emplace_back(static_cast<std::int32_t>(rng.between(low, high)));
        operands.push_back(
            arith(Op::min, {arith(Op::max, {load(1), constant(low)}), constant(high)}));
      }
      const Range range_of_result = range(graph.add(Arith{op}, operands));
      Constant result;
      evaluate(op, drawn, Element::i32, std::span(&result, 1));
      EXPECT_LE(range_of_result.lowest, result.as<std::int32_t>()) << info(op).name;
      EXPECT_GE(range_of_result.highest, result.as<std::int32_t>()) << info(op).name;
    }
}

TEST(StorageLane, HoldsTheRangeAndNoMore) {
  EXPECT_EQ(lane_of(Range{-128, 127}), Lane::i8);
  EXPECT_EQ(lane_of(Range{0, 128}), Lane::i16);
  EXPECT_EQ(lane_of(Range{-32769, 0}), Lane::i32);
  EXPECT_EQ(lane_of(Range{0, std::int64_t{1} << 31}), Lane::i64);
  EXPECT_EQ(storage_lane(Element::i64, Range{0, 1}), Lane::i8);
  EXPECT_EQ(storage_lane(Element::boolean, Range{0, 1}), Lane::boolean);
  EXPECT_EQ(storage_lane(Element::f32, {}), Lane::f32);
}

}  // namespace
}  // namespace paraiso::passes
