// The words of CUDA C++ and HIP for a C++ compiler, which makes of kernels functions of the
// processor; emulation.cpp runs them. Included where nvcc or hipcc would know the words themselves.
// Gives: __global__, __shared__, threadIdx, __syncthreads, ...; PARAISO_EMULATED_KERNEL,
// PARAISO_EMULATED_KERNELS. Needs: emulated_kernels.hpp; a linker that knows `__start_` of a
// section.
//
// The sources of kernels are compiled on their own: all of this is each one's own.
#pragma once

#include <math.h>
#include <string.h>

#include <utility>

#include "paraiso/support/device/emulated_kernels.hpp"

#define __global__
#define __device__
#define __constant__
#define __launch_bounds__(...)
#define UNROLL(times)
// In a section, so that it is poisoned at a block's beginning: whatever it has is no value.
#define __shared__ static __attribute__((section("paraiso_shared")))

#define threadIdx paraiso_place.thread
#define blockIdx paraiso_place.block
#define blockDim paraiso_place.block_size
#define gridDim paraiso_place.blocks
#define __syncthreads() paraiso_place.barrier(__LINE__)

extern "C" {
extern char __start_paraiso_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_paraiso_shared[] __attribute__((weak, visibility("hidden")));
}

namespace {

paraiso_cuda::EmulatedPlace paraiso_place;

template <class To, class From>
To paraiso_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
inline long long __double_as_longlong(double x) { return paraiso_bits<long long>(x); }
inline double __longlong_as_double(long long x) { return paraiso_bits<double>(x); }
inline float __uint_as_float(unsigned x) { return paraiso_bits<float>(x); }

/// Hidden from compilers that simplify wrongly for signed zeros, as those of devices don't: g++
/// takes -fma(x, y, z) for fma(-x, y, -z), and a root for a number that is not below zero.
template <class T>
T paraiso_hidden(T value) {
  volatile T hidden = value;
  return hidden;
}
inline float paraiso_fma(float x, float y, float z) { return paraiso_hidden(fmaf(x, y, z)); }
inline double paraiso_fma(double x, double y, double z) { return paraiso_hidden(fma(x, y, z)); }
template <class T>
T paraiso_sqrt(T x) {
  return paraiso_hidden(sqrt(x));
}
#define fmaf(x, y, z) paraiso_fma(x, y, z)
#define fma(x, y, z) paraiso_fma(x, y, z)
#define sqrt(x) paraiso_sqrt(x)

template <auto kernel>
struct ParaisoKernel;

template <class... Parameters, void (*kernel)(Parameters...)>
struct ParaisoKernel<kernel> {
  static constexpr std::size_t count = sizeof...(Parameters);
  static constexpr std::size_t bytes[] = {sizeof(Parameters)..., 0};

  template <class Parameter>
  static Parameter argument(const void* at) {
    Parameter value;
    memcpy(&value, at, sizeof value);
    return value;
  }
  template <std::size_t... place>
  static void run(void* const* arguments, const unsigned* threads, unsigned n,
                  std::index_sequence<place...>) {
    const unsigned x = blockDim.x, y = blockDim.y;
    for (unsigned t = 0; t < n; ++t) {
      threadIdx = {threads[t] % x, threads[t] / x % y, threads[t] / x / y};
      kernel(argument<Parameters>(arguments[place])...);
    }
  }
  static void run(void* const* arguments, const unsigned* threads, unsigned n) {
    run(arguments, threads, n, std::index_sequence_for<Parameters...>());
  }
};

}  // namespace

/// A row of kernels; and a name for those of a source, which the host finds them by.
#define PARAISO_EMULATED_KERNEL(kernel, has_barriers)                                      \
  {                                                                                        \
#kernel, has_barriers, ParaisoKernel < kernel> ::run, ParaisoKernel < kernel> ::count, \
        ParaisoKernel < kernel> ::bytes                                                    \
  }
#define PARAISO_EMULATED_KERNELS(name, rows)                                      \
  extern "C" const paraiso_cuda::EmulatedKernels name = {                         \
      &paraiso_place, rows, sizeof rows / sizeof rows[0], __start_paraiso_shared, \
      __stop_paraiso_shared};
