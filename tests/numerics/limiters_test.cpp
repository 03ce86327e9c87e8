#include "numerics/limiters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "paraiso/base/rng.hpp"

namespace paraiso::numerics {
namespace {

static_assert(Limiter<decltype(minmod), double> && Limiter<decltype(van_albada), float>);
static_assert(Limiter<LimiterFunction<double>, double>);
constexpr auto takes_one = [](double a) { return a; };
static_assert(!Limiter<decltype(takes_one), double>);

/// Eq. 21 of Muranushi (2012), with its branches.
template <class T>
T minmod_textbook(T a, T b) {
  if (a * b < 0) return 0;
  return std::abs(a) < std::abs(b) ? a : b;
}

/// Differences of all signs and sizes, exact zeros and equal pairs among them.
template <class F>
void for_random_slopes(F&& f) {
  Rng rng(1);
  const auto draw = [&] {
    if (rng.chance(0.1)) return 0.0;
    return std::ldexp(2 * rng.unit() - 1, static_cast<int>(rng.between(-60, 60)));
  };
  for (int i = 0; i < 20000; ++i) {
    const double a = draw(), b = rng.chance(0.1) ? a : draw();
    f(a, b);
  }
}

TEST(Limiters, MinmodEqualsTheTextbookExactly) {
  for_random_slopes([](double a, double b) {
    EXPECT_EQ(minmod(a, b), minmod_textbook(a, b)) << a << " " << b;
    const auto x = static_cast<float>(a), y = static_cast<float>(b);
    EXPECT_EQ(minmod(x, y), minmod_textbook(x, y)) << x << " " << y;
  });
}

TEST(Limiters, MinmodIsExactWhereProductsUnderflowOrOverflow) {
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  constexpr double kHuge = std::numeric_limits<double>::max();
  EXPECT_EQ(minmod(kTiny, -kTiny), 0.0);
  EXPECT_EQ(minmod(kTiny, 2 * kTiny), kTiny);
  EXPECT_EQ(minmod(-kHuge, -kTiny), -kTiny);
  EXPECT_EQ(minmod(kHuge, -kHuge), 0.0);
}

/// Every row of the table is asked the same.
class LimiterTable : public testing::TestWithParam<std::size_t> {
 protected:
  template <class T>
  static LimiterFunction<T> limiter() {
    return limiters<T>()[GetParam()].function;
  }
};

TEST_P(LimiterTable, IsSymmetricOddAndTotalVariationDiminishing) {
  const auto slope_of = limiter<double>();
  for_random_slopes([&](double a, double b) {
    const double slope = slope_of(a, b);
    EXPECT_EQ(slope, slope_of(b, a)) << a << " " << b;
    EXPECT_EQ(-slope, slope_of(-a, -b)) << a << " " << b;
    if (a * b <= 0) {
      EXPECT_EQ(slope, 0.0) << a << " " << b;
    } else {
      EXPECT_GE(slope / a, 0.0);
      EXPECT_LE(std::abs(slope), 2 * std::min(std::abs(a), std::abs(b)) * (1 + 1e-15));
    }
  });
}

TEST_P(LimiterTable, IsExactWhereTheDataAreLinear) {
  EXPECT_EQ(limiter<double>()(0.75, 0.75), 0.75);
  EXPECT_EQ(limiter<float>()(-0.75f, -0.75f), -0.75f);
}

TEST_P(LimiterTable, OfFloatsAgreesWithDoubles) {
  Rng rng(3);
  for (int i = 0; i < 10000; ++i) {
    const auto a = static_cast<float>(2 * rng.unit() - 1), b = static_cast<float>(rng.unit());
    EXPECT_NEAR(limiter<float>()(a, b), limiter<double>()(a, b), 1e-6) << a << " " << b;
  }
}

/// Sweby's (1984) region of second order.
TEST_P(LimiterTable, IsAtLeastMinmodAndAtMostSuperbee) {
  for_random_slopes([&](double a, double b) {
    const double slope = std::abs(limiter<double>()(a, b));
    EXPECT_GE(slope * (1 + 1e-15), std::abs(minmod(a, b))) << a << " " << b;
    EXPECT_LE(slope, std::abs(superbee(a, b)) * (1 + 1e-15)) << a << " " << b;
  });
}

INSTANTIATE_TEST_SUITE_P(Limiters, LimiterTable,
                         testing::Range(std::size_t{0}, limiters<double>().size()),
                         [](const auto& row) { return limiters<double>()[row.param].name; });

TEST(Limiters, TakeTheirKnownValues) {
  EXPECT_EQ(minmod(1.0, 3.0), 1.0);
  EXPECT_EQ(monotonized_central(1.0, 2.0), 1.5);
  EXPECT_EQ(monotonized_central(1.0, 5.0), 2.0);
  EXPECT_EQ(van_leer(1.0, 3.0), 1.5);
  EXPECT_DOUBLE_EQ(van_albada(1.0, 3.0), 1.2);
  EXPECT_EQ(superbee(1.0, 1.5), 1.5);
  EXPECT_EQ(superbee(1.0, 3.0), 2.0);
}

}  // namespace
}  // namespace paraiso::numerics
