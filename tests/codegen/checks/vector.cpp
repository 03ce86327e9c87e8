// Every lane of a Vector or a Mask holds the bits that the scalar operator of arithmetic.hpp makes.
// Prints what does not hold and fails; support_checks_test.cpp compiles it with every compiler.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "paraiso_support.hpp"

using namespace paraiso_support;

namespace {

bool right = true;

template <class T>
const char* type_name() {
  if constexpr (std::is_same_v<T, bool>) return "bool";
  if constexpr (std::is_same_v<T, std::int8_t>) return "i8";
  if constexpr (std::is_same_v<T, std::int16_t>) return "i16";
  if constexpr (std::is_same_v<T, std::int32_t>) return "i32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "i64";
  if constexpr (std::is_same_v<T, float>) return "f32";
  return "f64";
}

/// Values at which operators change what they do, in every type that they may be cast to.
template <class T>
std::vector<T> extremes() {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true, true};
  } else {
    std::vector<T> values = {T{0},
                             T{1},
                             T{2},
                             T{3},
                             T{7},
                             static_cast<T>(-1),
                             static_cast<T>(-2),
                             limits::max(),
                             limits::lowest()};
    for (const double power : {0x1p24, 0x1p31, 0x1p32, 0x1p53, 0x1p62, 0x1p63})
      for (const double step : {-1.0, 0.0, 1.0})
        for (const double sign : {-1.0, 1.0}) values.push_back(cast<T>(sign * (power + step)));
    if constexpr (std::is_integral_v<T>) {
      values.insert(values.end(), {limits::max() - 1, limits::lowest() + 1});
    } else {
      values.insert(values.end(),
                    {T{-0.0}, limits::infinity(), -limits::infinity(), limits::quiet_NaN(),
                     limits::min(), -limits::denorm_min(), T{0.5}, T{-0.5}, T{2.5}, T{0.1f},
                     T{-1.75}, std::nextafter(static_cast<T>(-0x1p31), T{-1e30f})});
    }
    return values;
  }
}

template <class T>
bool same(T x, T y) {
  if constexpr (is_float<T>)
    if (x != x && y != y) return true;  // no operator promises which NaN
  return std::memcmp(&x, &y, sizeof x) == 0;
}

/// Operands of an operator, whole vectors of them, and then the results.
template <class T>
using Cells = std::unique_ptr<T[]>;
constexpr int most_lanes = 64;
template <class T>
Cells<T> cells(std::size_t count) {
  return Cells<T>(new T[count + most_lanes]());
}

template <class T>
void expect_same(const T* made, const T* expected, std::size_t count, const char* what, int lanes) {
  for (std::size_t i = 0; i < count; ++i)
    if (!same(made[i], expected[i])) {
      std::printf("%s, %d lanes of %s, case %zu: %.17g instead of %.17g\n", what, lanes,
                  type_name<T>(), i, static_cast<double>(made[i]),
                  static_cast<double>(expected[i]));
      right = false;
      return;
    }
}

/// Every triple of values, which is many; pairs and single values are among them.
template <class T>
struct Triples {
  Triples() {
    const std::vector<T> values = extremes<T>();
    const std::size_t n = values.size(), thirds = n < 12 ? n : 12;
    count = n * n * thirds;
    x = cells<T>(count), y = cells<T>(count), z = cells<T>(count);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = values[i % n];
      y[i] = values[i / n % n];
      z[i] = values[(n - 1) - i / n / n % thirds];
    }
  }
  std::size_t count;
  Cells<T> x, y, z;
};

/// Applies an operator to the vectors of `L` lanes and to the scalars of the same cells; not
/// inlined, which would take compilers minutes.
template <int L, class T, class OnLanes, class OnScalars>
[[gnu::noinline]] void check(const Triples<T>& operands, const char* what, OnLanes&& on_lanes,
                             OnScalars&& on_scalars) {
  using Result = decltype(on_scalars(T{}, T{}, T{}));
  auto made = cells<Result>(operands.count), expected = cells<Result>(operands.count);
  using Lanes = LaneCount<L>;
  for (std::size_t i = 0; i < operands.count; i += L)
    store(made.get() + i,
          on_lanes(Lanes::load(operands.x.get() + i), Lanes::load(operands.y.get() + i),
                   Lanes::load(operands.z.get() + i)));
  for (std::size_t i = 0; i < operands.count; ++i)
    expected[i] = on_scalars(operands.x[i], operands.y[i], operands.z[i]);
  expect_same(made.get(), expected.get(), operands.count, what, L);
}

// clang-format off
#define CHECK(what, lanes, scalars)                                             \
  check<L>(operands, what,                                                      \
           []([[maybe_unused]] auto x, [[maybe_unused]] auto y,                 \
              [[maybe_unused]] auto z) { return lanes; },                       \
           []([[maybe_unused]] T x, [[maybe_unused]] T y, [[maybe_unused]] T z) \
              { return scalars; })
#define CHECK_CALL(call) CHECK(#call, call, paraiso_support::call)
// clang-format on

template <int L, class T>
void check_numbers() {
  const Triples<T> operands;
  CHECK_CALL(identity(x));
  CHECK("add", x + y, add(x, y));
  CHECK("sub", x - y, sub(x, y));
  CHECK("neg", -x, neg(x));
  CHECK("mul", x * y, mul(x, y));
  CHECK_CALL(abs(x));
  CHECK_CALL(signum(x));
  CHECK_CALL(min(x, y));
  CHECK_CALL(max(x, y));
  CHECK("eq", x == y, eq(x, y));
  CHECK("ne", x != y, ne(x, y));
  CHECK("lt", x < y, lt(x, y));
  CHECK("le", x <= y, le(x, y));
  CHECK("gt", x > y, gt(x, y));
  CHECK("ge", x >= y, ge(x, y));
  CHECK("select", select(x < z, x, y), select(x < z, x, y));
  CHECK("select of a bool", select(true, x, y), x);
  CHECK("beside a scalar", select(T{2} < x, T{3} - y, T{1}), select(T{2} < x, sub(T{3}, y), T{1}));
  CHECK("cast to bool", cast<bool>(x), cast<bool>(x));
  CHECK("cast to i32", cast<std::int32_t>(x), cast<std::int32_t>(x));
  CHECK("cast to i64", cast<std::int64_t>(x), cast<std::int64_t>(x));
  CHECK("cast to f32", cast<float>(x), cast<float>(x));
  CHECK("cast to f64", cast<double>(x), cast<double>(x));
  if constexpr (is_float<T>) {
    CHECK("div", x / y, div(x, y));
    CHECK_CALL(inv(x));
    CHECK_CALL(sqrt(x));
    CHECK_CALL(floor(x));
    CHECK_CALL(ceil(x));
    CHECK_CALL(madd(x, y, z));
    CHECK_CALL(msub(x, y, z));
    CHECK_CALL(nmadd(x, y, z));
    CHECK_CALL(nmsub(x, y, z));
  } else {
    CHECK("not", ~x, not_(x));
    CHECK("and", x & y, and_(x, y));
    CHECK("or", x | y, or_(x, y));
    CHECK("xor", x ^ y, xor_(x, y));
  }
}

/// Truths of bytes beside truths of the size of T.
template <int L, class T>
void check_truths_beside() {
  const Triples<T> operands;
  CHECK("and", and_(x < y, cast<bool>(z)), (x < y) && z != T{0});
  CHECK("and of sizes", and_(resize<1>(x < y), y < z), (x < y) && (y < z));
  CHECK("or of sizes", or_(x < y, resize<1>(y < z)), (x < y) || (y < z));
  CHECK("xor of sizes", xor_(x < y, resize<8>(y < z)), (x < y) != (y < z));
  CHECK("select by bytes", select(resize<1>(x < y), y, z), x < y ? y : z);
  CHECK("select by i64", select(resize<8>(x < y), y, z), x < y ? y : z);
  CHECK("select truths", select(x < y, resize<1>(y < z), x == z), x < y ? y < z : x == z);
  CHECK("cast a comparison", cast<T>(resize<8>(x < y)), cast<T>(x < y));
}

/// Integers of few bytes, which only loops over small values have.
template <int L, class T>
void check_kept() {
  const Triples<T> operands;
  CHECK("add", x + y, add(x, y));
  CHECK("sub", x - y, sub(x, y));
  CHECK("neg", -x, neg(x));
  CHECK("mul", x * y, mul(x, y));
  CHECK("not", ~x, not_(x));
  CHECK_CALL(abs(x));
  CHECK_CALL(signum(x));
  CHECK_CALL(min(x, y));
  CHECK_CALL(max(x, y));
  CHECK("lt", x < y, lt(x, y));
  CHECK("eq to a wider scalar", x == std::int32_t{3}, x == 3);
  CHECK("select", select(x < z, x, y), select(x < z, x, y));
  CHECK("select by i32", select(resize<4>(x < z), x, y), select(x < z, x, y));
  CHECK("cast to bool", cast<bool>(x), cast<bool>(x));
  CHECK("cast a truth", cast<T>(x < y), cast<T>(x < y));
  CHECK("cast to i8", cast<std::int8_t>(x), static_cast<std::int8_t>(x));
  CHECK("cast to i16", cast<std::int16_t>(x), static_cast<std::int16_t>(x));
  CHECK("cast to i32", cast<std::int32_t>(x), cast<std::int32_t>(x));
  CHECK("cast to i64", cast<std::int64_t>(x), cast<std::int64_t>(x));
  CHECK("cast to f32", cast<float>(x), cast<float>(x));
  CHECK("cast to f64", cast<double>(x), cast<double>(x));
  CHECK("cast from i32", cast<T>(cast<std::int32_t>(x)), x);
}

/// The sum of a chunk of bytes, whole vectors or not.
void check_sums_of_bytes() {
  std::int8_t cells[chunk_cells];
  std::int64_t expected = 0;
  for (std::int64_t n = 0; n < chunk_cells; ++n) {
    const std::int64_t made = reduce_kept<Sum, std::int64_t>(cells, n);
    expect_same(&made, &expected, 1, "sum of bytes", static_cast<int>(n));
    cells[n] = static_cast<std::int8_t>(n % 7 == 0 ? INT8_MIN : n * 5);
    expected += cells[n];
  }
}

template <int L>
void check_truths() {
  using T = bool;
  const Triples<bool> operands;
  CHECK_CALL(identity(x));
  CHECK("not", !x, not_(x));
  CHECK_CALL(and_(x, y));
  CHECK_CALL(or_(x, y));
  CHECK_CALL(xor_(x, y));
  CHECK("and of a bool", and_(x, true), x);
  CHECK("or of a bool", or_(false, x), x);
  CHECK("eq", x == y, eq(x, y));
  CHECK("ne", x != y, ne(x, y));
  CHECK_CALL(select(x, y, z));
  CHECK("fill", LaneCount<L>::fill(true), true);
  CHECK("cast to bool", cast<bool>(x), cast<bool>(x));
  CHECK("cast to i32", cast<std::int32_t>(x), cast<std::int32_t>(x));
  CHECK("cast to i64", cast<std::int64_t>(x), cast<std::int64_t>(x));
  CHECK("cast to f32", cast<float>(x), cast<float>(x));
  CHECK("cast to f64", cast<double>(x), cast<double>(x));
}

template <int L>
void check_indices() {
  for (const std::int64_t first : {std::int64_t{-3}, std::int64_t{0}, INT64_MAX - 1}) {
    std::int64_t made[L], expected[L];
    store(made, LaneCount<L>::count_from(first));
    for (std::int64_t l = 0; l < L; ++l) expected[l] = add(first, l);
    expect_same(made, expected, L, "count_from", L);
  }
}

template <int distance, int L, class T>
void check_neighbour(const T* cells) {
  T made[L];
  store(made, neighbour<distance>(LaneCount<L>(), cells));
  expect_same(made, cells + distance, L, "neighbour", L);
}

template <int L, class T>
void check_neighbours() {
  alignas(vector_bytes) T cells[7 * most_lanes];
  for (int i = 0; i < 7 * most_lanes; ++i) cells[i] = static_cast<T>(i * 7 % 5);
  const T* const here = cells + 3 * most_lanes;
  check_neighbour<0, L>(here);
  check_neighbour<1, L>(here);
  check_neighbour<-1, L>(here);
  check_neighbour<3, L>(here);
  check_neighbour<-4, L>(here);
  check_neighbour<L, L>(here);
  check_neighbour<-L, L>(here);
  check_neighbour<2 * L + 1, L>(here);
  check_neighbour<-2 * L - 1, L>(here);
}

template <int L>
void check_lanes() {
  check_neighbours<L, bool>();
  check_neighbours<L, std::int32_t>();
  check_neighbours<L, std::int64_t>();
  check_neighbours<L, float>();
  check_neighbours<L, double>();
  check_numbers<L, std::int32_t>();
  check_numbers<L, std::int64_t>();
  check_numbers<L, float>();
  check_numbers<L, double>();
  check_truths_beside<L, std::int32_t>();
  check_truths_beside<L, double>();
  check_truths<L>();
  check_indices<L>();
}

/// Whole vectors reach the end, and pass it by less than one.
void check_each_vector() {
  for (std::int64_t end = 0; end < 100; ++end) {
    std::int64_t next = -16;
    each_vector<float, 4>(-16, end, [&](auto lanes, std::int64_t i) {
      float made[most_lanes];
      const auto filled = decltype(lanes)::fill(1.0f);
      store(made, filled);
      if (i != next) right = false;
      next += sizeof filled / sizeof(float);
    });
    if (next < end || next - end >= static_cast<std::int64_t>(vector_bytes / sizeof(float)))
      right = false;
    if (!right)
      std::printf("each_vector ends at %lld instead of %lld\n", static_cast<long long>(next),
                  static_cast<long long>(end));
  }
}

}  // namespace

int main() {
  constexpr int fewest = vector_bytes / sizeof(double);
  check_lanes<fewest>();
  check_lanes<4 * fewest>();
  check_kept<8 * fewest, std::int8_t>();
  check_kept<4 * fewest, std::int16_t>();
  check_sums_of_bytes();
  check_each_vector();
  return right ? 0 : 1;
}
