// How long elementary functions take for a cell: ours in vectors, the C library's as `--numbers
// fast` calls them, and the C library's one by one. bench/elementary.sh compiles it for each level.
#include "paraiso/support/elementary.cpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "paraiso/support/libm.hpp"
#include "paraiso/support/vector_cells.hpp"

namespace {

namespace support = paraiso_support;

constexpr std::int64_t kCells = 2048;  // in the first cache
constexpr int kRepeats = 200, kRounds = 15;

template <class F>
double nanoseconds_a_cell(F&& once) {
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int repeat = 0; repeat < kRepeats; ++repeat) once();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    rounds.push_back(taken.count() / kRepeats / kCells);
  }
  return *std::min_element(rounds.begin(), rounds.end());
}

template <class T>
struct Cells {
  alignas(64) T x[kCells], y[kCells], result[kCells];

  explicit Cells(double from, double to) {
    for (std::int64_t i = 0; i < kCells; ++i) {
      const double part = static_cast<double>((i * 1237) % kCells) / kCells;
      x[i] = static_cast<T>(from + (to - from) * part);
      y[i] = static_cast<T>(0.5 + 3 * part);
    }
  }
  template <class F>
  void in_vectors(F&& f) {
    support::each_vector<T, 1>(0, kCells, [&](auto lanes, std::int64_t i) PARAISO_CELLS {
      support::store(result + i, f(lanes.load(x + i), lanes.load(y + i)));
    });
    __asm__ volatile("" : : "r"(result) : "memory");
  }
  template <class F>
  void one_by_one(F&& f) {
    for (std::int64_t i = 0; i < kCells; ++i) result[i] = f(x[i], y[i]);
    __asm__ volatile("" : : "r"(result) : "memory");
  }
};

template <class T, class Ours, class Fast, class One>
void row(const char* name, double from, double to, Ours&& ours, Fast&& fast, One&& one) {
  static Cells<T> cells(0, 0);
  cells = Cells<T>(from, to);
  const double own = nanoseconds_a_cell([&] { cells.in_vectors(ours); });
  const double theirs = nanoseconds_a_cell([&] { cells.in_vectors(fast); });
  const double scalar = nanoseconds_a_cell([&] { cells.one_by_one(one); });
  std::printf("  %s %-5s %7.2f %7.2f %7.2f   %6.1f %6.2f\n", sizeof(T) == 4 ? "f32" : "f64", name,
              own, theirs, scalar, own / theirs, own / scalar);
}

template <class T>
void rows() {
#define ONE(name, from, to)                                           \
  row<T>(                                                             \
      #name, from, to, [](auto x, auto) { return support::name(x); }, \
      [](auto x, auto) { return support::libm_##name(x); }, [](T x, T) { return std::name(x); });
  ONE(exp, -20, 20)
  ONE(log, 0.001, 1000)
  ONE(sin, -20, 20)
  ONE(cos, -20, 20)
  ONE(tan, -20, 20)
  ONE(asin, -1, 1)
  ONE(acos, -1, 1)
  ONE(atan, -20, 20)
  ONE(sinh, -20, 20)
  ONE(cosh, -20, 20)
  ONE(tanh, -20, 20)
  ONE(cbrt, -1000, 1000)
#undef ONE
  row<T>(
      "atan2", -20, 20, [](auto x, auto y) { return support::atan2(x, y); },
      [](auto x, auto y) { return support::libm_atan2(x, y); },
      [](T x, T y) { return std::atan2(x, y); });
  row<T>(
      "pow", 0.1, 10, [](auto x, auto y) { return support::pow(x, y); },
      [](auto x, auto y) { return support::libm_pow(x, y); },
      [](T x, T y) { return std::pow(x, y); });
}

}  // namespace

int main() {
  std::printf("            ours  C lib.  scalar   ours/C lib.  ours/scalar   (ns a cell)\n");
  rows<double>();
  rows<float>();
}
