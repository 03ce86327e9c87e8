// EmulatedKernels: kernels of CUDA that a C++ compiler compiled, as their emulation runs them.
// Gives: EmulatedIndex, EmulatedPlace, EmulatedKernel, EmulatedKernels in paraiso_cuda. Needs: the
// C++17 standard library.
#pragma once

#include <cstddef>

namespace paraiso_cuda {

struct EmulatedIndex {
  unsigned x, y, z;
};

/// Where a kernel runs: what CUDA calls threadIdx, blockIdx, blockDim and gridDim.
struct EmulatedPlace {
  EmulatedIndex thread, block, block_size, blocks;
  void (*barrier)(int line);  // lets the other threads of the block run
};

struct EmulatedKernel {
  const char* name;
  bool has_barriers;
  // Runs the threads of those numbers, one after the other, in the block of the place.
  void (*run)(void* const* arguments, const unsigned* threads, unsigned count);
  std::size_t parameters;
  const std::size_t* bytes;  // of each parameter
};

/// Those of one source. All shared memory of its kernels lies in one piece.
struct EmulatedKernels {
  EmulatedPlace* place;
  const EmulatedKernel* kernels;
  std::size_t count;
  char *shared_begin, *shared_end;  // nullptr if none has any
};

}  // namespace paraiso_cuda
