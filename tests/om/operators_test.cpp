// The operator table: complete, exact in its complaints, total in its meaning.
#include "paraiso/om/graph/operators.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "paraiso/support/arithmetic.hpp"

namespace paraiso::om {
namespace {

constexpr Element kElements[] = {Element::boolean, Element::i32, Element::i64, Element::f32,
                                 Element::f64};
constexpr std::int32_t kMin32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<Constant> results(Op op, std::vector<Constant> operands,
                              Element target = Element::f64) {
  std::vector<Constant> out(info(op).results);
  evaluate(op, operands, target, out);
  return out;
}

/// The (first) result as text, which tells -0 from 0 and shows every bit but a NaN's.
template <class... T>
std::string apply(Op op, T... operands) {
  return results(op, {Constant(operands)...})[0].text();
}

template <class To, class From>
std::string cast(From x) {
  Constant result = results(Op::cast, {Constant(x)}, element_of<To>())[0];
  EXPECT_EQ(result.element(), element_of<To>());
  return result.text();
}

// --- the table ---

TEST(OperatorTable, HasOneRowAnOperatorInOrder) {
  std::set<std::string> names;
  for (int i = 0; i < kOpCount; ++i) {
    const OpInfo& row = info(static_cast<Op>(i));
    EXPECT_EQ(static_cast<int>(row.op), i) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_GE(row.arity, 1) << row.name;
    EXPECT_LE(row.arity, 3) << row.name;
    EXPECT_EQ(row.results, row.op == Op::divmod || row.op == Op::sincos ? 2 : 1) << row.name;
    EXPECT_EQ(row.cost > 0, row.op != Op::identity) << row.name;
  }
}

TEST(OperatorTable, NamesAreParsedBack) {
  auto names = op_names();
  ASSERT_EQ(names.size(), static_cast<std::size_t>(kOpCount));
  for (int i = 0; i < kOpCount; ++i) EXPECT_EQ(parse_op(names[i]), static_cast<Op>(i)) << names[i];
  EXPECT_EQ(parse_op("not"), Op::not_);
  EXPECT_EQ(parse_op("not_"), std::nullopt);
  EXPECT_EQ(parse_op(""), std::nullopt);
}

// --- type rules ---

std::string complaint(Op op, std::vector<Element> operands) {
  auto typed = result_types(op, operands, Element::i32);
  EXPECT_EQ(typed.results.empty(), !typed.complaint.empty());
  return typed.complaint;
}

TEST(OperatorTypes, ComplaintsAreExact) {
  using enum Element;
  EXPECT_EQ(complaint(Op::sqrt, {i32}), "`sqrt` needs f32 or f64, got i32");
  EXPECT_EQ(complaint(Op::sqrt, {}), "`sqrt` takes 1 operand, got 0");
  EXPECT_EQ(complaint(Op::add, {f64}), "`add` takes 2 operands, got 1");
  EXPECT_EQ(complaint(Op::madd, {f64, f64}), "`madd` takes 3 operands, got 2");
  EXPECT_EQ(complaint(Op::add, {f64, f32}),
            "`add` needs operands of one element type, got f64 and f32");
  EXPECT_EQ(complaint(Op::madd, {f64, f64, f32}),
            "`madd` needs operands of one element type, got f64, f64 and f32");
  EXPECT_EQ(complaint(Op::add, {boolean, boolean}), "`add` needs i32, i64, f32 or f64, got bool");
  EXPECT_EQ(complaint(Op::madd, {f64, i64, f64}), "`madd` needs f32 or f64, got i64");
  EXPECT_EQ(complaint(Op::and_, {f32, f32}), "`and` needs bool, i32 or i64, got f32");
  EXPECT_EQ(complaint(Op::lt, {boolean, boolean}), "`lt` needs i32, i64, f32 or f64, got bool");
  EXPECT_EQ(complaint(Op::eq, {i32, i64}),
            "`eq` needs operands of one element type, got i32 and i64");
  EXPECT_EQ(complaint(Op::ipow, {f64, i64}), "`ipow` needs i32 as its second operand, got i64");
  EXPECT_EQ(complaint(Op::ipow, {boolean, i32}), "`ipow` needs i32, i64, f32 or f64, got bool");
  EXPECT_EQ(complaint(Op::select, {f64, f64, f64}),
            "`select` needs bool as its first operand, got f64");
  EXPECT_EQ(complaint(Op::select, {boolean, f64, i32}),
            "`select` needs operands of one element type, got f64 and i32");
}

TEST(OperatorTypes, ResultsFollowTheRule) {
  using enum Element;
  auto typed = [](Op op, std::vector<Element> operands) {
    return result_types(op, operands, i32).results;
  };
  EXPECT_EQ(typed(Op::add, {f32, f32}), std::vector{f32});
  EXPECT_EQ(typed(Op::identity, {boolean}), std::vector{boolean});
  EXPECT_EQ(typed(Op::divmod, {i64, i64}), (std::vector{i64, i64}));
  EXPECT_EQ(typed(Op::sincos, {f32}), (std::vector{f32, f32}));
  EXPECT_EQ(typed(Op::eq, {boolean, boolean}), std::vector{boolean});
  EXPECT_EQ(typed(Op::ge, {f64, f64}), std::vector{boolean});
  EXPECT_EQ(typed(Op::select, {boolean, i64, i64}), std::vector{i64});
  EXPECT_EQ(typed(Op::ipow, {f32, i32}), std::vector{f32});
  EXPECT_EQ(typed(Op::cast, {f64}), std::vector{i32});
}

// --- a property: what result_types lets through, evaluate computes, with those element types ---

std::vector<Constant> extremes(Element element) {
  std::vector<Constant> values;
  auto push = [&](auto... x) { (values.push_back(Constant::from_double(element, x)), ...); };
  push(0.0, 1.0, -1.0, 2.0, -3.0, 7.0, 0.5, -2.5, 1e300, -1e300, kInfinity, -kInfinity, kNaN, -0.0,
       5e-324, 1e-45, 31.0, 1e10);
  return values;
}

TEST(OperatorMeaning, IsTotalAndOfTheStatedType) {
  int checked = 0;
  auto check = [&](Op op, const std::vector<Constant>& operands, Element target) {
    std::vector<Element> types;
    for (const auto& x : operands) types.push_back(x.element());
    auto typed = result_types(op, types, target);
    if (!typed.complaint.empty()) return;
    auto out = results(op, operands, target);
    ASSERT_EQ(out.size(), typed.results.size());
    for (std::size_t r = 0; r < out.size(); ++r)
      EXPECT_EQ(out[r].element(), typed.results[r]) << info(op).name;
    ++checked;
  };
  for (int i = 0; i < kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    for (Element a : kElements)
      for (const auto& x : extremes(a)) {
        if (info(op).arity == 1)
          for (Element target : kElements) check(op, {x}, target);
        for (const auto& y : extremes(op == Op::ipow ? Element::i32 : a)) {
          if (info(op).arity == 2) check(op, {x, y}, Element::f64);
          for (const auto& z : extremes(a)) {
            if (info(op).arity != 3) break;
            check(op, {op == Op::select ? Constant(true) : x, y, z}, Element::f64);
          }
        }
      }
  }
  EXPECT_GT(checked, 10000);
}

// --- examples, operator by operator ---

TEST(OperatorMeaning, IntegersWrap) {
  EXPECT_EQ(apply(Op::add, kMax32, 1), "-2147483648");
  EXPECT_EQ(apply(Op::add, kMax64, std::int64_t{1}), "-9223372036854775808");
  EXPECT_EQ(apply(Op::sub, kMin32, 1), "2147483647");
  EXPECT_EQ(apply(Op::mul, 65536, 65536), "0");
  EXPECT_EQ(apply(Op::mul, kMin64, std::int64_t{-1}), "-9223372036854775808");
  EXPECT_EQ(apply(Op::neg, kMin32), "-2147483648");
  EXPECT_EQ(apply(Op::neg, 7), "-7");
  EXPECT_EQ(apply(Op::abs, kMin32), "-2147483648");
  EXPECT_EQ(apply(Op::abs, -7), "7");
}

TEST(OperatorMeaning, IntegerDivisionIsTotal) {
  EXPECT_EQ(apply(Op::div, -7, 2), "-3");
  EXPECT_EQ(apply(Op::div, 7, -2), "-3");
  EXPECT_EQ(apply(Op::div, 7, 0), "0");
  EXPECT_EQ(apply(Op::div, 7, -1), "-7");
  EXPECT_EQ(apply(Op::div, kMin32, -1), "-2147483648");
  EXPECT_EQ(apply(Op::div, kMin64, std::int64_t{-1}), "-9223372036854775808");
  EXPECT_EQ(apply(Op::mod, -7, 2), "-1");
  EXPECT_EQ(apply(Op::mod, 7, -2), "1");
  EXPECT_EQ(apply(Op::mod, 7, 0), "7");
  EXPECT_EQ(apply(Op::mod, 7, -1), "0");
  EXPECT_EQ(apply(Op::mod, kMin32, -1), "0");
  EXPECT_EQ(apply(Op::mod, kMin64, std::int64_t{0}), "-9223372036854775808");
}

TEST(OperatorMeaning, FloatDivisionIsIeee) {
  EXPECT_EQ(apply(Op::div, 1.0, 0.0), "inf");
  EXPECT_EQ(apply(Op::div, 1.0, -0.0), "-inf");
  EXPECT_EQ(apply(Op::div, 0.0, 0.0), "nan");
  EXPECT_EQ(apply(Op::inv, 4.0), "0.25");
  EXPECT_EQ(apply(Op::inv, -0.0f), "-inf");
}

TEST(OperatorMeaning, FloatModIsExactAndHasTheDividendsSign) {
  EXPECT_EQ(apply(Op::mod, 5.5, 2.0), "1.5");
  EXPECT_EQ(apply(Op::mod, -5.5, 2.0), "-1.5");
  EXPECT_EQ(apply(Op::mod, -6.0, 2.0), "-0");
  EXPECT_EQ(apply(Op::mod, 1e300, 3.0), apply(Op::cast, std::fmod(1e300, 3.0)));
  EXPECT_EQ(apply(Op::mod, 5.5, 0.0), "5.5");
  EXPECT_EQ(apply(Op::mod, kInfinity, 0.0), "inf");
  EXPECT_EQ(apply(Op::mod, kInfinity, 2.0), "nan");
  EXPECT_EQ(apply(Op::mod, 5.5, kInfinity), "5.5");
  EXPECT_EQ(apply(Op::mod, 5.5, kNaN), "nan");
}

TEST(OperatorMeaning, DivmodGivesQuotientAndRemainder) {
  auto pair = [](auto x, auto y) {
    auto out = results(Op::divmod, {Constant(x), Constant(y)});
    return out[0].text() + " " + out[1].text();
  };
  EXPECT_EQ(pair(-7, 2), "-3 -1");
  EXPECT_EQ(pair(7, 0), "0 7");
  EXPECT_EQ(pair(kMin32, -1), "-2147483648 0");
  EXPECT_EQ(pair(5.5, -2.0), "-2 1.5");
  EXPECT_EQ(pair(-0.5f, 2.0f), "-0 -0.5");
  EXPECT_EQ(pair(1.0, 0.0), "inf 1");
}

TEST(OperatorMeaning, DivmodMayWriteOverItsOperands) {
  std::vector<Constant> both = {Constant(17), Constant(5)};
  evaluate(Op::divmod, both, Element::f64, both);
  EXPECT_EQ(both, (std::vector{Constant(3), Constant(2)}));
}

TEST(OperatorMeaning, SignsAndZeros) {
  EXPECT_EQ(apply(Op::abs, -0.0), "0");
  EXPECT_EQ(apply(Op::neg, 0.0), "-0");
  EXPECT_EQ(apply(Op::signum, -0.0), "-0");
  EXPECT_EQ(apply(Op::signum, -3.5), "-1");
  EXPECT_EQ(apply(Op::signum, kInfinity), "1");
  EXPECT_EQ(apply(Op::signum, kNaN), "nan");
  EXPECT_EQ(apply(Op::signum, kMin32), "-1");
  EXPECT_EQ(apply(Op::signum, 0), "0");
  EXPECT_EQ(apply(Op::add, -0.0, -0.0), "-0");
  EXPECT_EQ(apply(Op::sub, 0.0, 0.0), "0");
}

TEST(OperatorMeaning, MinAndMaxReturnTheSecondOperandUnlessTheFirstIsBeyondIt) {
  EXPECT_EQ(apply(Op::min, 1.0, 2.0), "1");
  EXPECT_EQ(apply(Op::min, -0.0, 0.0), "0");
  EXPECT_EQ(apply(Op::min, 0.0, -0.0), "-0");
  EXPECT_EQ(apply(Op::min, kNaN, 1.0), "1");
  EXPECT_EQ(apply(Op::min, 1.0, kNaN), "nan");
  EXPECT_EQ(apply(Op::max, 1.0, 2.0), "2");
  EXPECT_EQ(apply(Op::max, 0.0, -0.0), "-0");
  EXPECT_EQ(apply(Op::max, kNaN, 1.0), "1");
  EXPECT_EQ(apply(Op::max, 1.0, kNaN), "nan");
  EXPECT_EQ(apply(Op::min, kMin32, kMax32), "-2147483648");
  EXPECT_EQ(apply(Op::max, kMin64, kMax64), "9223372036854775807");
}

TEST(OperatorMeaning, MultiplyAddsAreRoundedOnce) {
  const double x = 1 + 0x1p-30, y = 1 - 0x1p-30;  // x y = 1 - 2^-60, which rounds to 1
  EXPECT_EQ(apply(Op::madd, x, y, -1.0), apply(Op::identity, -0x1p-60));
  EXPECT_EQ(apply(Op::msub, x, y, 1.0), apply(Op::identity, -0x1p-60));
  EXPECT_EQ(apply(Op::nmadd, x, y, 1.0), apply(Op::identity, 0x1p-60));
  EXPECT_EQ(apply(Op::nmsub, x, y, -1.0), apply(Op::identity, 0x1p-60));
  const float u = 1 + 0x1p-15f, v = 1 - 0x1p-15f;
  EXPECT_EQ(apply(Op::madd, u, v, -1.0f), apply(Op::identity, -0x1p-30f));
  EXPECT_EQ(apply(Op::nmadd, 2.0, 3.0, 10.0), "4");
  EXPECT_EQ(apply(Op::nmsub, 2.0, 3.0, 10.0), "-16");
}

TEST(OperatorMeaning, IntegerPowersAreAFixedTree) {
  EXPECT_EQ(apply(Op::ipow, 3, 4), "81");
  EXPECT_EQ(apply(Op::ipow, 3, 0), "1");
  EXPECT_EQ(apply(Op::ipow, 10, 10), "1410065408");  // 10^10 modulo 2^32
  EXPECT_EQ(apply(Op::ipow, 2, -1), "0");
  EXPECT_EQ(apply(Op::ipow, 0, -1), "0");
  EXPECT_EQ(apply(Op::ipow, 1, kMin32), "1");
  EXPECT_EQ(apply(Op::ipow, -1, -3), "-1");
  EXPECT_EQ(apply(Op::ipow, -1, kMin32), "1");
  EXPECT_EQ(apply(Op::ipow, 0.0, 0), "1");
  EXPECT_EQ(apply(Op::ipow, kNaN, 0), "1");
  EXPECT_EQ(apply(Op::ipow, 2.0, -3), "0.125");
  EXPECT_EQ(apply(Op::ipow, 0.0, -1), "inf");
  EXPECT_EQ(apply(Op::ipow, -0.0, 3), "-0");
  EXPECT_EQ(apply(Op::ipow, 2.0, kMin32), "0");
  const double x = 1.1, x2 = x * x, x4 = x2 * x2;
  EXPECT_EQ(apply(Op::ipow, x, 7), apply(Op::identity, (x * x2) * x4));
  EXPECT_EQ(apply(Op::ipow, x, -6), apply(Op::identity, 1 / (x2 * x4)));
}

TEST(OperatorMeaning, RootsAndRoundings) {
  EXPECT_EQ(apply(Op::sqrt, 2.0), "1.4142135623730951");
  EXPECT_EQ(apply(Op::sqrt, 2.0f), "1.4142135");
  EXPECT_EQ(apply(Op::sqrt, -1.0), "nan");
  EXPECT_EQ(apply(Op::sqrt, -0.0), "-0");
  EXPECT_EQ(apply(Op::floor, -0.5), "-1");
  EXPECT_EQ(apply(Op::floor, -0.0), "-0");
  EXPECT_EQ(apply(Op::ceil, -0.5), "-0");
  EXPECT_EQ(apply(Op::ceil, 1.5f), "2");
  EXPECT_EQ(apply(Op::floor, kInfinity), "inf");
}

// tests/elementary compares them with true values.
TEST(OperatorMeaning, ElementaryFunctionsAreTheSupportsOwn) {
  const auto one = [](Op op, auto function) {
    EXPECT_EQ(apply(op, 0.7), Constant(function(0.7)).text()) << info(op).name;
    EXPECT_EQ(apply(op, 0.7f), Constant(function(0.7f)).text()) << info(op).name;
    EXPECT_EQ(info(op).unit, Unit::elementary) << info(op).name;
  };
  namespace support = paraiso_support;
  one(Op::cbrt, [](auto x) { return support::cbrt(x); });
  one(Op::exp, [](auto x) { return support::exp(x); });
  one(Op::log, [](auto x) { return support::log(x); });
  one(Op::sin, [](auto x) { return support::sin(x); });
  one(Op::cos, [](auto x) { return support::cos(x); });
  one(Op::tan, [](auto x) { return support::tan(x); });
  one(Op::asin, [](auto x) { return support::asin(x); });
  one(Op::acos, [](auto x) { return support::acos(x); });
  one(Op::atan, [](auto x) { return support::atan(x); });
  one(Op::sinh, [](auto x) { return support::sinh(x); });
  one(Op::cosh, [](auto x) { return support::cosh(x); });
  one(Op::tanh, [](auto x) { return support::tanh(x); });
  EXPECT_EQ(apply(Op::pow, 0.7, 2.5), Constant(support::pow(0.7, 2.5)).text());
  EXPECT_EQ(apply(Op::pow, 0.7f, 2.5f), Constant(support::pow(0.7f, 2.5f)).text());
  EXPECT_EQ(apply(Op::atan2, -1.0, 0.7), Constant(support::atan2(-1.0, 0.7)).text());
  EXPECT_EQ(apply(Op::atan2, 0.0, -1.0), Constant(3.141592653589793).text());
  EXPECT_EQ(apply(Op::log, 0.0), "-inf");
  EXPECT_EQ(apply(Op::log, -1.0), "nan");
}

TEST(OperatorMeaning, SincosIsSineAndCosine) {
  auto out = results(Op::sincos, {Constant(0.7)});
  EXPECT_EQ(out[0].text(), apply(Op::sin, 0.7));
  EXPECT_EQ(out[1].text(), apply(Op::cos, 0.7));
}

TEST(OperatorMeaning, LogicIsBitwise) {
  EXPECT_EQ(apply(Op::not_, true), "false");
  EXPECT_EQ(apply(Op::not_, 0), "-1");
  EXPECT_EQ(apply(Op::and_, 12, 10), "8");
  EXPECT_EQ(apply(Op::or_, 12, 10), "14");
  EXPECT_EQ(apply(Op::xor_, 12, 10), "6");
  EXPECT_EQ(apply(Op::and_, true, false), "false");
  EXPECT_EQ(apply(Op::or_, true, false), "true");
  EXPECT_EQ(apply(Op::xor_, true, true), "false");
  EXPECT_EQ(apply(Op::not_, kMax64), "-9223372036854775808");
}

TEST(OperatorMeaning, ComparisonsAreIeee) {
  EXPECT_EQ(apply(Op::eq, 0.0, -0.0), "true");
  EXPECT_EQ(apply(Op::eq, kNaN, kNaN), "false");
  EXPECT_EQ(apply(Op::ne, kNaN, kNaN), "true");
  EXPECT_EQ(apply(Op::eq, true, true), "true");
  EXPECT_EQ(apply(Op::lt, 1, 2), "true");
  EXPECT_EQ(apply(Op::le, 2, 2), "true");
  EXPECT_EQ(apply(Op::gt, 1.0f, 2.0f), "false");
  EXPECT_EQ(apply(Op::ge, kNaN, 1.0), "false");
  EXPECT_EQ(apply(Op::le, kNaN, 1.0), "false");
}

TEST(OperatorMeaning, SelectChooses) {
  EXPECT_EQ(apply(Op::select, true, 1.0, kNaN), "1");
  EXPECT_EQ(apply(Op::select, false, 1, 2), "2");
  EXPECT_EQ(apply(Op::select, true, false, true), "false");
}

TEST(OperatorMeaning, CastsSaturateWrapAndRound) {
  EXPECT_EQ(cast<std::int32_t>(2.9), "2");
  EXPECT_EQ(cast<std::int32_t>(-2.9), "-2");
  EXPECT_EQ(cast<std::int32_t>(1e10), "2147483647");
  EXPECT_EQ(cast<std::int32_t>(2147483647.5), "2147483647");
  EXPECT_EQ(cast<std::int32_t>(-2147483648.5), "-2147483648");
  EXPECT_EQ(cast<std::int32_t>(-kInfinity), "-2147483648");
  EXPECT_EQ(cast<std::int32_t>(kNaN), "0");
  EXPECT_EQ(cast<std::int32_t>(2147483648.0f), "2147483647");
  EXPECT_EQ(cast<std::int64_t>(9223372036854775808.0), "9223372036854775807");
  EXPECT_EQ(cast<std::int64_t>(9223372036854774784.0), "9223372036854774784");
  EXPECT_EQ(cast<std::int64_t>(-9223372036854775808.0), "-9223372036854775808");
  EXPECT_EQ(cast<std::int64_t>(-1e30f), "-9223372036854775808");
  EXPECT_EQ(cast<std::int32_t>(std::int64_t{1} << 31), "-2147483648");
  EXPECT_EQ(cast<std::int64_t>(kMin32), "-2147483648");
  EXPECT_EQ(cast<float>(16777217), "16777216");
  EXPECT_EQ(cast<double>(kMax64), "9.223372036854776e+18");
  EXPECT_EQ(cast<float>(1e300), "inf");
  EXPECT_EQ(cast<float>(-0.0), "-0");
  EXPECT_EQ(cast<double>(0.1f), "0.10000000149011612");
  EXPECT_EQ(cast<bool>(kNaN), "true");
  EXPECT_EQ(cast<bool>(-0.0), "false");
  EXPECT_EQ(cast<bool>(256), "true");
  EXPECT_EQ(cast<std::int64_t>(true), "1");
  EXPECT_EQ(cast<double>(true), "1");
}

}  // namespace
}  // namespace paraiso::om
