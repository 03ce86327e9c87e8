#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef struct {
  long origin;  // elements of an array before core cell 0
  long size[2];  // core cells
  long stride[2];  // elements between neighbours
} Grid;

/// This thread's number along axis x.
static long thread_x(void) { return (long)get_group_id(0) * get_local_size(0) + get_local_id(0); }

/// How many threads there are along axis x.
static long threads_x(void) { return (long)get_num_groups(0) * get_local_size(0); }

/// This thread's number along axis y.
static long thread_y(void) { return (long)get_group_id(1) * get_local_size(1) + get_local_id(1); }

/// How many threads there are along axis y.
static long threads_y(void) { return (long)get_num_groups(1) * get_local_size(1); }

/// The ghost cells around the core: so many on each side, and how many in all.
typedef struct {
  long lower[2], upper[2], count;
} Ghosts;

/// The indices of the ghost cell of that number: first those beyond axis 0 alone, then those beyond
/// axis 1 and maybe axis 0, ...
static void ghost_cell(Grid grid, Ghosts ghosts, long number, long* cell) {
  long widened[2], cells;
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
    cell[a] = number % widened[a];
    number /= widened[a];
    if (a <= beyond) cell[a] -= ghosts.lower[a];
    if (a == beyond && cell[a] >= 0) cell[a] += grid.size[a];
  }
}

/// Where a cell lies in every array.
static long address(Grid grid, const long* cell) {
  long place = grid.origin;
  for (int a = 0; a < 2; ++a) place += cell[a] * grid.stride[a];
  return place;
}

enum { CYCLIC, OUTFLOW, REFLECT, REFLECT_NEGATIVE, VALUE };  // the rules of sides
enum { CORE, LOWER, UPPER };                                 // what an index leads to

/// Applies the sides' rules until the index lies in the core or the value of a side is met.
static int resolve(long* index, long size, int lower, int upper, bool* negate) {
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

static float neg_f32(float x) {
  return -x;
}

static float max_f32(float x, float y) {
  return x > y ? x : y;
}

static float max_or_nan_f32(float x, float y) {
  return x == x && y == y ? max_f32(x, y) : x + y;
}

static float madd_f32(float x, float y, float z) {
  return fma(x, y, z);
}

static float sqrt_f32(float x) {
  return sqrt(x);
}

typedef struct {
  long before;  // elements of an array before core cell 0
  long size[2], stride[2];
  long bits[2];  // chunks of a row, rows, planes, ... are padded to 2^bits
  long to;         // where partial results begin
} ReductionGrid2;

/// A chunk of 256 cells by 16 threads, each of which combines every 16th cell.
__kernel void diffusion_reduce_max_f32_2d(__global const float* array, __global float* partials,
    ReductionGrid2 grid) {
  __local float items[256];
  const int thread = (int)get_local_id(0), lane = thread % 16;
  const long number = ((long)get_group_id(0) * (long)get_local_size(0) + thread) / 16;
  long rest = number >> grid.bits[0], row = grid.before;
  bool inside = true;
  for (int a = 1; a < 2; ++a) {
    const long index = rest & (((long)1 << grid.bits[a]) - 1);
    rest >>= grid.bits[a];
    row += index * grid.stride[a];
    inside = inside && index < grid.size[a];
  }
  const long begin = (number & (((long)1 << grid.bits[0]) - 1)) * 256;
  const long end = !inside ? begin : begin + 256 < grid.size[0] ? begin + 256 : grid.size[0];
  float item = -as_float(0x7f800000);
  for (long i = begin + lane; i < end; i += 16) item = max_or_nan_f32(item, array[row + i]);
  items[thread] = item;
  for (int apart = 1; apart < 16; apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread % (2 * apart) == 0) items[thread] = max_or_nan_f32(items[thread], items[thread + apart]);
  }
  if (lane == 0) partials[grid.to + number] = items[thread] + 0;
}

/// Up to 256 partial results by a thread each.
__kernel void diffusion_reduce_max_f32_tree(__global float* partials, long from, long to) {
  __local float items[256];
  const int thread = (int)get_local_id(0), threads = (int)get_local_size(0);
  items[thread] = partials[from + (long)get_group_id(0) * threads + thread];
  for (int apart = 1; apart < threads; apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread % (2 * apart) == 0) items[thread] = max_or_nan_f32(items[thread], items[thread + apart]);
  }
  if (thread == 0) partials[to + (long)get_group_id(0)] = items[0];
}

/// Computes the cells [0, N) x [0, N). t_next: 125 operations a cell
__kernel void diffusion_proceed_1(Grid grid, __global const float* conductivity,
    __global const float* t, __global float* t_next, float rate) {
  const long row = grid.stride[1];
  for (long j = thread_y(); j < grid.size[1]; j += threads_y()) {
    const long i = thread_x();
    if (i < grid.size[0]) {
      const long at = grid.origin + i + j * row;
      const float conductivity_2 = conductivity[at];
      const float k_x_xp1 = conductivity[at + 1] + conductivity_2;
      const float t_2 = t[at];
      const float t_row_xp1 = t_2 + t[at + 2];
      const float t_xp1_ym1 = t[at - row + 1];
      const float t_xp1_yp1 = t[at + row + 1];
      const float t_column_xp1 = t_xp1_ym1 + t_xp1_yp1;
      const float t_around_xp1 = t_row_xp1 + t_column_xp1;
      const float t_xp1 = t[at + 1];
      const float rest_xp1 = 0.5f * t_xp1;
      const float smooth_xp1 = madd_f32(0.125f, t_around_xp1, rest_xp1);
      const float t_xm1 = t[at - 1];
      const float t_row = t_xm1 + t_xp1;
      const float t_ym1 = t[at - row];
      const float t_yp1 = t[at + row];
      const float t_column = t_ym1 + t_yp1;
      const float t_around = t_row + t_column;
      const float rest = 0.5f * t_2;
      const float smooth = madd_f32(0.125f, t_around, rest);
      const float slope_x_xp1 = smooth_xp1 - smooth;
      const float raw_x_xp1 = k_x_xp1 * slope_x_xp1;
      const float under_x_xp1 = madd_f32(slope_x_xp1, slope_x_xp1, 1.0f);
      const float root_x_xp1 = sqrt_f32(under_x_xp1);
      const float flux_x_xp1 = raw_x_xp1 / root_x_xp1;
      const float k_x = conductivity_2 + conductivity[at - 1];
      const float t_row_xm1 = t[at - 2] + t_2;
      const float t_xm1_ym1 = t[at - row - 1];
      const float t_xm1_yp1 = t[at + row - 1];
      const float t_column_xm1 = t_xm1_ym1 + t_xm1_yp1;
      const float t_around_xm1 = t_row_xm1 + t_column_xm1;
      const float rest_xm1 = 0.5f * t_xm1;
      const float smooth_xm1 = madd_f32(0.125f, t_around_xm1, rest_xm1);
      const float slope_x = smooth - smooth_xm1;
      const float raw_x = k_x * slope_x;
      const float under_x = madd_f32(slope_x, slope_x, 1.0f);
      const float root_x = sqrt_f32(under_x);
      const float flux_x = raw_x / root_x;
      const float out_x = flux_x_xp1 - flux_x;
      const float k_y_yp1 = conductivity[at + row] + conductivity_2;
      const float t_row_yp1 = t_xm1_yp1 + t_xp1_yp1;
      const float t_column_yp1 = t_2 + t[at + 2 * row];
      const float t_around_yp1 = t_row_yp1 + t_column_yp1;
      const float rest_yp1 = 0.5f * t_yp1;
      const float smooth_yp1 = madd_f32(0.125f, t_around_yp1, rest_yp1);
      const float slope_y_yp1 = smooth_yp1 - smooth;
      const float raw_y_yp1 = k_y_yp1 * slope_y_yp1;
      const float under_y_yp1 = madd_f32(slope_y_yp1, slope_y_yp1, 1.0f);
      const float root_y_yp1 = sqrt_f32(under_y_yp1);
      const float flux_y_yp1 = raw_y_yp1 / root_y_yp1;
      const float k_y = conductivity_2 + conductivity[at - row];
      const float t_row_ym1 = t_xm1_ym1 + t_xp1_ym1;
      const float t_column_ym1 = t[at - 2 * row] + t_2;
      const float t_around_ym1 = t_row_ym1 + t_column_ym1;
      const float rest_ym1 = 0.5f * t_ym1;
      const float smooth_ym1 = madd_f32(0.125f, t_around_ym1, rest_ym1);
      const float slope_y = smooth - smooth_ym1;
      const float raw_y = k_y * slope_y;
      const float under_y = madd_f32(slope_y, slope_y, 1.0f);
      const float root_y = sqrt_f32(under_y);
      const float flux_y = raw_y / root_y;
      const float out_y = flux_y_yp1 - flux_y;
      const float change = out_x + out_y;
      const float t1 = madd_f32(rate, change, t_2);
      t_next[at] = t1;
    }
  }
}

/// Fills the ghost cells of `t`.
__kernel void diffusion_fill_t(Grid grid, Ghosts ghosts, __global float* t) {
  for (long number = thread_x(); number < ghosts.count; number += threads_x()) {
    long cell[2];
    ghost_cell(grid, ghosts, number, cell);
    const long at = address(grid, cell);
    float value;
    bool negate = false;
    resolve(&cell[1], grid.size[1], REFLECT, REFLECT, &negate);
    resolve(&cell[0], grid.size[0], CYCLIC, CYCLIC, &negate);
    value = t[address(grid, cell)];
    t[at] = negate ? neg_f32(value) : value;
  }
}

/// Fills the ghost cells of `conductivity`.
__kernel void diffusion_fill_conductivity(Grid grid, Ghosts ghosts, __global float* conductivity) {
  for (long number = thread_x(); number < ghosts.count; number += threads_x()) {
    long cell[2];
    ghost_cell(grid, ghosts, number, cell);
    const long at = address(grid, cell);
    float value;
    bool negate = false;
    resolve(&cell[1], grid.size[1], OUTFLOW, OUTFLOW, &negate);
    resolve(&cell[0], grid.size[0], CYCLIC, CYCLIC, &negate);
    value = conductivity[address(grid, cell)];
    conductivity[at] = negate ? neg_f32(value) : value;
  }
}

