// Elementary functions of vectors have the bits of the same functions of scalars.
#include <cstdio>
#include <cstring>

#include "paraiso_support.cpp"

using namespace paraiso_support;

namespace {

int wrong = 0;
long compared = 0;

template <class T>
bool same(T x, T y) {
  return (x != x && y != y) || std::memcmp(&x, &y, sizeof x) == 0;
}

/// Of one argument or two, on vectors of one machine vector and of two.
template <int L, class T, class F>
void compare(const char* name, const T* x, const T* y, int count, F&& f) {
  for (int i = 0; i + L <= count; i += L) {
    T cells[L];
    store(cells, f(Vector<T, L>::load(x + i), Vector<T, L>::load(y + i)));
    for (int l = 0; l < L; ++l) {
      ++compared;
      const T expected = f(x[i + l], y[i + l]);
      if (same(cells[l], expected)) continue;
      if (++wrong < 20)
        std::printf("%s(%.17g, %.17g) = %.17g in a vector, %.17g alone\n", name,
                    static_cast<double>(x[i + l]), static_cast<double>(y[i + l]),
                    static_cast<double>(cells[l]), static_cast<double>(expected));
    }
  }
}

template <class T>
void compare_all() {
  constexpr int count = 4096, lanes = static_cast<int>(vector_bytes / sizeof(T));
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
  for (int i = 0; i < count; ++i) {
    for (T* of : {x, y}) {
      const std::uint64_t word = next();
      std::memcpy(of + i, &word, sizeof(T));                                     // any number
      if (i % 4 == 1) of[i] = T(static_cast<double>(word >> 11) * 0x1p-49 - 8);  // near 0
      if (i % 4 == 2) of[i] = T(static_cast<double>(word >> 11) * 0x1p-52 - 1);  // in [-1, 1)
      if (i % 4 == 3) of[i] = special[word % 15];
    }
  }
#define ONE(name)                                                                            \
  compare<lanes>(#name, x, y, count, [](auto a, auto) { return paraiso_support::name(a); }); \
  compare<2 * lanes>(#name, x, y, count, [](auto a, auto) { return paraiso_support::name(a); });
#define TWO(name)                                                                                 \
  compare<lanes>(#name, x, y, count, [](auto a, auto b) { return paraiso_support::name(a, b); }); \
  compare<2 * lanes>(#name, x, y, count,                                                          \
                     [](auto a, auto b) { return paraiso_support::name(a, b); });
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

}  // namespace

int main() {
  compare_all<double>();
  compare_all<float>();
  if (compared < 200000) std::printf("only %ld compared\n", compared);
  return wrong != 0;
}
