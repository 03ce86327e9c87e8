// Elementary functions against MPFR: at most one ulp from the true value, special values as C99
// has them. PARAISO_ELEMENTARY=N draws N points a function and distribution.
#include <gmp.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include <fmt/format.h>
#include <cmath>

#include <functional>
#include <limits>

#include "paraiso/base/rng.hpp"
#include "paraiso/support/arithmetic.hpp"
#include "tests/support/setting.hpp"

namespace paraiso {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class Exact {
 public:
  Exact() { mpfr_init2(value_, 240); }
  ~Exact() { mpfr_clear(value_); }
  Exact(const Exact&) = delete;
  mpfr_ptr operator()() { return value_; }

 private:
  mpfr_t value_;
};

/// How many units in the last place of a `Real` lie between `got` and the true value; infinity
/// where one is a NaN, an infinity or a zero of another sign than the other.
template <class Real>
double ulps(Real got, mpfr_ptr wanted) {
  using limits = std::numeric_limits<Real>;
  const auto nearest = static_cast<Real>(sizeof(Real) == 4 ? mpfr_get_flt(wanted, MPFR_RNDN)
                                                           : mpfr_get_d(wanted, MPFR_RNDN));
  if (std::isnan(nearest) || std::isnan(got))
    return std::isnan(nearest) && std::isnan(got) ? 0 : kInfinity;
  if (got == nearest) return got == 0 && std::signbit(got) != std::signbit(nearest) ? kInfinity : 0;
  if (std::isinf(nearest) || std::isinf(got))
    return std::abs(std::isinf(got) ? nearest : got) == limits::max() ? 1 : kInfinity;
  int exponent = 0;
  std::frexp(nearest, &exponent);
  const int last = std::max(exponent - limits::digits, limits::min_exponent - limits::digits);
  static Exact difference;
  mpfr_sub_d(difference(), wanted, got, MPFR_RNDN);
  return std::abs(std::ldexp(mpfr_get_d(difference(), MPFR_RNDN), -last));
}

struct Worst {
  double ulps = 0;
  std::string where;
  int points = 0;

  template <class Real>
  void see(Real got, mpfr_ptr wanted, const std::string& name, double x, double y) {
    ++points;
    const double distance = paraiso::ulps(got, wanted);
    if (distance <= ulps && points > 1) return;
    ulps = distance;
    where = fmt::format("{}({}, {}) = {}", name, x, y, got);
  }
};

const std::vector<double>& special_values() {
  static const std::vector<double> values = [] {
    std::vector<double> all{0.0,
                            kNaN,
                            kInfinity,
                            0.5,
                            0.7071067811865476,
                            0.9999999999999999,
                            1,
                            1.0000000000000002,
                            1.5707963267948966,
                            2,
                            3,
                            3.141592653589793,
                            88.73,
                            103.9,
                            709.782712893384,
                            710.4758600739439,
                            745.1332191019411,
                            1e-20,
                            1e20,
                            1e22,
                            0x1p30,
                            0x1.0000001p30,
                            0x1p53,
                            0x1.0000000000001p53,
                            4.9e-324,
                            1e-45,
                            1.1754943508222875e-38,
                            2.2250738585072014e-308,
                            3.4028234663852886e38,
                            1.7976931348623157e308};
    for (std::size_t i = 0, size = all.size(); i < size; ++i) all.push_back(-all[i]);
    return all;
  }();
  return values;
}

using OfOne = std::function<int(mpfr_ptr, mpfr_ptr)>;
struct One {
  const char* name;
  double (*f64)(double);
  float (*f32)(float);
  OfOne exact;
  double low, high;  // where it does something
};

#define ROW(name, exact, low, high)                                              \
  One {                                                                          \
#name, paraiso_support::name, paraiso_support::name,                         \
        [](mpfr_ptr y, mpfr_ptr x) { return exact(y, x, MPFR_RNDN); }, low, high \
  }
const One kOfOne[] = {ROW(cbrt, mpfr_cbrt, -10, 10),   ROW(exp, mpfr_exp, -746, 710),
                      ROW(log, mpfr_log, 0.4, 2.1),    ROW(sin, mpfr_sin, -10, 10),
                      ROW(cos, mpfr_cos, -10, 10),     ROW(tan, mpfr_tan, -10, 10),
                      ROW(asin, mpfr_asin, -1, 1),     ROW(acos, mpfr_acos, -1, 1),
                      ROW(atan, mpfr_atan, -4, 4),     ROW(sinh, mpfr_sinh, -711, 711),
                      ROW(cosh, mpfr_cosh, -711, 711), ROW(tanh, mpfr_tanh, -20, 20)};
#undef ROW

/// Any finite number: its exponent is drawn evenly.
double of_any_size(Rng& rng) {
  const double size = std::ldexp(1 + rng.unit(), static_cast<int>(rng.between(-1074, 1023)));
  return rng.chance(0.5) ? size : -size;
}

int points() { return static_cast<int>(test::setting("PARAISO_ELEMENTARY", 20000)); }

class ElementaryOfOne : public testing::TestWithParam<int> {};

TEST_P(ElementaryOfOne, IsWithinOneUlp) {
  const One& row = kOfOne[GetParam()];
  Rng rng(1);
  Worst f64, f32;
  Exact x, y;
  const auto see = [&](double value) {
    mpfr_set_d(x(), value, MPFR_RNDN);
    row.exact(y(), x());
    f64.see(row.f64(value), y(), row.name, value, 0);
    const auto single = static_cast<float>(value);
    mpfr_set_flt(x(), single, MPFR_RNDN);
    row.exact(y(), x());
    f32.see(row.f32(single), y(), row.name, single, 0);
  };
  for (double value : special_values()) see(value);
  for (int i = 0; i < points(); ++i) {
    see(row.low + (row.high - row.low) * rng.unit());
    see((row.low + (row.high - row.low) * rng.unit()) / 8);
    see(of_any_size(rng));
  }
  EXPECT_GT(f64.points, 3 * points());
  EXPECT_LE(f64.ulps, 1) << f64.where;
  EXPECT_LE(f32.ulps, 1) << f32.where;
  RecordProperty("worst", fmt::format("{:.3f} {:.3f}", f64.ulps, f32.ulps));
}

INSTANTIATE_TEST_SUITE_P(Functions, ElementaryOfOne,
                         testing::Range(0, static_cast<int>(std::size(kOfOne))),
                         [](const auto& info) { return std::string(kOfOne[info.param].name); });

template <class Draw>
void expect_of_two(const char* name, double (*f64)(double, double), float (*f32)(float, float),
                   int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), Draw&& draw) {
  Worst of_f64, of_f32;
  Exact x, y, z;
  const auto see = [&](double a, double b) {
    mpfr_set_d(x(), a, MPFR_RNDN);
    mpfr_set_d(y(), b, MPFR_RNDN);
    exact(z(), x(), y(), MPFR_RNDN);
    of_f64.see(f64(a, b), z(), name, a, b);
    const auto c = static_cast<float>(a), d = static_cast<float>(b);
    mpfr_set_flt(x(), c, MPFR_RNDN);
    mpfr_set_flt(y(), d, MPFR_RNDN);
    exact(z(), x(), y(), MPFR_RNDN);
    of_f32.see(f32(c, d), z(), name, c, d);
  };
  for (double a : special_values())
    for (double b : special_values()) see(a, b);
  Rng rng(2);
  for (int i = 0; i < points(); ++i)
    for (const auto& [a, b] : draw(rng)) see(a, b);
  EXPECT_GT(of_f64.points, 3 * points());
  EXPECT_LE(of_f64.ulps, 1) << of_f64.where;
  EXPECT_LE(of_f32.ulps, 1) << of_f32.where;
}

using Pairs = std::vector<std::pair<double, double>>;

TEST(ElementaryOfTwo, PowIsWithinOneUlp) {
  expect_of_two("pow", paraiso_support::pow, paraiso_support::pow, mpfr_pow, [](Rng& rng) {
    const double near = 1 + 0.01 * (rng.unit() - 0.5);
    return Pairs{{20 * rng.unit(), 80 * (rng.unit() - 0.5)},
                 {near, of_any_size(rng)},
                 {near, 1e5 * (rng.unit() - 0.5)},
                 {std::abs(of_any_size(rng)), 4 * (rng.unit() - 0.5)},
                 {of_any_size(rng), static_cast<double>(rng.between(-6, 6))}};
  });
}

TEST(ElementaryOfTwo, Atan2IsWithinOneUlp) {
  expect_of_two("atan2", paraiso_support::atan2, paraiso_support::atan2, mpfr_atan2, [](Rng& rng) {
    const double size = of_any_size(rng);
    return Pairs{{rng.unit() - 0.5, rng.unit() - 0.5},
                 {of_any_size(rng), of_any_size(rng)},
                 {size * rng.unit(), size * (rng.unit() - 0.5)}};
  });
}

}  // namespace
}  // namespace paraiso
