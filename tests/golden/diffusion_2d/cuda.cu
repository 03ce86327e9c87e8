#ifndef __CUDACC__  // a C++ compiler makes functions of the processor of kernels
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

#ifndef UNROLL  // The loop that follows is written out so many times at once.
#define UNROLL_PRAGMA(text) _Pragma(#text)
#define UNROLL(times) UNROLL_PRAGMA(unroll times)
#endif

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

static __device__ inline float neg_f32(float x) {
  return -x;
}

static __device__ inline float max_f32(float x, float y) {
  return x > y ? x : y;
}

static __device__ inline float max_or_nan_f32(float x, float y) {
  return x == x && y == y ? max_f32(x, y) : x + y;
}

static __device__ inline float madd_f32(float x, float y, float z) {
  return fmaf(x, y, z);
}

static __device__ inline float sqrt_f32(float x) {
  return sqrt(x);
}

/// Of the ghost cells beyond a side, counted from 1, the first that repeats a cell so far from it:
/// of all beyond the last cell, where they repeat that one or have a value of their own.
static __device__ inline long long first_ghost(int rule, long long cells, long long far, long long size) {
  if (rule == CYCLIC) return size - far;
  if (rule == OUTFLOW || rule == VALUE) return far == 0 ? 1 : cells + 1;
  return far + 1;
}
static __device__ inline long long last_ghost(int rule, long long cells, long long first) {
  return rule == OUTFLOW || rule == VALUE || first > cells ? cells : first;
}

/// The rules of a field's sides along each axis, how many ghost cells lie beyond them, and the
/// values that these have, where they repeat no cell.
typedef struct {
  int lower[2], upper[2];
  long long below[2], above[2];
  float value_below[2], value_above[2];
} Sides_f32;

/// Stores a cell, and the ghost cells that repeat it beyond axis y.
static __device__ inline void repeat_y_f32(float* array, Grid grid, Sides_f32 sides, long long at, float value,
    long long index) {
  const long long stride = grid.stride[1], far = grid.size[1] - 1 - index;
  array[at] = value;
  long long n = first_ghost(sides.lower[1], sides.below[1], index, grid.size[1]);
  long long last = last_ghost(sides.lower[1], sides.below[1], n);
  UNROLL(1)
  for (; n <= last; ++n)
    array[at - (index + n) * stride] = sides.lower[1] == VALUE ? sides.value_below[1] :
        sides.lower[1] == REFLECT_NEGATIVE ? neg_f32(value) : value;
  n = first_ghost(sides.upper[1], sides.above[1], far, grid.size[1]);
  last = last_ghost(sides.upper[1], sides.above[1], n);
  UNROLL(1)
  for (; n <= last; ++n)
    array[at + (far + n) * stride] = sides.upper[1] == VALUE ? sides.value_above[1] :
        sides.upper[1] == REFLECT_NEGATIVE ? neg_f32(value) : value;
}

/// Stores a cell, and the ghost cells that repeat it beyond axis x and the axes that follow.
static __device__ inline void repeat_x_f32(float* array, Grid grid, Sides_f32 sides, long long at, float value,
    long long index, long long index_y) {
  const long long stride = grid.stride[0], far = grid.size[0] - 1 - index;
  repeat_y_f32(array, grid, sides, at, value, index_y);
  long long n = first_ghost(sides.lower[0], sides.below[0], index, grid.size[0]);
  long long last = last_ghost(sides.lower[0], sides.below[0], n);
  UNROLL(1)
  for (; n <= last; ++n)
    repeat_y_f32(array, grid, sides, at - (index + n) * stride, sides.lower[0] == VALUE ?
        sides.value_below[0] : sides.lower[0] == REFLECT_NEGATIVE ? neg_f32(value) : value,
        index_y);
  n = first_ghost(sides.upper[0], sides.above[0], far, grid.size[0]);
  last = last_ghost(sides.upper[0], sides.above[0], n);
  UNROLL(1)
  for (; n <= last; ++n)
    repeat_y_f32(array, grid, sides, at + (far + n) * stride, sides.upper[0] == VALUE ?
        sides.value_above[0] : sides.upper[0] == REFLECT_NEGATIVE ? neg_f32(value) : value,
        index_y);
}

/// Stores the ghost cells that repeat a cell of a field.
static __device__ __attribute__((noinline)) void store_ghosts_of_t(float* array, Grid grid, long long at, float value, long long index_x,
    long long index_y) {
  const Sides_f32 sides = {{CYCLIC, REFLECT}, {CYCLIC, REFLECT}, {2, 2}, {2, 2}, {0.0f, 0.0f},
      {0.0f, 0.0f}};
  repeat_x_f32(array, grid, sides, at, value, index_x, index_y);
}

typedef struct {
  long long before;  // elements of an array before core cell 0
  long long size[2], stride[2];
  long long bits[2];  // chunks of a row, rows, planes, ... are padded to 2^bits
  long long to;         // where partial results begin
  long long left;       // so many of them
} ReductionGrid2;

/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
extern "C" __global__ void diffusion_reduce_max_f32_2d(const float* array, float* partials,
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
extern "C" __global__ void diffusion_reduce_max_f32_tree(float* partials, long long from, long long to, long long count, long long step) {
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

/// Computes the cells [0, N) x [0, N), plane by plane.
extern "C" __global__ __launch_bounds__(256) void diffusion_proceed_1(Grid grid,
    const float* __restrict__ conductivity, const float* __restrict__ t_4,
    float* __restrict__ t_next, float rate) {
  float smooth_here = 0.0f;
  float smooth_here_1 = 0.0f;
  float smooth_here_2 = 0.0f;
  __shared__ float smooth[3][256];
  float k_2 = 0.0f;
  float k_2_1 = 0.0f;
  float k_2_2 = 0.0f;
  float k_2_3 = 0.0f;
  float t = 0.0f;
  float t_1 = 0.0f;
  float t_2 = 0.0f;
  float t_3 = 0.0f;
  const long long row = grid.stride[1];
  const int x = threadIdx.x;
  const long long i = (long long)blockIdx.x * 254 + x - 1;
  const bool makes = 1 <= x && x < 255 && 0 <= i && i < grid.size[0];
  const bool makes_2 = -1 <= i && i < grid.size[0] + 1;
  const long long first = (long long)blockIdx.y * 16;
  const long long last = (first + 16 < grid.size[1]) ? first + 16 : grid.size[1];
  const long long begin = first - 2;
  const long long end = last;
  const long long begin_2 = first - 4;
  const long long end_2 = last;
  const long long begin_3 = first - 1;
  const long long end_3 = last + 1;
  const long long begin_4 = first + 1;
  const long long end_4 = last + 1;
  int turn = 0;
  for (long long j = first - 4; j < last + 1; ++j) {
    const long long at = grid.origin + i + j * row;
    if (makes && begin <= j && j < end) {
      // k_2: 0 operations a cell
      k_2 = conductivity[at + row];
    }
    if (makes_2 && begin_2 <= j && j < end_2) {
      // t: 0 operations a cell
      t = t_4[at + 2 * row];
    }
    if (makes_2 && begin_3 <= j && j < end_3) {
      // smooth: 5 operations a cell
      const float t_row = t_4[at - 1] + t_4[at + 1];
      const float t_column = t_3 + t_1;
      const float t_around = t_row + t_column;
      const float rest = 0.5f * t_2;
      const float smooth_2 = madd_f32(0.125f, t_around, rest);
      smooth_here = smooth_2;
      smooth[turn % 3][x] = smooth_here;
    }
    __syncthreads();
    if (makes && begin_4 <= j && j < end_4) {
      // t_next: 100 operations a cell
      const float conductivity_ym1 = k_2_2;
      const float k_x_xp1_ym1 = conductivity[at - row + 1] + conductivity_ym1;
      const float smooth_ym1 = smooth_here_1;
      const float slope_x_xp1_ym1 = smooth[(turn + 2) % 3][x + 1] - smooth_ym1;
      const float raw_x_xp1_ym1 = k_x_xp1_ym1 * slope_x_xp1_ym1;
      const float under_x_xp1_ym1 = madd_f32(slope_x_xp1_ym1, slope_x_xp1_ym1, 1.0f);
      const float root_x_xp1_ym1 = sqrt_f32(under_x_xp1_ym1);
      const float flux_x_xp1_ym1 = raw_x_xp1_ym1 / root_x_xp1_ym1;
      const float k_x_ym1 = conductivity_ym1 + conductivity[at - row - 1];
      const float slope_x_ym1 = smooth_ym1 - smooth[(turn + 2) % 3][x - 1];
      const float raw_x_ym1 = k_x_ym1 * slope_x_ym1;
      const float under_x_ym1 = madd_f32(slope_x_ym1, slope_x_ym1, 1.0f);
      const float root_x_ym1 = sqrt_f32(under_x_ym1);
      const float flux_x_ym1 = raw_x_ym1 / root_x_ym1;
      const float out_x_ym1 = flux_x_xp1_ym1 - flux_x_ym1;
      const float k_y = k_2_1 + conductivity_ym1;
      const float slope_y = smooth_here - smooth_ym1;
      const float raw_y = k_y * slope_y;
      const float under_y = madd_f32(slope_y, slope_y, 1.0f);
      const float root_y = sqrt_f32(under_y);
      const float flux_y = raw_y / root_y;
      const float k_y_ym1 = conductivity_ym1 + k_2_3;
      const float slope_y_ym1 = smooth_ym1 - smooth_here_2;
      const float raw_y_ym1 = k_y_ym1 * slope_y_ym1;
      const float under_y_ym1 = madd_f32(slope_y_ym1, slope_y_ym1, 1.0f);
      const float root_y_ym1 = sqrt_f32(under_y_ym1);
      const float flux_y_ym1 = raw_y_ym1 / root_y_ym1;
      const float out_y_ym1 = flux_y - flux_y_ym1;
      const float change_ym1 = out_x_ym1 + out_y_ym1;
      const float t1_ym1 = madd_f32(rate, change_ym1, t_3);
      t_next[at - row] = t1_ym1;
      if (i < 2 || i >= grid.size[0] - 2 || j - 1 < 2 || j - 1 >= grid.size[1] -
          2) store_ghosts_of_t(t_next, grid, at - row, t_next[at - row], i, j - 1);
    }
    smooth_here_2 = smooth_here_1;
    smooth_here_1 = smooth_here;
    k_2_3 = k_2_2;
    k_2_2 = k_2_1;
    k_2_1 = k_2;
    t_3 = t_2;
    t_2 = t_1;
    t_1 = t;
    turn = turn + 1;
  }
}

/// Fills the ghost cells of `t`, `conductivity`.
extern "C" __global__ __launch_bounds__(256) void diffusion_fill_fields(Grid grid, Ghosts ghosts,
    Ghosts ghosts_2, float* __restrict__ t, float* __restrict__ conductivity) {
  if (blockIdx.y == 0) for (long long number = thread_x(); number <
      ghosts.count; number += threads_x()) {
    long long cell[2];
    ghost_cell(grid, ghosts, number, cell);
    const long long at = address(grid, cell);
    float value;
    bool negate = false;
    resolve(&cell[1], grid.size[1], REFLECT, REFLECT, &negate);
    resolve(&cell[0], grid.size[0], CYCLIC, CYCLIC, &negate);
    value = t[address(grid, cell)];
    t[at] = negate ? neg_f32(value) : value;
  }
  if (blockIdx.y == 1) for (long long number = thread_x(); number <
      ghosts_2.count; number += threads_x()) {
    long long cell[2];
    ghost_cell(grid, ghosts_2, number, cell);
    const long long at = address(grid, cell);
    float value;
    bool negate = false;
    resolve(&cell[1], grid.size[1], OUTFLOW, OUTFLOW, &negate);
    resolve(&cell[0], grid.size[0], CYCLIC, CYCLIC, &negate);
    value = conductivity[address(grid, cell)];
    conductivity[at] = negate ? neg_f32(value) : value;
  }
}

