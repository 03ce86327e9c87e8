#include "paraiso/frontend/functions.hpp"

#include <limits>

#include "program.hpp"

namespace paraiso {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Axis<1> x(0);

TEST(PlainFunctions, are_the_machines_own) {
  EXPECT_EQ(min(2.0, 1), 1.0);
  EXPECT_EQ(max(2, 3), 3);
  static_assert(std::is_same_v<decltype(max(2, 3)), int>);
  EXPECT_EQ(min(kNaN, 1.0), 1.0);  // a < b ? a : b
  EXPECT_TRUE(std::isnan(min(1.0, kNaN)));
  EXPECT_EQ(abs(-3), 3);
  EXPECT_EQ(signum(-0.5f), -1.0f);
  EXPECT_EQ(sqrt(2), std::sqrt(2.0));  // of an integer: a double
  EXPECT_EQ(mod(-7, 3), -1);
  EXPECT_EQ(mod(7, 0), 7);
  EXPECT_EQ(inv(4.0), 0.25);
  EXPECT_EQ(ipow<3>(2.0), 8.0);
  EXPECT_EQ(ipow(2.0, -1), 0.5);
  EXPECT_EQ(cast<std::int32_t>(-2.7), -2);
  EXPECT_EQ(cast<std::int32_t>(kNaN), 0);
  EXPECT_EQ(divmod(7, 2), std::pair(3, 1));
  EXPECT_EQ(sincos(0.0), std::pair(0.0, 1.0));
  EXPECT_EQ(select(true, 1, 2.5), 1.0);
  EXPECT_EQ(atan2(1.0, 1.0), std::atan2(1.0, 1.0));
}

TEST(PlainFunctions, round_multiply_adds_once) {
  const double a = 1 + 0x1p-30, b = 1 - 0x1p-30;
  EXPECT_EQ(fma(a, b, -1.0), -0x1p-60);
  EXPECT_EQ(msub(a, b, 1.0), -0x1p-60);
  EXPECT_EQ(nmadd(a, b, 1.0), 0x1p-60);
  EXPECT_EQ(nmsub(2.0, 3.0, 1.0), -7.0);
}

/// One of each function on reals, as a user writes it for both.
template <class R>
std::vector<R> all_functions(const R& a, const R& b) {
  const auto [sine, cosine] = sincos(a);
  const auto [quotient, remainder] = divmod(b, a);
  return {min(a, b),
          max(a, b),
          abs(b),
          signum(b),
          mod(b, a),
          inv(a),
          fma(a, b, a),
          madd(a, b, b),
          msub(a, b, a),
          nmadd(a, b, a),
          nmsub(a, b, a),
          sqrt(a),
          cbrt(b),
          pow(a, b),
          exp(b),
          log(a),
          sin(b),
          cos(b),
          tan(b),
          asin(a),
          acos(a),
          atan(b),
          atan2(a, b),
          sinh(b),
          cosh(b),
          tanh(b),
          floor(b),
          ceil(b),
          ipow<5>(b),
          ipow(a, -2),
          sine,
          cosine,
          quotient,
          remainder,
          select(a < b, a, b),
          select(a < 0.5, 1, b),
          cast<number_type<R>>(cast<std::int32_t>(10 * b)),
          number_type<R>(0.5) * a - b / 3 + -a};
}

/// A generic function has the same bits on plain numbers and in the interpreter.
template <class Real>
void expect_same_bits() {
  const Real a = Real(0.7), b = Real(-1.3);
  const auto expected = all_functions(a, b);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    Builder<1> om("one");
    Field<Real, 1> result{om, "result", cyclic()};
    Scalar<Real, 1> u{om, "u", om::StaticRole::plain, a}, v{om, "v", om::StaticRole::plain, b};
    om.step("local", [&] { store(result, all_functions<Local<Real, 1>>(load(u), load(v))[k]); });
    om.kernel("global", [&] { store(u, all_functions(load(u), load(v))[k]); });
    Interpreted program(om.machine(), {1});
    EXPECT_EQ(program.run("local").get("result")[0], expected[k]) << k;
    EXPECT_EQ(program.run("global").get("u")[0], expected[k]) << k;
  }
}
TEST(Functions, agree_on_numbers_and_values_in_double_precision) { expect_same_bits<double>(); }
TEST(Functions, agree_on_numbers_and_values_in_single_precision) { expect_same_bits<float>(); }

TEST(Functions, work_on_integers_and_bools) {
  Builder<1> om("integers");
  Field<std::int32_t, 1> i{om, "i", cyclic()};
  Field<bool, 1> b{om, "b", cyclic()};
  om.step("proceed", [&] {
    const auto n = cast<std::int32_t>(index(x)) - 2;
    store(i, n * 100 + n % 3 * 10 + (n & 6) + (n | 1) + (n ^ 1) + ~n);
    store(b, (n < 0 || n >= 2) && !(n == -1) && n != 3);
  });
  Elements expected_i, expected_b;
  for (int n : {-2, -1, 0, 1, 2, 3}) {
    expected_i.push_back(n * 100 + n % 3 * 10 + (n & 6) + (n | 1) + (n ^ 1) + ~n);
    expected_b.push_back((n < 0 || n >= 2) && n != -1 && n != 3);
  }
  Interpreted program(om.machine(), {6});
  program.run("proceed");
  EXPECT_EQ(program.get("i"), expected_i);
  EXPECT_EQ(program.get("b"), expected_b);
}

TEST(Functions, name_a_new_value_in_compound_assignments) {
  Builder<1> om("sums");
  Scalar<double, 1> s{om, "s"};
  om.step("proceed", [&] {
    auto total = load(s);
    for (int k = 1; k <= 3; ++k) total += k;
    total *= 2;
    total -= 1;
    total /= 11;
    store(s, total);
  });
  EXPECT_EQ(Interpreted(om.machine(), {1}).run("proceed").get("s"), Elements{1});
}

TEST(Functions, choose_by_a_plain_bool_at_once) {
  Builder<1> om("plain");
  Field<double, 1> f{om, "f", cyclic()};
  om.step("proceed", [&] { store(f, select(true, load(f), 3.0)); });
  EXPECT_EQ(kernel_text(om.machine(), "proceed").find("select"), std::string::npos);
}

TEST(Functions, round_numbers_to_the_element_type) {
  Builder<1> om("rounding");
  Scalar<float, 1> s{om, "s"};
  om.step("proceed", [&] { store(s, load(s) + 0.1); });
  EXPECT_EQ(Interpreted(om.machine(), {1}).run("proceed").get("s"), Elements{0.1f});
}

}  // namespace
}  // namespace paraiso
