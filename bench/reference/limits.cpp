// What the machine can do at most: copies from memory, from the caches, arithmetic, divisions.
//
//   reference_limits --threads 2        prints one JSON object
//
// A copy counts what it reads and what it writes, two streams; the line that an ordinary store
// fetches first does not count. Each figure is the best of some runs.
#include <omp.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "bench/reference/memory.hpp"
#include "bench/reference/vector.hpp"

namespace reference {
namespace {

constexpr int kRuns = 7;

/// The best rate of some runs, each of `work` on every thread.
double rate(double amount_per_thread, const std::function<void(int)>& work) {
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
#pragma omp parallel
    work(omp_get_thread_num());
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, amount_per_thread * omp_get_max_threads() / seconds);
  }
  return best;
}

/// Bytes per second read and written by copies of `bytes` a thread.
template <bool streamed>
double copy_rate(std::int64_t bytes) {
  const std::int64_t count = bytes / sizeof(double), stagger = 4096 / sizeof(double) / 2;
  const std::int64_t repeats = std::max<std::int64_t>(1, (std::int64_t{1} << 28) / bytes);
  std::vector<std::unique_ptr<Buffer<double>>> buffers(omp_get_max_threads());
#pragma omp parallel
  {
    auto& buffer = buffers[omp_get_thread_num()];
    buffer = std::make_unique<Buffer<double>>(2 * count + stagger);
    std::fill_n(buffer->data(), 2 * count + stagger, 1.0);
  }
  return rate(2.0 * bytes * repeats, [&](int thread) {
    const double* from = buffers[thread]->data();
    double* to = buffers[thread]->data() + count + stagger;
    for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
      for (std::int64_t i = 0; i < count; i += kLanes<double>) {
        const auto value = load<Vector<double>>(from + i);
        if constexpr (streamed)
          stream(to + i, value);
        else
          store(to + i, value);
      }
      asm volatile("" ::: "memory");
    }
    if constexpr (streamed) finish_streaming();
  });
}

/// The compiler may neither drop nor foresee a value that passes here.
template <class V>
[[gnu::always_inline]] inline void keep(V& value) {
  asm volatile("" : "+v"(value));
}

/// Operations per second of `kChains` independent chains of `op`, each counted as `each` a lane.
template <class Real, int chains, class Op>
double operation_rate(double each, const Op& op) {
  constexpr int kTimes = 2000000 / chains;
  return rate(each * kTimes * chains * kLanes<Real>, [&](int) {
    Vector<Real> values[chains];
    for (int i = 0; i < chains; ++i) values[i] = Vector<Real>{} + Real(1 + i);
    for (int time = 0; time < kTimes; ++time)
#pragma GCC unroll 16
      for (int i = 0; i < chains; ++i) values[i] = op(values[i]);
#pragma GCC unroll 16
    for (int i = 0; i < chains; ++i) keep(values[i]);
  });
}

template <class Real>
void print_arithmetic(const char* precision) {
  using V = Vector<Real>;
  V factor = V{} + Real(0.999), term = V{} + Real(0.5);
  keep(factor);
  keep(term);
  const double multiply_adds =
      operation_rate<Real, 10>(2, [&](V value) -> V { return value * factor + term; });
  const double divisions = operation_rate<Real, 4>(1, [&](V value) -> V { return term / value; });
  const double roots = operation_rate<Real, 4>(1, [&](V value) -> V { return square_root(value); });
  std::printf("\"%s\": {\"flops\": %.4g, \"divisions\": %.4g, \"square_roots\": %.4g}", precision,
              multiply_adds, divisions, roots);
}

void print_limits() {
  std::printf("{\"threads\": %d, \"copy\": %.4g, ", omp_get_max_threads(),
              copy_rate<false>(std::int64_t{1} << 29));
  std::printf("\"streamed_copy\": %.4g, ", copy_rate<true>(std::int64_t{1} << 29));
  std::printf("\"l2_copy\": %.4g, ", copy_rate<false>(std::int64_t{1} << 18));
  std::printf("\"l3_copy\": %.4g, ", copy_rate<false>(std::int64_t{1} << 22));
  print_arithmetic<double>("f64");
  std::printf(", ");
  print_arithmetic<float>("f32");
  std::printf("}\n");
}

}  // namespace
}  // namespace reference

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--threads") == 0) {
    omp_set_num_threads(std::max(1, std::atoi(argv[2])));
  } else if (argc != 1) {
    std::fprintf(stderr, "error: `reference_limits` takes `--threads N` only\n");
    return 2;
  }
  reference::print_limits();
}
