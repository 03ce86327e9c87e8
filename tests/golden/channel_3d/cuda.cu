#ifndef __CUDACC__  // a C++ compiler makes functions of the processor of kernels
#include "paraiso_emulation.hpp"
#endif

typedef struct {
  long long origin;  // elements of an array before core cell 0
  long long size[3];  // core cells
  long long stride[3];  // elements between neighbours
} Grid;

/// This thread's number along axis x.
static __device__ inline long long thread_x(void) { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }

/// How many threads there are along axis x.
static __device__ inline long long threads_x(void) { return (long long)gridDim.x * blockDim.x; }

/// This thread's number along axis y.
static __device__ inline long long thread_y(void) { return (long long)blockIdx.y * blockDim.y + threadIdx.y; }

/// This thread's number along axis z, along which blocks have one thread.
static __device__ inline long long thread_z(void) { return blockIdx.z; }

#ifndef UNROLL  // The loop that follows is written out so many times at once.
#define UNROLL_PRAGMA(text) _Pragma(#text)
#define UNROLL(times) UNROLL_PRAGMA(unroll times)
#endif

/// The ghost cells around the core: so many on each side, and how many in all.
typedef struct {
  long long lower[3], upper[3], count;
} Ghosts;

/// The indices of the ghost cell of that number: first those beyond axis 0 alone, then those beyond
/// axis 1 and maybe axis 0, ...
/// A division of 64 bits takes many instructions: where it can be one of 32 it is.
static __device__ inline void ghost_cell(Grid grid, Ghosts ghosts, long long number, long long* cell) {
  const bool small = ghosts.count <= 0x7fffffff;
  long long widened[3], cells;
  int beyond = -1;
  do {
    ++beyond;
    cells = 1;
    for (int a = 0; a < 3; ++a) {
      widened[a] = ghosts.lower[a] + ghosts.upper[a];
      if (a < beyond) widened[a] += grid.size[a];
      if (a > beyond) widened[a] = grid.size[a];
      cells *= widened[a];
    }
    number -= cells;
  } while (number >= 0);
  number += cells;
  for (int a = 0; a < 3; ++a) {
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
  for (int a = 0; a < 3; ++a) place += cell[a] * grid.stride[a];
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

/// Where the core cell lies that is nearest to a cell displaced.
static __device__ inline long long nearest(Grid grid, const long long* cell, long long x, long long y, long long z) {
  const long long offset[3] = {x, y, z};
  long long place = grid.origin;
  for (int a = 0; a < 3; ++a) {
    const long long index = cell[a] + offset[a];
    place += (index < 0 ? 0 : index < grid.size[a] ? index : grid.size[a] - 1) * grid.stride[a];
  }
  return place;
}

static __device__ inline double add_f64(double x, double y) {
  return x + y;
}

static __device__ inline float neg_f32(float x) {
  return -x;
}

static __device__ inline double neg_f64(double x) {
  return -x;
}

static __device__ inline float min_f32(float x, float y) {
  return x < y ? x : y;
}

static __device__ inline float max_f32(float x, float y) {
  return x > y ? x : y;
}

static __device__ inline float max_or_nan_f32(float x, float y) {
  return x == x && y == y ? max_f32(x, y) : x + y;
}

static __device__ inline double max_f64(double x, double y) {
  return x > y ? x : y;
}

static __device__ inline double max_or_nan_f64(double x, double y) {
  return x == x && y == y ? max_f64(x, y) : x + y;
}

static __device__ inline double madd_f64(double x, double y, double z) {
  return fma(x, y, z);
}

static __device__ inline double msub_f64(double x, double y, double z) {
  return fma(x, y, -z);
}

static __device__ inline float cast_i64_f32(long long x) {
  return (float)x;
}

static __device__ inline double cast_i64_f64(long long x) {
  return (double)x;
}

typedef struct {
  long long before;  // elements of an array before core cell 0
  long long size[3], stride[3];
  long long bits[3];  // chunks of a row, rows, planes, ... are padded to 2^bits
  long long to;         // where partial results begin
  long long left;       // so many of them
} ReductionGrid3;

/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
extern "C" __global__ void channel_reduce_sum_f64_3d(const double* array, double* partials,
    ReductionGrid3 grid) {
  __shared__ double items[256];
  const int thread = (int)threadIdx.x, lane = thread % 16;
  const long long first = ((long long)blockIdx.x * (long long)blockDim.x + thread) / 16;
  long long chunks = 1;
  for (int a = 0; a < 3; ++a) chunks <<= grid.bits[a];
  double item = -0.0;
  for (long long number = first; number < chunks; number += grid.left) {
    long long rest = number >> grid.bits[0], row = grid.before;
    bool inside = true;
    for (int a = 1; a < 3; ++a) {
      const long long index = rest & (((long long)1 << grid.bits[a]) - 1);
      rest >>= grid.bits[a];
      row += index * grid.stride[a];
      inside = inside && index < grid.size[a];
    }
    const long long begin = (number & (((long long)1 << grid.bits[0]) - 1)) * 256;
    const long long end = !inside ? begin : begin + 256 < grid.size[0] ? begin + 256 : grid.size[0];
    for (long long i = begin + lane; i < end; i += 16) item = add_f64(item, array[row + i]);
  }
  items[thread] = item;
  for (int apart = 1; apart < 16; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = add_f64(items[thread], items[thread + apart]);
  }
  if (lane == 0) partials[grid.to + first] = items[thread];
}

/// Up to 256 partial results by a thread each.
extern "C" __global__ void channel_reduce_sum_f64_tree(double* partials, long long from, long long to) {
  __shared__ double items[256];
  const int thread = (int)threadIdx.x, threads = (int)blockDim.x;
  items[thread] = partials[from + (long long)blockIdx.x * threads + thread];
  for (int apart = 1; apart < threads; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = add_f64(items[thread], items[thread + apart]);
  }
  if (thread == 0) partials[to + (long long)blockIdx.x] = items[0];
}

/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
extern "C" __global__ void channel_reduce_max_f32_3d(const float* array, float* partials,
    ReductionGrid3 grid) {
  __shared__ float items[256];
  const int thread = (int)threadIdx.x, lane = thread % 16;
  const long long first = ((long long)blockIdx.x * (long long)blockDim.x + thread) / 16;
  long long chunks = 1;
  for (int a = 0; a < 3; ++a) chunks <<= grid.bits[a];
  float item = -__uint_as_float(0x7f800000);
  for (long long number = first; number < chunks; number += grid.left) {
    long long rest = number >> grid.bits[0], row = grid.before;
    bool inside = true;
    for (int a = 1; a < 3; ++a) {
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
extern "C" __global__ void channel_reduce_max_f32_tree(float* partials, long long from, long long to, long long count, long long step) {
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
extern "C" __global__ void channel_reduce_max_f64_3d(const double* array, double* partials,
    ReductionGrid3 grid) {
  __shared__ double items[256];
  const int thread = (int)threadIdx.x, lane = thread % 16;
  const long long first = ((long long)blockIdx.x * (long long)blockDim.x + thread) / 16;
  long long chunks = 1;
  for (int a = 0; a < 3; ++a) chunks <<= grid.bits[a];
  double item = -__longlong_as_double(0x7ff0000000000000);
  for (long long number = first; number < chunks; number += grid.left) {
    long long rest = number >> grid.bits[0], row = grid.before;
    bool inside = true;
    for (int a = 1; a < 3; ++a) {
      const long long index = rest & (((long long)1 << grid.bits[a]) - 1);
      rest >>= grid.bits[a];
      row += index * grid.stride[a];
      inside = inside && index < grid.size[a];
    }
    const long long begin = (number & (((long long)1 << grid.bits[0]) - 1)) * 256;
    const long long end = !inside ? begin : begin + 256 < grid.size[0] ? begin + 256 : grid.size[0];
    for (long long i = begin + lane; i < end; i += 16) item = max_or_nan_f64(item, array[row + i]);
  }
  items[thread] = item;
  for (int apart = 1; apart < 16; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = max_or_nan_f64(items[thread], items[thread + apart]);
  }
  if (lane == 0) partials[grid.to + first] = items[thread] + 0;
}

/// Partial results, of which a thread of the launch combines every one `step` further.
extern "C" __global__ void channel_reduce_max_f64_tree(double* partials, long long from, long long to, long long count, long long step) {
  __shared__ double items[256];
  const int thread = (int)threadIdx.x, threads = (int)blockDim.x;
  const long long first = (long long)blockIdx.x * threads + thread;
  double item = partials[from + first];
  for (long long i = first + step; i < count; i += step) item = max_or_nan_f64(item, partials[from + i]);
  items[thread] = item;
  for (int apart = 1; apart < threads; apart *= 2) {
    __syncthreads();
    if (thread % (2 * apart) == 0) items[thread] = max_or_nan_f64(items[thread], items[thread + apart]);
  }
  if (thread == 0) partials[to + (long long)blockIdx.x] = items[0];
}

/// Boundary kernel `inflow`: the value of the ghost cell `cell`.
static __device__ inline double channel_boundary_inflow(Grid grid, const long long* cell,
    const double* density, double speed, double time) {
  const double height = cast_i64_f64(cell[1]);
  const double inflow_wind = height * speed;
  const double late = density[nearest(grid, cell, 0, -1, 0)] * time;
  const double inflow_density = inflow_wind + late;
  return inflow_density;
}

/// Computes the cells [0, N) x [0, N) x [0, N). density, momentum, dye: 2 operations a cell
extern "C" __global__ __launch_bounds__(256) void channel_calm_1(Grid grid,
    double* __restrict__ density, double* __restrict__ momentum, float* __restrict__ dye) {
  const long long row = grid.stride[1];
  const long long plane = grid.stride[2];
  const long long i = thread_x();
  const long long j = thread_y();
  const long long k = thread_z();
  if (i < grid.size[0] && j < grid.size[1] && k < grid.size[2]) {
    const long long at = grid.origin + i + j * row + k * plane;
    const double density_next = cast_i64_f64(i);
    const float dye_next = cast_i64_f32(i);
    density[at] = density_next;
    momentum[at] = 0.0;
    dye[at] = dye_next;
  }
}

/// Computes the cells [0, N) x [0, N) x [0, N). density_next, momentum_next, dye_next: 8 operations
/// a cell
extern "C" __global__ __launch_bounds__(256) void channel_proceed_1(Grid grid,
    const double* __restrict__ density, const double* __restrict__ momentum,
    const float* __restrict__ dye, double* __restrict__ density_next,
    double* __restrict__ momentum_next, float* __restrict__ dye_next, double speed) {
  const long long row = grid.stride[1];
  const long long plane = grid.stride[2];
  const long long i = thread_x();
  const long long j = thread_y();
  const long long k_first = 2 * thread_z();
  if (i < grid.size[0] && j < grid.size[1] && k_first < grid.size[2]) {
    const long long k_last = (k_first + 2 < grid.size[2]) ? k_first + 2 : grid.size[2];
    UNROLL(2)
    for (long long k = k_first; k < k_last; ++k) {
      const long long at = grid.origin + i + j * row + k * plane;
      const double density_2 = density[at];
      const double slope = density[at + plane] - density_2;
      const double flow = density[at - 1] - density[at - 2];
      const double moved = speed * flow;
      const double change = msub_f64(speed, slope, moved);
      const double density_3 = density_2 + change;
      const double m_around = momentum[at + row] - momentum[at - row];
      const double m1 = madd_f64(speed, m_around, momentum[at]);
      const float dye_here = min_f32(dye[at], dye[at + row - 1]);
      density_next[at] = density_3;
      momentum_next[at] = m1;
      dye_next[at] = dye_here;
    }
  }
}

/// Computes the cells [0, N) x [0, N) x [0, N). density_step0: 0 operations a cell
extern "C" __global__ __launch_bounds__(256) void channel_measure_1(Grid grid,
    const double* __restrict__ density, double* __restrict__ density_step0) {
  const long long row = grid.stride[1];
  const long long plane = grid.stride[2];
  const long long i = thread_x();
  const long long j = thread_y();
  const long long k_first = 2 * thread_z();
  if (i < grid.size[0] && j < grid.size[1] && k_first < grid.size[2]) {
    const long long k_last = (k_first + 2 < grid.size[2]) ? k_first + 2 : grid.size[2];
    UNROLL(2)
    for (long long k = k_first; k < k_last; ++k) {
      const long long at = grid.origin + i + j * row + k * plane;
      density_step0[at] = density[at];
    }
  }
}

/// Fills the ghost cells of `density`, `momentum`, `dye`.
extern "C" __global__ __launch_bounds__(256, 3) void channel_fill_fields(Grid grid, Ghosts ghosts,
    Ghosts ghosts_2, Ghosts ghosts_3, double* __restrict__ density,
    const double* __restrict__ density_2, double speed, double time, double* __restrict__ momentum,
    float* __restrict__ dye) {
  if (blockIdx.y == 0) for (long long number = thread_x(); number <
      ghosts.count; number += threads_x()) {
    long long cell[3];
    ghost_cell(grid, ghosts, number, cell);
    const long long at = address(grid, cell);
    double value;
    bool negate = false;
    resolve(&cell[2], grid.size[2], OUTFLOW, REFLECT, &negate);
    const int met_x = resolve(&cell[0], grid.size[0], VALUE, OUTFLOW, &negate);
    if (met_x == LOWER) {
      value = channel_boundary_inflow(grid, cell, density_2, speed, time);
    } else {
      value = density[address(grid, cell)];
    }
    density[at] = negate ? neg_f64(value) : value;
  }
  if (blockIdx.y == 1) for (long long number = thread_x(); number <
      ghosts_2.count; number += threads_x()) {
    long long cell[3];
    ghost_cell(grid, ghosts_2, number, cell);
    const long long at = address(grid, cell);
    double value;
    bool negate = false;
    resolve(&cell[1], grid.size[1], REFLECT_NEGATIVE, REFLECT_NEGATIVE, &negate);
    value = momentum[address(grid, cell)];
    momentum[at] = negate ? neg_f64(value) : value;
  }
  if (blockIdx.y == 2) for (long long number = thread_x(); number <
      ghosts_3.count; number += threads_x()) {
    long long cell[3];
    ghost_cell(grid, ghosts_3, number, cell);
    const long long at = address(grid, cell);
    float value;
    bool negate = false;
    resolve(&cell[1], grid.size[1], CYCLIC, CYCLIC, &negate);
    const int met_x = resolve(&cell[0], grid.size[0], VALUE, OUTFLOW, &negate);
    if (met_x == LOWER) {
      value = 1.0f;
    } else {
      value = dye[address(grid, cell)];
    }
    dye[at] = negate ? neg_f32(value) : value;
  }
}

