// The C library's functions of vectors are within 5 ulp of ours (4 of its own, 1 of ours), and as
// C99 says at special values; so are those of scalars.
#include <cstdio>
#include <cstring>

#include "paraiso_support.cpp"

#include "paraiso_libm.hpp"

using namespace paraiso_support;

namespace {

int wrong = 0;
long compared = 0;

template <class T>
bool close(T ours, T theirs) {
  if (ours != ours || theirs != theirs) return ours != ours && theirs != theirs;
  if (ours == theirs) return true;
  if (std::isinf(ours) || std::isinf(theirs)) {  // near the largest number
    const T limit = std::numeric_limits<T>::max() * (1 - 8 * std::numeric_limits<T>::epsilon());
    return std::fabs(ours) > limit && std::fabs(theirs) > limit;
  }
  const T ulp = std::fabs(std::nextafter(ours, std::numeric_limits<T>::infinity()) - ours);
  return std::fabs(ours - theirs) <= 5 * ulp;
}

/// Of one argument or two; L lanes.
template <int L, class T, class Ours, class Theirs>
void compare(const char* name, const T* x, const T* y, int count, Ours&& ours, Theirs&& theirs) {
  for (int i = 0; i + L <= count; i += L) {
    T cells[L];
    store(cells, theirs(Vector<T, L>::load(x + i), Vector<T, L>::load(y + i)));
    for (int l = 0; l < L; ++l) {
      ++compared;
      const T expected = ours(x[i + l], y[i + l]);
      for (const T got : {cells[l], theirs(x[i + l], y[i + l])})
        if (!close(expected, got) && ++wrong < 20)
          std::printf("%s(%.17g, %.17g) = %.17g by the library, %.17g by us, %d lanes of %d\n",
                      name, static_cast<double>(x[i + l]), static_cast<double>(y[i + l]),
                      static_cast<double>(got), static_cast<double>(expected), L,
                      static_cast<int>(sizeof(T)));
    }
  }
}

template <class T>
void compare_all() {
  constexpr int count = 2048, lanes = static_cast<int>(vector_bytes / sizeof(T));
  static T x[count], y[count];
  std::uint64_t state = 88172645463325252u;
  const auto next = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  };
  const T special[] = {T(0),
                       T(-0.0),
                       T(1),
                       T(-1),
                       T(0.5),
                       std::numeric_limits<T>::infinity(),
                       -std::numeric_limits<T>::infinity(),
                       std::numeric_limits<T>::quiet_NaN(),
                       std::numeric_limits<T>::max(),
                       std::numeric_limits<T>::min(),
                       std::numeric_limits<T>::denorm_min(),
                       T(2),
                       T(-3),
                       T(1e10),
                       T(1e30)};
  for (int i = 0; i < count; ++i)
    for (T* of : {x, y}) {
      const double word = static_cast<double>(next() >> 11);
      of[i] = T(word * 0x1p-48 - 16);  // near 0
      if (i % 4 == 1) of[i] = T(word * 0x1p-52 - 1);
      if (i % 4 == 2) of[i] = T(word * 0x1p-43 - 512);
      if (i % 4 == 3) of[i] = special[next() % 15];
    }
#define ONE(name)                                                                \
  for_lanes(                                                                     \
      #name, x, y, count, [](auto a, auto) { return paraiso_support::name(a); }, \
      [](auto a, auto) { return paraiso_support::libm_##name(a); });
#define TWO(name)                                                                     \
  for_lanes(                                                                          \
      #name, x, y, count, [](auto a, auto b) { return paraiso_support::name(a, b); }, \
      [](auto a, auto b) { return paraiso_support::libm_##name(a, b); });
  const auto for_lanes = [](auto... arguments) {
    compare<lanes / 2>(arguments...);
    compare<lanes>(arguments...);
    compare<2 * lanes>(arguments...);
  };
  ONE(cbrt)
  ONE(exp)
  ONE(log)
  ONE(sin)
  ONE(cos)
  ONE(tan)
  ONE(asin)
  ONE(acos)
  ONE(atan)
  ONE(sinh)
  ONE(cosh)
  ONE(tanh)
  TWO(pow)
  TWO(atan2)
#undef ONE
#undef TWO
}

/// One operand may be a scalar.
void compare_mixed() {
  const double cells[] = {0.5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  constexpr int lanes = static_cast<int>(vector_bytes / sizeof(double));
  double powers[lanes], angles[lanes];
  store(powers, libm_pow(Vector<double, lanes>::load(cells), 2.0));
  store(angles, libm_atan2(1.0, Vector<double, lanes>::load(cells)));
  for (int l = 0; l < lanes; ++l)
    if (!close(powers[l], cells[l] * cells[l]) ||
        !close(angles[l], paraiso_support::atan2(1.0, cells[l])))
      ++wrong;
}

}  // namespace

int main() {
  compare_all<double>();
  compare_all<float>();
  compare_mixed();
  if (compared < 150000) std::printf("only %ld compared\n", compared);
  return wrong != 0;
}
