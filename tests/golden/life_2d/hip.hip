#ifdef __HIP__
#include <hip/hip_runtime.h>
#pragma clang fp contract(off)
#else  // a C++ compiler makes functions of the processor of kernels
#include "paraiso_emulation.hpp"
#endif

typedef struct {
  long long origin;  // elements of an array before core cell 0
  long long size[2];  // core cells
  long long stride[2];  // elements between neighbours
} Grid;

/// This thread's number along axis x.
static __device__ inline long long thread_x(void) { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }

/// How many threads there are along axis x.
static __device__ inline long long threads_x(void) { return (long long)gridDim.x * blockDim.x; }

/// This thread's number along axis y.
static __device__ inline long long thread_y(void) { return (long long)blockIdx.y * blockDim.y + threadIdx.y; }

/// The ghost cells around the core: so many on each side, and how many in all.
typedef struct {
  long long lower[2], upper[2], count;
} Ghosts;

/// The indices of the ghost cell of that number: first those beyond axis 0 alone, then those beyond
/// axis 1 and maybe axis 0, ...
/// A division of 64 bits takes many instructions: where it can be one of 32 it is.
static __device__ inline void ghost_cell(Grid grid, Ghosts ghosts, long long number, long long* cell) {
  const bool small = ghosts.count <= 0x7fffffff;
  long long widened[2], cells;
  int beyond = -1;
  do {
    ++beyond;
    cells = 1;
    for (int a = 0; a < 2; ++a) {
      widened[a] = ghosts.lower[a] + ghosts.upper[a];
      if (a < beyond) widened[a] += grid.size[a];
      if (a > beyond) widened[a] = grid.size[a];
      cells *= widened[a];
    }
    number -= cells;
  } while (number >= 0);
  number += cells;
  for (int a = 0; a < 2; ++a) {
    const long long rows = small ? (long long)((unsigned)number / (unsigned)widened[a]) : number / widened[a];
    cell[a] = number - rows * widened[a];
    number = rows;
    if (a <= beyond) cell[a] -= ghosts.lower[a];
    if (a == beyond && cell[a] >= 0) cell[a] += grid.size[a];
  }
}

/// Where a cell lies in every array.
static __device__ inline long long address(Grid grid, const long long* cell) {
  long long place = grid.origin;
  for (int a = 0; a < 2; ++a) place += cell[a] * grid.stride[a];
  return place;
}

enum { CYCLIC, OUTFLOW, REFLECT, REFLECT_NEGATIVE, VALUE };  // the rules of sides
enum { CORE, LOWER, UPPER };                                 // what an index leads to

/// Applies the sides' rules until the index lies in the core or the value of a side is met.
static __device__ inline int resolve(long long* index, long long size, int lower, int upper, bool* negate) {
  while (*index < 0 || *index >= size) {
    const bool below = *index < 0;
    const int rule = below ? lower : upper;
    if (rule == VALUE) return below ? LOWER : UPPER;
    if (rule == CYCLIC) {
      *index += below ? size : -size;
    } else if (rule == OUTFLOW) {
      *index = below ? 0 : size - 1;
    } else {
      *index = below ? -1 - *index : 2 * size - 1 - *index;
      if (rule == REFLECT_NEGATIVE) *negate = !*negate;
    }
  }
  return CORE;
}

/// Where partial results of a reduction lie.
typedef struct {
  long long first;
  long long stride[3];
} Places;

/// All scalars, and what guards steps that follow each other without the host.
typedef struct {
  long long population;
  int oldest;
  unsigned char someone;
  unsigned char crowded;
  int births;
  int proceed_births;
  unsigned char proceed_someone;
  unsigned char proceed_crowded;
  int proceed_oldest;
  double until;
  long long stop, done, guarded;
} Scalars;

static __device__ inline int add_i32(int x, int y) {
  return (int)((unsigned int)x + (unsigned int)y);
}

static __device__ inline long long add_i64(long long x, long long y) {
  return (long long)((unsigned long long)x + (unsigned long long)y);
}

static __device__ inline int sub_i32(int x, int y) {
  return (int)((unsigned int)x - (unsigned int)y);
}

static __device__ inline int neg_i32(int x) {
  return sub_i32(0, x);
}

static __device__ inline float neg_f32(float x) {
  return -x;
}

static __device__ inline int div_i32(int x, int y) {
  return y == 0 ? 0 : y == -1 ? neg_i32(x) : x / (y == 0 || y == -1 ? 1 : y);
}

static __device__ inline int mod_i32(int x, int y) {
  return y == 0 ? x : x % (y == 0 || y == -1 ? 1 : y);
}

static __device__ inline int quotient_i32(int x, int y) {
  return div_i32(x, y);
}

static __device__ inline int max_i32(int x, int y) {
  return x > y ? x : y;
}

static __device__ inline float max_f32(float x, float y) {
  return x > y ? x : y;
}

static __device__ inline float max_or_nan_f32(float x, float y) {
  return x == x && y == y ? max_f32(x, y) : x + y;
}

static __device__ inline bool and_bool(bool x, bool y) {
  return x & y;
}

static __device__ inline bool or_bool(bool x, bool y) {
  return x | y;
}

static __device__ inline bool xor_bool(bool x, bool y) {
  return x ^ y;
}

static __device__ inline int cast_bool_i32(bool x) {
  return (int)x;
}

static __device__ inline long long cast_bool_i64(bool x) {
  return (long long)x;
}

static __device__ inline float cast_bool_f32(bool x) {
  return (float)x;
}

static __device__ inline float cast_i32_f32(int x) {
  return (float)x;
}

typedef struct {
  long long before;  // elements of an array before core cell 0
  long long size[2], stride[2];
  long long bits[2];  // chunks of a row, rows, planes, ... are padded to 2^bits
  long long to;         // where partial results begin
  long long left;       // so many of them
} ReductionGrid2;

/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
extern "C" __global__ void life_reduce_sum_i64_2d(const long long* array, long long* partials,
    ReductionGrid2 grid) {
  __shared__ long long items[256];
  const int thread = (int)threadIdx.x, lane = thread % 16;
  const long long first = ((long long)blockIdx.x * (long long)blockDim.x + thread) / 16;
  long long chunks = 1;
  for (int a = 0; a < 2; ++a) chunks <<= grid.bits[a];
  long long item = 0;
  for (long long number = first; number < chunks; number += grid.left) {
    long long rest = number >> grid.bits[0], row = grid.before;
    bool inside = true;
    for (int a = 1; a < 2; ++a) {
      const long long index = rest & (((long long)1 << grid.bits[a]) - 1);
      rest >>= grid.bits[a];
      row += index * grid.stride[a];
      inside = inside && index < grid.size[a];
    }
    const long long begin = (number & (((long long)1 << grid.bits[0]) - 1)) * 256;
    const long long end = !inside ? begin : begin + 256 < grid.size[0] ? begin + 256 : grid.size[0];
    for (long long i = begin + lane; i < end; i += 16) item = add_i64(item, array[row + i]);
  }
  items[thread] = item;
  for (int apart = 1; apart < 16; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = add_i64(items[thread], items[thread + apart]);
  }
  if (lane == 0) partials[grid.to + first] = items[thread];
}

/// Partial results, of which a thread of the launch combines every one `step` further.
extern "C" __global__ void life_reduce_sum_i64_tree(long long* partials, long long from, long long to, long long count, long long step) {
  __shared__ long long items[256];
  const int thread = (int)threadIdx.x, threads = (int)blockDim.x;
  const long long first = (long long)blockIdx.x * threads + thread;
  long long item = partials[from + first];
  for (long long i = first + step; i < count; i += step) item = add_i64(item, partials[from + i]);
  items[thread] = item;
  for (int apart = 1; apart < threads; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = add_i64(items[thread], items[thread + apart]);
  }
  if (thread == 0) partials[to + (long long)blockIdx.x] = items[0];
}

/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
extern "C" __global__ void life_reduce_max_i32_2d(const int* array, int* partials,
    ReductionGrid2 grid) {
  __shared__ int items[256];
  const int thread = (int)threadIdx.x, lane = thread % 16;
  const long long first = ((long long)blockIdx.x * (long long)blockDim.x + thread) / 16;
  long long chunks = 1;
  for (int a = 0; a < 2; ++a) chunks <<= grid.bits[a];
  int item = (-2147483647 - 1);
  for (long long number = first; number < chunks; number += grid.left) {
    long long rest = number >> grid.bits[0], row = grid.before;
    bool inside = true;
    for (int a = 1; a < 2; ++a) {
      const long long index = rest & (((long long)1 << grid.bits[a]) - 1);
      rest >>= grid.bits[a];
      row += index * grid.stride[a];
      inside = inside && index < grid.size[a];
    }
    const long long begin = (number & (((long long)1 << grid.bits[0]) - 1)) * 256;
    const long long end = !inside ? begin : begin + 256 < grid.size[0] ? begin + 256 : grid.size[0];
    for (long long i = begin + lane; i < end; i += 16) item = max_i32(item, array[row + i]);
  }
  items[thread] = item;
  for (int apart = 1; apart < 16; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = max_i32(items[thread], items[thread + apart]);
  }
  if (lane == 0) partials[grid.to + first] = items[thread];
}

/// Partial results, of which a thread of the launch combines every one `step` further.
extern "C" __global__ void life_reduce_max_i32_tree(int* partials, long long from, long long to, long long count, long long step) {
  __shared__ int items[256];
  const int thread = (int)threadIdx.x, threads = (int)blockDim.x;
  const long long first = (long long)blockIdx.x * threads + thread;
  int item = partials[from + first];
  for (long long i = first + step; i < count; i += step) item = max_i32(item, partials[from + i]);
  items[thread] = item;
  for (int apart = 1; apart < threads; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = max_i32(items[thread], items[thread + apart]);
  }
  if (thread == 0) partials[to + (long long)blockIdx.x] = items[0];
}

/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
extern "C" __global__ void life_reduce_max_f32_2d(const float* array, float* partials,
    ReductionGrid2 grid) {
  __shared__ float items[256];
  const int thread = (int)threadIdx.x, lane = thread % 16;
  const long long first = ((long long)blockIdx.x * (long long)blockDim.x + thread) / 16;
  long long chunks = 1;
  for (int a = 0; a < 2; ++a) chunks <<= grid.bits[a];
  float item = -__uint_as_float(0x7f800000);
  for (long long number = first; number < chunks; number += grid.left) {
    long long rest = number >> grid.bits[0], row = grid.before;
    bool inside = true;
    for (int a = 1; a < 2; ++a) {
      const long long index = rest & (((long long)1 << grid.bits[a]) - 1);
      rest >>= grid.bits[a];
      row += index * grid.stride[a];
      inside = inside && index < grid.size[a];
    }
    const long long begin = (number & (((long long)1 << grid.bits[0]) - 1)) * 256;
    const long long end = !inside ? begin : begin + 256 < grid.size[0] ? begin + 256 : grid.size[0];
    for (long long i = begin + lane; i < end; i += 16) item = max_or_nan_f32(item, array[row + i]);
  }
  items[thread] = item;
  for (int apart = 1; apart < 16; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = max_or_nan_f32(items[thread], items[thread + apart]);
  }
  if (lane == 0) partials[grid.to + first] = items[thread] + 0;
}

/// Partial results, of which a thread of the launch combines every one `step` further.
extern "C" __global__ void life_reduce_max_f32_tree(float* partials, long long from, long long to, long long count, long long step) {
  __shared__ float items[256];
  const int thread = (int)threadIdx.x, threads = (int)blockDim.x;
  const long long first = (long long)blockIdx.x * threads + thread;
  float item = partials[from + first];
  for (long long i = first + step; i < count; i += step) item = max_or_nan_f32(item, partials[from + i]);
  items[thread] = item;
  for (int apart = 1; apart < threads; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = max_or_nan_f32(items[thread], items[thread + apart]);
  }
  if (thread == 0) partials[to + (long long)blockIdx.x] = items[0];
}

/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
extern "C" __global__ void life_reduce_any_bool_2d(const unsigned char* array, unsigned char* partials,
    ReductionGrid2 grid) {
  __shared__ bool items[256];
  const int thread = (int)threadIdx.x, lane = thread % 16;
  const long long first = ((long long)blockIdx.x * (long long)blockDim.x + thread) / 16;
  long long chunks = 1;
  for (int a = 0; a < 2; ++a) chunks <<= grid.bits[a];
  bool item = false;
  for (long long number = first; number < chunks; number += grid.left) {
    long long rest = number >> grid.bits[0], row = grid.before;
    bool inside = true;
    for (int a = 1; a < 2; ++a) {
      const long long index = rest & (((long long)1 << grid.bits[a]) - 1);
      rest >>= grid.bits[a];
      row += index * grid.stride[a];
      inside = inside && index < grid.size[a];
    }
    const long long begin = (number & (((long long)1 << grid.bits[0]) - 1)) * 256;
    const long long end = !inside ? begin : begin + 256 < grid.size[0] ? begin + 256 : grid.size[0];
    for (long long i = begin + lane; i < end; i += 16) item = or_bool(item, array[row + i]);
  }
  items[thread] = item;
  for (int apart = 1; apart < 16; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = or_bool(items[thread], items[thread + apart]);
  }
  if (lane == 0) partials[grid.to + first] = items[thread];
}

/// Partial results, of which a thread of the launch combines every one `step` further.
extern "C" __global__ void life_reduce_any_bool_tree(unsigned char* partials, long long from, long long to, long long count, long long step) {
  __shared__ bool items[256];
  const int thread = (int)threadIdx.x, threads = (int)blockDim.x;
  const long long first = (long long)blockIdx.x * threads + thread;
  bool item = partials[from + first];
  for (long long i = first + step; i < count; i += step) item = or_bool(item, partials[from + i]);
  items[thread] = item;
  for (int apart = 1; apart < threads; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = or_bool(items[thread], items[thread + apart]);
  }
  if (thread == 0) partials[to + (long long)blockIdx.x] = items[0];
}

/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
extern "C" __global__ void life_reduce_all_bool_2d(const unsigned char* array, unsigned char* partials,
    ReductionGrid2 grid) {
  __shared__ bool items[256];
  const int thread = (int)threadIdx.x, lane = thread % 16;
  const long long first = ((long long)blockIdx.x * (long long)blockDim.x + thread) / 16;
  long long chunks = 1;
  for (int a = 0; a < 2; ++a) chunks <<= grid.bits[a];
  bool item = true;
  for (long long number = first; number < chunks; number += grid.left) {
    long long rest = number >> grid.bits[0], row = grid.before;
    bool inside = true;
    for (int a = 1; a < 2; ++a) {
      const long long index = rest & (((long long)1 << grid.bits[a]) - 1);
      rest >>= grid.bits[a];
      row += index * grid.stride[a];
      inside = inside && index < grid.size[a];
    }
    const long long begin = (number & (((long long)1 << grid.bits[0]) - 1)) * 256;
    const long long end = !inside ? begin : begin + 256 < grid.size[0] ? begin + 256 : grid.size[0];
    for (long long i = begin + lane; i < end; i += 16) item = and_bool(item, array[row + i]);
  }
  items[thread] = item;
  for (int apart = 1; apart < 16; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = and_bool(items[thread], items[thread + apart]);
  }
  if (lane == 0) partials[grid.to + first] = items[thread];
}

/// Partial results, of which a thread of the launch combines every one `step` further.
extern "C" __global__ void life_reduce_all_bool_tree(unsigned char* partials, long long from, long long to, long long count, long long step) {
  __shared__ bool items[256];
  const int thread = (int)threadIdx.x, threads = (int)blockDim.x;
  const long long first = (long long)blockIdx.x * threads + thread;
  bool item = partials[from + first];
  for (long long i = first + step; i < count; i += step) item = and_bool(item, partials[from + i]);
  items[thread] = item;
  for (int apart = 1; apart < threads; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = and_bool(items[thread], items[thread + apart]);
  }
  if (thread == 0) partials[to + (long long)blockIdx.x] = items[0];
}

/// Computes the cells [0, N) x [0, N). alive_next, age, warmth_next: 249 operations a cell
extern "C" __global__ __launch_bounds__(256) void life_proceed_1(Grid grid,
    const unsigned char* __restrict__ alive, const float* __restrict__ warmth,
    unsigned char* __restrict__ alive_next, int* __restrict__ age, float* __restrict__ warmth_next,
    unsigned char* __restrict__ partials, Places places, unsigned char* __restrict__ partials_2,
    Places places_2, int* __restrict__ partials_3, Places places_3,
    long long* __restrict__ partials_4, Places places_4, const Scalars* scalars) {
  const bool going = !scalars->stop;
  const int births = scalars->proceed_births;
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int thread = x + y * 64;
  bool item = false;
  __shared__ unsigned char items[256];
  bool item_2 = true;
  __shared__ unsigned char items_2[256];
  int item_3 = (-2147483647 - 1);
  __shared__ int items_3[256];
  long long item_4 = 0;
  __shared__ long long items_4[256];
  const long long row = grid.stride[1];
  const long long i = thread_x();
  const long long j = thread_y();
  if (i < grid.size[0] && j < grid.size[1]) {
    if (going) {
      const long long at = grid.origin + i + j * row;
      const int n_xm1 = cast_bool_i32(alive[at - 1]);
      const int n_xp1 = cast_bool_i32(alive[at + 1]);
      const int two_of_row = add_i32(n_xm1, n_xp1);
      const int n_xm1_ym1 = cast_bool_i32(alive[at - row - 1]);
      const int n_xp1_ym1 = cast_bool_i32(alive[at - row + 1]);
      const int two_of_row_ym1 = add_i32(n_xm1_ym1, n_xp1_ym1);
      const int n_ym1 = cast_bool_i32(alive[at - row]);
      const int row_ym1 = add_i32(two_of_row_ym1, n_ym1);
      const int four = add_i32(two_of_row, row_ym1);
      const int n_xm1_yp1 = cast_bool_i32(alive[at + row - 1]);
      const int n_xp1_yp1 = cast_bool_i32(alive[at + row + 1]);
      const int two_of_row_yp1 = add_i32(n_xm1_yp1, n_xp1_yp1);
      const int n_yp1 = cast_bool_i32(alive[at + row]);
      const int row_yp1 = add_i32(two_of_row_yp1, n_yp1);
      const int neighbours = add_i32(four, row_yp1);
      const bool born = neighbours == births;
      const bool stays = neighbours == 2;
      const bool survives = and_bool(stays, alive[at]);
      const bool next = or_bool(born, survives);
      const int age_2 = age[at];
      const int older = add_i32(age_2, 1);
      const int age1 = next ? older : 0;
      const float mean = warmth[at - 1] * 0.5f;
      const int quotient_2 = quotient_i32(age1, 2);
      const float share = cast_i32_f32(quotient_2);
      const int remainder = mod_i32(age1, 2);
      const bool odd = remainder != 0;
      const bool flag = xor_bool(odd, next);
      const float heat = cast_bool_f32(flag);
      const float more = share * heat;
      const float warmth1 = max_f32(mean, more);
      const long long big = cast_bool_i64(next);
      alive_next[at] = next;
      age[at] = age1;
      warmth_next[at] = warmth1;
      item = or_bool(item, next);
      item_2 = and_bool(item_2, next);
      item_3 = max_i32(item_3, age1);
      item_4 = add_i64(item_4, big);
    }
  }
  items[thread] = item;
  items_2[thread] = item_2;
  items_3[thread] = item_3;
  items_4[thread] = item_4;
  __syncthreads();
  if (going && 0 <= thread && thread < 128) {
    items[thread] = or_bool(items[thread], items[thread + 128]);
    items_2[thread] = and_bool(items_2[thread], items_2[thread + 128]);
    items_3[thread] = max_i32(items_3[thread], items_3[thread + 128]);
    items_4[thread] = add_i64(items_4[thread], items_4[thread + 128]);
  }
  __syncthreads();
  if (going && 0 <= thread && thread < 64) {
    items[thread] = or_bool(items[thread], items[thread + 64]);
    items_2[thread] = and_bool(items_2[thread], items_2[thread + 64]);
    items_3[thread] = max_i32(items_3[thread], items_3[thread + 64]);
    items_4[thread] = add_i64(items_4[thread], items_4[thread + 64]);
  }
  __syncthreads();
  if (going && 0 <= thread && thread < 32) {
    items[thread] = or_bool(items[thread], items[thread + 32]);
    items_2[thread] = and_bool(items_2[thread], items_2[thread + 32]);
    items_3[thread] = max_i32(items_3[thread], items_3[thread + 32]);
    items_4[thread] = add_i64(items_4[thread], items_4[thread + 32]);
  }
  __syncthreads();
  if (going && 0 <= thread && thread < 16) {
    items[thread] = or_bool(items[thread], items[thread + 16]);
    items_2[thread] = and_bool(items_2[thread], items_2[thread + 16]);
    items_3[thread] = max_i32(items_3[thread], items_3[thread + 16]);
    items_4[thread] = add_i64(items_4[thread], items_4[thread + 16]);
  }
  __syncthreads();
  if (going && 0 <= thread && thread < 8) {
    items[thread] = or_bool(items[thread], items[thread + 8]);
    items_2[thread] = and_bool(items_2[thread], items_2[thread + 8]);
    items_3[thread] = max_i32(items_3[thread], items_3[thread + 8]);
    items_4[thread] = add_i64(items_4[thread], items_4[thread + 8]);
  }
  __syncthreads();
  if (going && 0 <= thread && thread < 4) {
    items[thread] = or_bool(items[thread], items[thread + 4]);
    items_2[thread] = and_bool(items_2[thread], items_2[thread + 4]);
    items_3[thread] = max_i32(items_3[thread], items_3[thread + 4]);
    items_4[thread] = add_i64(items_4[thread], items_4[thread + 4]);
  }
  __syncthreads();
  if (going && 0 <= thread && thread < 2) {
    items[thread] = or_bool(items[thread], items[thread + 2]);
    items_2[thread] = and_bool(items_2[thread], items_2[thread + 2]);
    items_3[thread] = max_i32(items_3[thread], items_3[thread + 2]);
    items_4[thread] = add_i64(items_4[thread], items_4[thread + 2]);
  }
  __syncthreads();
  if (going && 0 <= thread && thread < 1) {
    items[thread] = or_bool(items[thread], items[thread + 1]);
    items_2[thread] = and_bool(items_2[thread], items_2[thread + 1]);
    items_3[thread] = max_i32(items_3[thread], items_3[thread + 1]);
    items_4[thread] = add_i64(items_4[thread], items_4[thread + 1]);
  }
  if (going && 0 <= thread && thread < 1) {
    partials[places.first + (long long)blockIdx.x * places.stride[0] + (long long)blockIdx.y *
        places.stride[1]] = items[0];
    partials_2[places_2.first + (long long)blockIdx.x * places_2.stride[0] + (long long)blockIdx.y *
        places_2.stride[1]] = items_2[0];
    partials_3[places_3.first + (long long)blockIdx.x * places_3.stride[0] + (long long)blockIdx.y *
        places_3.stride[1]] = items_3[0];
    partials_4[places_4.first + (long long)blockIdx.x * places_4.stride[0] + (long long)blockIdx.y *
        places_4.stride[1]] = items_4[0];
  }
}

/// Scalars of `proceed`, in one thread.
extern "C" __global__ __launch_bounds__(1) void life_proceed_scalars_1(Scalars* scalars) {
  if (scalars->stop) return;
  const int births = scalars->births;
  scalars->proceed_births = births;
}

/// Scalars of `proceed`, in one thread.
extern "C" __global__ __launch_bounds__(1) void life_proceed_scalars_2(const unsigned char* __restrict__ reduced, Scalars* scalars) {
  if (scalars->stop) return;
  const bool someone = reduced[0];
  scalars->proceed_someone = someone;
}

/// Scalars of `proceed`, in one thread.
extern "C" __global__ __launch_bounds__(1) void life_proceed_scalars_3(const unsigned char* __restrict__ reduced, Scalars* scalars) {
  if (scalars->stop) return;
  const bool crowded = reduced[0];
  scalars->proceed_crowded = crowded;
}

/// Scalars of `proceed`, in one thread.
extern "C" __global__ __launch_bounds__(1) void life_proceed_scalars_4(const int* __restrict__ reduced, Scalars* scalars) {
  if (scalars->stop) return;
  const int oldest = reduced[0];
  scalars->proceed_oldest = oldest;
}

/// Scalars of `proceed`, in one thread.
extern "C" __global__ __launch_bounds__(1) void life_proceed_scalars_5(const long long* __restrict__ reduced, Scalars* scalars) {
  if (scalars->stop) return;
  const bool someone = scalars->proceed_someone;
  const bool crowded = scalars->proceed_crowded;
  const int oldest = scalars->proceed_oldest;
  const long long population = reduced[0];
  scalars->done += 1;
  scalars->population = population;
  scalars->oldest = oldest;
  scalars->someone = someone;
  scalars->crowded = crowded;
}

/// Fills the ghost cells of `alive`, `warmth`.
extern "C" __global__ __launch_bounds__(256) void life_fill_fields(Grid grid, Ghosts ghosts,
    Ghosts ghosts_2, unsigned char* __restrict__ alive, float* __restrict__ warmth,
    const Scalars* scalars) {
  if (scalars->stop) return;
  if (blockIdx.y == 0) for (long long number = thread_x(); number <
      ghosts.count; number += threads_x()) {
    long long cell[2];
    ghost_cell(grid, ghosts, number, cell);
    const long long at = address(grid, cell);
    unsigned char value;
    bool negate = false;
    const int met_y = resolve(&cell[1], grid.size[1], VALUE, REFLECT, &negate);
    if (met_y == LOWER) {
      value = false;
    } else {
      resolve(&cell[0], grid.size[0], CYCLIC, CYCLIC, &negate);
      value = alive[address(grid, cell)];
    }
    alive[at] = value;
  }
  if (blockIdx.y == 1) for (long long number = thread_x(); number <
      ghosts_2.count; number += threads_x()) {
    long long cell[2];
    ghost_cell(grid, ghosts_2, number, cell);
    const long long at = address(grid, cell);
    float value;
    bool negate = false;
    resolve(&cell[0], grid.size[0], CYCLIC, CYCLIC, &negate);
    value = warmth[address(grid, cell)];
    warmth[at] = negate ? neg_f32(value) : value;
  }
}

