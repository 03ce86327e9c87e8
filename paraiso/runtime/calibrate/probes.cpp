#include "paraiso/runtime/calibrate/probes.hpp"

namespace paraiso::runtime {

std::string_view probe_source() {
  return R"PROBE(#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace {
namespace support = paraiso_support;

// Of 16 registers, or of 32: some are for constants.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int kChains = 24;
#else
constexpr int kChains = 12;
#endif
constexpr int kDividers = 4;

template <class T>
constexpr int kLanes = support::vector_bytes / sizeof(T);
template <class T>
using Lanes = support::Vector<T, kLanes<T>>;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Hides the value from the compiler: it can neither drop nor precompute it.
template <class T, int L>
[[gnu::always_inline]] inline void keep(support::Vector<T, L>& value) {
#if defined(__aarch64__)
  asm volatile("" : "+w"(value.native));
#elif defined(__x86_64__)
  asm volatile("" : "+v"(value.native));
#else
  asm volatile("" : "+m"(value.native));
#endif
}

/// Seconds of a thread's work, averaged over threads; for each the least of its runs in `budget`
/// seconds.
template <class Make>
double least_seconds(int threads, double budget, const Make& make) {
  double sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    auto work = make();
    double least = std::numeric_limits<double>::infinity();
    work();
#pragma omp barrier
    const double end = now() + budget;
    int runs = 0;
    do {
      const double start = now();
      work();
      const double seconds = now() - start;
      least = std::min(least, seconds);
    } while (++runs < 3 || now() < end);
    sum += least;
  }
  return sum / threads;
}

// --- arithmetic ---

/// Whole vectors of `op` per second, in several independent chains.
template <class T, int chains, class Op>
double operations(int threads, const Op& op) {
  constexpr int kTimes = 2000;
  const double seconds = least_seconds(threads, 0.01, [&] {
    return [&] {
      Lanes<T> factor(T(0.999)), term(T(0.5));
      keep(factor);
      keep(term);
      typename Lanes<T>::Native values[chains];
      for (auto& value : values) value = factor.native;
      for (int time = 0; time < kTimes; ++time)
#pragma GCC unroll 32
        for (int i = 0; i < chains; ++i) {
          Lanes<T> value = op(i, Lanes<T>(values[i]), factor, term);
          keep(value);
          values[i] = value.native;
        }
    };
  });
  return static_cast<double>(kTimes) * chains / seconds;
}

/// Cycles per second: integer additions, one after the other.
double cycles(int threads) {
  constexpr int kTimes = 20000;
  const double seconds = least_seconds(threads, 0.01, [] {
    return [] {
      long value = 0, one = 1;
      asm volatile("" : "+r"(one));
      for (int time = 0; time < kTimes; ++time)
#pragma GCC unroll 8
        for (int i = 0; i < 8; ++i) {
          value += one;
          asm volatile("" : "+r"(value));
        }
    };
  });
  return 8.0 * kTimes / seconds;
}

/// Whole vectors loaded per second from L1.
double loads(int threads) {
  constexpr int kTimes = 400, kVectors = 128;
  using V = Lanes<double>;
  const double seconds = least_seconds(threads, 0.01, [] {
    return [] {
      alignas(64) static thread_local double cells[kVectors * kLanes<double>];
      for (int time = 0; time < kTimes; ++time) {
#pragma GCC unroll 16
        for (int i = 0; i < kVectors; ++i) {
          V value = V::load(cells + i * kLanes<double>);
          keep(value);
        }
        asm volatile("" : : "r"(cells) : "memory");
      }
    };
  });
  return static_cast<double>(kTimes) * kVectors / seconds;
}

// --- memory ---

/// Memory of whole pages, of zeros: no probe writes anything else.
class Zeros {
 public:
  Zeros() = default;
  explicit Zeros(std::size_t bytes) : bytes_(bytes) {
    const std::size_t page = support::page_of(bytes);
    memory_ = support::allocate_pages(support::whole_pages(bytes, page), page);
    std::memset(memory_.get(), 0, bytes);
  }
  char* get() const { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
  support::Pages memory_;
};

/// For each thread its memory, kept from probe to probe: the system takes long to give pages.
std::vector<Zeros> kept;

/// A thread's two buffers, of half of the bytes each.
class Buffers {
 public:
  explicit Buffers(double bytes)
      : count_(static_cast<std::int64_t>(bytes / 2 / sizeof(double)) / 64 * 64) {
    const std::size_t all = 2 * count_ * sizeof(double) + 2 * support::huge_page;
    Zeros& mine = kept[omp_get_thread_num()];
    if (mine.bytes() < all) mine = Zeros(all);
    memory_ = mine.get();
  }
  double* from() const { return reinterpret_cast<double*>(memory_ + support::stagger(0, 32)); }
  /// Staggered against the first.
  double* to() const {
    return reinterpret_cast<double*>(
        memory_ + support::next_at(support::stagger(0, 32) + count_ * sizeof(double),
                                   support::stagger(1, 32), 32 * support::small_page));
  }
  std::int64_t count() const { return count_; }

 private:
  std::int64_t count_;
  char* memory_;
};

/// As solvers' loops go through arrays: from each three rows, one row; so every row is fetched once.
/// Gives the bytes that were fetched; what is overwritten is fetched too.
double stencil_once(const Buffers& buffers) {
  using V = Lanes<double>;
  constexpr std::int64_t kRow = 256;
  const double* from = buffers.from();
  double* to = buffers.to();
  for (std::int64_t row = kRow; row + 2 * kRow <= buffers.count(); row += kRow)
    for (std::int64_t i = row; i < row + kRow; i += kLanes<double>) {
      const V sides = V::load(from + i - 1) + V::load(from + i + 1);
      const V rows = V::load(from + i - kRow) + V::load(from + i + kRow);
      (V::load(from + i) + sides + rows).store(to + i);
    }
  asm volatile("" : : : "memory");
  return 2.0 * (buffers.count() / kRow - 1) * kRow * sizeof(double);
}

/// Bytes per second that a thread fetches.
double stencils(double bytes, int threads) {
  const double passes = bytes < 1e6 ? std::ceil(1e6 / bytes) : 1;
  double fetched = 0;  // the same for each thread
  const double seconds = least_seconds(threads, 0.006, [&] {
    return [&, buffers = Buffers(bytes)] {
      double sum = 0;
      for (double pass = 0; pass < passes; ++pass) sum += stencil_once(buffers);
#pragma omp atomic write
      fetched = sum;
    };
  });
  return fetched / seconds;
}

/// Bytes per second that a thread fetches for a row from one of each of several arrays.
double arrays(double bytes) {
  using V = Lanes<double>;
  constexpr std::int64_t kRead = 7;
  const Buffers buffers(bytes);
  // Their beginnings are staggered in a page.
  const std::int64_t count = 2 * buffers.count() / (kRead + 1) / 512 * 512 - 448;
  const double* from = buffers.from();
  double* to = buffers.from() + kRead * count;
  const double seconds = least_seconds(1, 0.012, [&] {
    return [&] {
      for (std::int64_t i = 0; i < count; i += kLanes<double>) {
        V sum = V::load(from + i);
        for (int k = 1; k < kRead; ++k) sum = sum + V::load(from + k * count + i);
        sum.store(to + i);
      }
      asm volatile("" : : : "memory");
    };
  });
  return (kRead + 1) * count * sizeof(double) / seconds;
}

void copy_past_caches(const Buffers& buffers) {
  using V = Lanes<double>;
  const double* from = buffers.from();
  double* to = buffers.to();
  for (std::int64_t i = 0; i < buffers.count(); i += kLanes<double>)
    support::store_streaming(to + i, V::load(from + i).native);
  support::streaming_fence();
  asm volatile("" : : : "memory");
}

/// Bytes per second that all threads together read, and write past the caches.
double copies_together(double bytes, int threads) {
  double least = std::numeric_limits<double>::infinity();
  double begin = 0, end = 0;  // of a run: of the first thread, of the last one
#pragma omp parallel num_threads(threads)
  {
    const Buffers buffers(bytes);
    for (int run = 0; run < 8; ++run) {
#pragma omp barrier
#pragma omp master
      begin = std::numeric_limits<double>::infinity(), end = 0;
#pragma omp barrier
      const double start = now();
      copy_past_caches(buffers);
      const double stop = now();
#pragma omp critical
      begin = std::min(begin, start), end = std::max(end, stop);
#pragma omp barrier
#pragma omp master
      least = std::min(least, end - begin);
    }
  }
  return bytes * threads / least;
}

/// Loads in a second of which each waits for the one before, in lines that lie in no order.
double misses(double bytes) {
  constexpr int kTimes = 20000;
  const Buffers buffers(bytes);
  constexpr std::uint64_t kLine = 64 / sizeof(double);
  std::uint64_t lines = 1;
  while (2 * lines * kLine <= static_cast<std::uint64_t>(buffers.count())) lines *= 2;
  const double seconds = least_seconds(1, 0.03, [&] {
    return [&, line = std::uint64_t{0}]() mutable {
      for (int time = 0; time < kTimes; ++time) {
        std::uint64_t nothing;  // 0, as all memory is
        std::memcpy(&nothing, buffers.from() + line * kLine, sizeof nothing);
        line = (line * 6364136223846793005 + 1442695040888963407 + nothing) % lines;
      }
      asm volatile("" : "+r"(line));
    };
  });
  return kTimes / seconds;
}

/// Parallel regions started and ended in a second.
double regions(int threads) {
  constexpr int kTimes = 4;
  double least = std::numeric_limits<double>::infinity();
  const double end = now() + 0.03;
  do {
    const double start = now();
    for (int time = 0; time < kTimes; ++time) {
#pragma omp parallel num_threads(threads)
      asm volatile("" : : : "memory");
    }
    least = std::min(least, (now() - start) / kTimes);
  } while (now() < end);
  return 1 / least;
}

}  // namespace

extern "C" double paraiso_probe(const char* name, double bytes, int threads) {
  const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
  if (kept.size() < static_cast<std::size_t>(threads)) kept.resize(threads);
  const auto plus = [](int, auto x, auto, auto y) { return x + y; };
  const auto fused = [](int, auto x, auto f, auto y) { return madd(x, f, y); };
  const auto both = [](int i, auto x, auto f, auto y) { return i % 2 ? x + y : madd(x, f, y); };
  const auto quotient = [](int, auto x, auto, auto y) { return y / x; };
  const auto root = [](int, auto x, auto, auto) { return sqrt(x); };
  if (is("cycles")) return cycles(threads);
  if (is("add")) return operations<double, kChains>(threads, plus);
  if (is("madd")) return operations<double, kChains>(threads, fused);
  if (is("add and madd")) return operations<double, kChains>(threads, both);
  if (is("load")) return loads(threads);
  if (is("divide f64")) return kLanes<double> * operations<double, kDividers>(threads, quotient);
  if (is("divide f32")) return kLanes<float> * operations<float, kDividers>(threads, quotient);
  if (is("root f64")) return kLanes<double> * operations<double, kDividers>(threads, root);
  if (is("root f32")) return kLanes<float> * operations<float, kDividers>(threads, root);
  if (is("stencil")) return stencils(bytes, threads);
  if (is("arrays")) return arrays(bytes);
  if (is("copy together")) return copies_together(bytes, threads);
  if (is("miss")) return misses(bytes);
  if (is("region")) return regions(threads);
  return -1;
}
)PROBE";
}

}  // namespace paraiso::runtime
