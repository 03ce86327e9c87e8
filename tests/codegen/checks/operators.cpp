// One function an operator on vectors, for instructions_test.cpp, which reads their assembly: the
// loops of all programs are made of these.
#include "paraiso_support.hpp"

using namespace paraiso_support;

#define ONE(name, T, R, call)                               \
  extern "C" void name##_##T##_##R(const T* a, R* result) { \
    using Lanes = LaneCount<lanes_of<T, R>>;                \
    const auto x = Lanes::load(a);                          \
    store(result, call);                                    \
  }
#define TWO(name, T, R, call)                                           \
  extern "C" void name##_##T##_##R(const T* a, const T* b, R* result) { \
    using Lanes = LaneCount<lanes_of<T, R>>;                            \
    const auto x = Lanes::load(a), y = Lanes::load(b);                  \
    store(result, call);                                                \
  }
#define THREE(name, T, call)                                                  \
  extern "C" void name##_##T(const T* a, const T* b, const T* c, T* result) { \
    using Lanes = LaneCount<lanes_of<T, T>>;                                  \
    const auto x = Lanes::load(a), y = Lanes::load(b), z = Lanes::load(c);    \
    store(result, call);                                                      \
  }

namespace {
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using f32 = float;
using f64 = double;
/// As in a loop: as many as a machine vector has of the smaller one; truths are of any size.
template <class A, class B>
constexpr int size_of = std::is_same_v<A, bool>   ? sizeof(B)
                        : std::is_same_v<B, bool> ? sizeof(A)
                        : sizeof(A) < sizeof(B)   ? sizeof(A)
                                                  : sizeof(B);
template <class A, class B>
constexpr int lanes_of = static_cast<int>(vector_bytes) / size_of<A, B>;
}  // namespace

#define NUMBER(T)                            \
  TWO(add, T, T, x + y)                      \
  TWO(sub, T, T, x - y)                      \
  TWO(min, T, T, min(x, y))                  \
  TWO(max, T, T, max(x, y))                  \
  ONE(abs, T, T, abs(x))                     \
  ONE(signum, T, T, signum(x))               \
  TWO(less, T, bool, x < y)                  \
  TWO(equal, T, bool, x == y)                \
  TWO(choose, T, T, select(x < y, x, y + x)) \
  ONE(truth, T, bool, cast<bool>(x))         \
  ONE(number, bool, T, cast<T>(x))
#define FLOAT(T)                  \
  NUMBER(T)                       \
  TWO(mul, T, T, x* y)            \
  TWO(div, T, T, x / y)           \
  ONE(inv, T, T, inv(x))          \
  ONE(sqrt, T, T, sqrt(x))        \
  ONE(floor, T, T, floor(x))      \
  ONE(ceil, T, T, ceil(x))        \
  THREE(madd, T, madd(x, y, z))   \
  THREE(msub, T, msub(x, y, z))   \
  THREE(nmadd, T, nmadd(x, y, z)) \
  THREE(nmsub, T, nmsub(x, y, z))
#define CAST(T, R) ONE(cast, T, R, cast<R>(x))

// clang-format off
NUMBER(i8) NUMBER(i16) NUMBER(i32) NUMBER(i64) FLOAT(f32) FLOAT(f64)
CAST(i8, i16) CAST(i8, i32) CAST(i8, i64) CAST(i8, f32) CAST(i8, f64)
CAST(i16, i8) CAST(i16, i32) CAST(i16, i64) CAST(i16, f32) CAST(i16, f64)
CAST(i32, i8) CAST(i32, i16) CAST(i32, i64) CAST(i32, f32) CAST(i32, f64)
CAST(i64, i8) CAST(i64, i16) CAST(i64, i32)
CAST(f32, i8) CAST(f32, i16) CAST(f32, i32) CAST(f32, f64)
CAST(f64, i8) CAST(f64, i16) CAST(f64, i32) CAST(f64, f32)
    // clang-format on
