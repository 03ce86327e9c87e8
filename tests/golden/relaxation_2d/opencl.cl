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

#ifndef UNROLL  // The loop that follows is written out so many times at once.
#define UNROLL_PRAGMA(text) _Pragma(#text)
#define UNROLL(times) UNROLL_PRAGMA(unroll times)
#endif

/// The ghost cells around the core: so many on each side, and how many in all.
typedef struct {
  long lower[2], upper[2], count;
} Ghosts;

/// The indices of the ghost cell of that number: first those beyond axis 0 alone, then those beyond
/// axis 1 and maybe axis 0, ...
/// A division of 64 bits takes many instructions: where it can be one of 32 it is.
static void ghost_cell(Grid grid, Ghosts ghosts, long number, long* cell) {
  const bool small = ghosts.count <= 0x7fffffff;
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
    const long rows = small ? (long)((unsigned)number / (unsigned)widened[a]) : number / widened[a];
    cell[a] = number - rows * widened[a];
    number = rows;
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

/// Where partial results of a reduction lie.
typedef struct {
  long first;
  long stride[3];
} Places;

/// All scalars, and what guards steps that follow each other without the host.
typedef struct {
  double time;
  double total;
  double largest;
  unsigned char growing;
  double proceed_later;
  double proceed_total;
  double proceed_largest;
  double until;
  long stop, done, guarded;
} Scalars;

static double add_f64(double x, double y) {
  return x + y;
}

static double neg_f64(double x) {
  return -x;
}

static double abs_f64(double x) {
  return fabs(x);
}

static double max_f64(double x, double y) {
  return x > y ? x : y;
}

static double max_or_nan_f64(double x, double y) {
  return x == x && y == y ? max_f64(x, y) : x + y;
}

static double madd_f64(double x, double y, double z) {
  return fma(x, y, z);
}

static double msub_f64(double x, double y, double z) {
  return fma(x, y, -z);
}

static double nmadd_f64(double x, double y, double z) {
  return fma(-x, y, z);
}

static bool or_bool(bool x, bool y) {
  return x | y;
}

/// Of the ghost cells beyond a side, counted from 1, the first that repeats a cell so far from it:
/// of all beyond the last cell, where they repeat that one or have a value of their own.
static long first_ghost(int rule, long cells, long far, long size) {
  if (rule == CYCLIC) return size - far;
  if (rule == OUTFLOW || rule == VALUE) return far == 0 ? 1 : cells + 1;
  return far + 1;
}
static long last_ghost(int rule, long cells, long first) {
  return rule == OUTFLOW || rule == VALUE || first > cells ? cells : first;
}

/// The rules of a field's sides along each axis, how many ghost cells lie beyond them, and the
/// values that these have, where they repeat no cell.
typedef struct {
  int lower[2], upper[2];
  long below[2], above[2];
  double value_below[2], value_above[2];
} Sides_f64;

/// Stores a cell, and the ghost cells that repeat it beyond axis y.
static void repeat_y_f64(__global double* array, Grid grid, Sides_f64 sides, long at, double value,
    long index) {
  const long stride = grid.stride[1], far = grid.size[1] - 1 - index;
  array[at] = value;
  long n = first_ghost(sides.lower[1], sides.below[1], index, grid.size[1]);
  long last = last_ghost(sides.lower[1], sides.below[1], n);
  UNROLL(1)
  for (; n <= last; ++n)
    array[at - (index + n) * stride] = sides.lower[1] == VALUE ? sides.value_below[1] :
        sides.lower[1] == REFLECT_NEGATIVE ? neg_f64(value) : value;
  n = first_ghost(sides.upper[1], sides.above[1], far, grid.size[1]);
  last = last_ghost(sides.upper[1], sides.above[1], n);
  UNROLL(1)
  for (; n <= last; ++n)
    array[at + (far + n) * stride] = sides.upper[1] == VALUE ? sides.value_above[1] :
        sides.upper[1] == REFLECT_NEGATIVE ? neg_f64(value) : value;
}

/// Stores a cell, and the ghost cells that repeat it beyond axis x and the axes that follow.
static void repeat_x_f64(__global double* array, Grid grid, Sides_f64 sides, long at, double value,
    long index, long index_y) {
  const long stride = grid.stride[0], far = grid.size[0] - 1 - index;
  repeat_y_f64(array, grid, sides, at, value, index_y);
  long n = first_ghost(sides.lower[0], sides.below[0], index, grid.size[0]);
  long last = last_ghost(sides.lower[0], sides.below[0], n);
  UNROLL(1)
  for (; n <= last; ++n)
    repeat_y_f64(array, grid, sides, at - (index + n) * stride, sides.lower[0] == VALUE ?
        sides.value_below[0] : sides.lower[0] == REFLECT_NEGATIVE ? neg_f64(value) : value,
        index_y);
  n = first_ghost(sides.upper[0], sides.above[0], far, grid.size[0]);
  last = last_ghost(sides.upper[0], sides.above[0], n);
  UNROLL(1)
  for (; n <= last; ++n)
    repeat_y_f64(array, grid, sides, at + (far + n) * stride, sides.upper[0] == VALUE ?
        sides.value_above[0] : sides.upper[0] == REFLECT_NEGATIVE ? neg_f64(value) : value,
        index_y);
}

/// Stores the ghost cells that repeat a cell of a field.
static __attribute__((noinline)) void store_ghosts_of_now(__global double* array, Grid grid, long at, double value,
    long index_x, long index_y) {
  const Sides_f64 sides = {{CYCLIC, CYCLIC}, {CYCLIC, CYCLIC}, {1, 1}, {1, 1}, {0.0, 0.0}, {0.0,
      0.0}};
  repeat_x_f64(array, grid, sides, at, value, index_x, index_y);
}

typedef struct {
  long before;  // elements of an array before core cell 0
  long size[2], stride[2];
  long bits[2];  // chunks of a row, rows, planes, ... are padded to 2^bits
  long to;         // where partial results begin
  long left;       // so many of them
} ReductionGrid2;

/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
__kernel void relaxation_reduce_sum_f64_2d(__global const double* array, __global double* partials,
    ReductionGrid2 grid) {
  __local double items[256];
  const int thread = (int)get_local_id(0), lane = thread % 16;
  const long first = ((long)get_group_id(0) * (long)get_local_size(0) + thread) / 16;
  long chunks = 1;
  for (int a = 0; a < 2; ++a) chunks <<= grid.bits[a];
  double item = -0.0;
  for (long number = first; number < chunks; number += grid.left) {
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
    for (long i = begin + lane; i < end; i += 16) item = add_f64(item, array[row + i]);
  }
  items[thread] = item;
  for (int apart = 1; apart < 16; apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread % (2 * apart) == 0) items[thread] = add_f64(items[thread], items[thread + apart]);
  }
  if (lane == 0) partials[grid.to + first] = items[thread];
}

/// Up to 256 partial results by a thread each.
__kernel void relaxation_reduce_sum_f64_tree(__global double* partials, long from, long to) {
  __local double items[256];
  const int thread = (int)get_local_id(0), threads = (int)get_local_size(0);
  items[thread] = partials[from + (long)get_group_id(0) * threads + thread];
  for (int apart = 1; apart < threads; apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread % (2 * apart) == 0) items[thread] = add_f64(items[thread], items[thread + apart]);
  }
  if (thread == 0) partials[to + (long)get_group_id(0)] = items[0];
}

/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
__kernel void relaxation_reduce_max_f64_2d(__global const double* array, __global double* partials,
    ReductionGrid2 grid) {
  __local double items[256];
  const int thread = (int)get_local_id(0), lane = thread % 16;
  const long first = ((long)get_group_id(0) * (long)get_local_size(0) + thread) / 16;
  long chunks = 1;
  for (int a = 0; a < 2; ++a) chunks <<= grid.bits[a];
  double item = -as_double(0x7ff0000000000000);
  for (long number = first; number < chunks; number += grid.left) {
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
    for (long i = begin + lane; i < end; i += 16) item = max_or_nan_f64(item, array[row + i]);
  }
  items[thread] = item;
  for (int apart = 1; apart < 16; apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread % (2 * apart) == 0) items[thread] = max_or_nan_f64(items[thread], items[thread + apart]);
  }
  if (lane == 0) partials[grid.to + first] = items[thread] + 0;
}

/// Partial results, of which a thread of the launch combines every one `step` further.
__kernel void relaxation_reduce_max_f64_tree(__global double* partials, long from, long to, long count, long step) {
  __local double items[256];
  const int thread = (int)get_local_id(0), threads = (int)get_local_size(0);
  const long first = (long)get_group_id(0) * threads + thread;
  double item = partials[from + first];
  for (long i = first + step; i < count; i += step) item = max_or_nan_f64(item, partials[from + i]);
  items[thread] = item;
  for (int apart = 1; apart < threads; apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread % (2 * apart) == 0) items[thread] = max_or_nan_f64(items[thread], items[thread + apart]);
  }
  if (thread == 0) partials[to + (long)get_group_id(0)] = items[0];
}

/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
__kernel void relaxation_reduce_any_bool_2d(__global const unsigned char* array, __global unsigned char* partials,
    ReductionGrid2 grid) {
  __local bool items[256];
  const int thread = (int)get_local_id(0), lane = thread % 16;
  const long first = ((long)get_group_id(0) * (long)get_local_size(0) + thread) / 16;
  long chunks = 1;
  for (int a = 0; a < 2; ++a) chunks <<= grid.bits[a];
  bool item = false;
  for (long number = first; number < chunks; number += grid.left) {
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
    for (long i = begin + lane; i < end; i += 16) item = or_bool(item, array[row + i]);
  }
  items[thread] = item;
  for (int apart = 1; apart < 16; apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread % (2 * apart) == 0) items[thread] = or_bool(items[thread], items[thread + apart]);
  }
  if (lane == 0) partials[grid.to + first] = items[thread];
}

/// Partial results, of which a thread of the launch combines every one `step` further.
__kernel void relaxation_reduce_any_bool_tree(__global unsigned char* partials, long from, long to, long count, long step) {
  __local bool items[256];
  const int thread = (int)get_local_id(0), threads = (int)get_local_size(0);
  const long first = (long)get_group_id(0) * threads + thread;
  bool item = partials[from + first];
  for (long i = first + step; i < count; i += step) item = or_bool(item, partials[from + i]);
  items[thread] = item;
  for (int apart = 1; apart < threads; apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread % (2 * apart) == 0) items[thread] = or_bool(items[thread], items[thread + apart]);
  }
  if (thread == 0) partials[to + (long)get_group_id(0)] = items[0];
}

/// Computes the cells [0, N) x [0, N). before, square: 10 operations a cell
__kernel __attribute__((reqd_work_group_size(64, 4, 1))) void relaxation_proceed_1(Grid grid,
    __global const double* restrict now, __global double* restrict before,
    __global double* restrict square, __global double* restrict partials, Places places,
    __global unsigned char* restrict partials_2, Places places_2, __global const Scalars* scalars) {
  const bool going = !scalars->stop;
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int thread = x + y * 64;
  double item = -as_double(0x7ff0000000000000);
  __local double items[256];
  bool item_2 = false;
  __local unsigned char items_2[256];
  const long row = grid.stride[1];
  const long i = thread_x();
  const long j = thread_y();
  if (i < grid.size[0] && j < grid.size[1]) {
    if (going) {
      const long at = grid.origin + i + j * row;
      const double now_2 = now[at];
      const double row_2 = now[at - 1] + now[at + 1];
      const double column = now[at - row] + now[at + row];
      const double around = row_2 + column;
      const double laplacian = nmadd_f64(4.0, now_2, around);
      const double before_2 = before[at];
      const double straight = msub_f64(2.0, now_2, before_2);
      const double next = madd_f64(0.25, laplacian, straight);
      const double square_2 = next * next;
      const double size = abs_f64(next);
      const double old_size = abs_f64(now_2);
      const bool larger = size > old_size;
      before[at] = next;
      square[at] = square_2;
      item = max_or_nan_f64(item, size);
      item_2 = or_bool(item_2, larger);
      if (i < 1 || i >= grid.size[0] - 1 || j < 1 || j >= grid.size[1] -
          1) store_ghosts_of_now(before, grid, at, before[at], i, j);
    }
  }
  items[thread] = item;
  items_2[thread] = item_2;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (going && 0 <= thread && thread < 128) {
    items[thread] = max_or_nan_f64(items[thread], items[thread + 128]);
    items_2[thread] = or_bool(items_2[thread], items_2[thread + 128]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (going && 0 <= thread && thread < 64) {
    items[thread] = max_or_nan_f64(items[thread], items[thread + 64]);
    items_2[thread] = or_bool(items_2[thread], items_2[thread + 64]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (going && 0 <= thread && thread < 32) {
    items[thread] = max_or_nan_f64(items[thread], items[thread + 32]);
    items_2[thread] = or_bool(items_2[thread], items_2[thread + 32]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (going && 0 <= thread && thread < 16) {
    items[thread] = max_or_nan_f64(items[thread], items[thread + 16]);
    items_2[thread] = or_bool(items_2[thread], items_2[thread + 16]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (going && 0 <= thread && thread < 8) {
    items[thread] = max_or_nan_f64(items[thread], items[thread + 8]);
    items_2[thread] = or_bool(items_2[thread], items_2[thread + 8]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (going && 0 <= thread && thread < 4) {
    items[thread] = max_or_nan_f64(items[thread], items[thread + 4]);
    items_2[thread] = or_bool(items_2[thread], items_2[thread + 4]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (going && 0 <= thread && thread < 2) {
    items[thread] = max_or_nan_f64(items[thread], items[thread + 2]);
    items_2[thread] = or_bool(items_2[thread], items_2[thread + 2]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (going && 0 <= thread && thread < 1) {
    items[thread] = max_or_nan_f64(items[thread], items[thread + 1]);
    items_2[thread] = or_bool(items_2[thread], items_2[thread + 1]);
  }
  if (going && 0 <= thread && thread < 1) {
    partials[places.first + (long)get_group_id(0) * places.stride[0] + (long)get_group_id(1) *
        places.stride[1]] = items[0] + 0.0;
    partials_2[places_2.first + (long)get_group_id(0) * places_2.stride[0] + (long)get_group_id(1) *
        places_2.stride[1]] = items_2[0];
  }
}

/// Scalars of `proceed`, in one thread.
__kernel __attribute__((reqd_work_group_size(1, 1,
    1))) void relaxation_proceed_scalars_1(__global Scalars* scalars) {
  if (scalars->stop) return;
  const double time = scalars->time;
  const double later = time + 1.0;
  scalars->proceed_later = later;
}

/// Scalars of `proceed`, in one thread.
__kernel __attribute__((reqd_work_group_size(1, 1,
    1))) void relaxation_proceed_scalars_2(__global const double* restrict reduced,
    __global Scalars* scalars) {
  if (scalars->stop) return;
  const double total = reduced[0];
  scalars->proceed_total = total;
}

/// Scalars of `proceed`, in one thread.
__kernel __attribute__((reqd_work_group_size(1, 1,
    1))) void relaxation_proceed_scalars_3(__global const double* restrict reduced,
    __global Scalars* scalars) {
  if (scalars->stop) return;
  const double largest = reduced[0];
  scalars->proceed_largest = largest;
}

/// Scalars of `proceed`, in one thread.
__kernel __attribute__((reqd_work_group_size(1, 1,
    1))) void relaxation_proceed_scalars_4(__global const unsigned char* restrict reduced,
    __global Scalars* scalars) {
  if (scalars->stop) return;
  const double later = scalars->proceed_later;
  const double total = scalars->proceed_total;
  const double largest = scalars->proceed_largest;
  const bool growing = reduced[0];
  scalars->done += 1;
  if (scalars->guarded && !(later < scalars->until)) scalars->stop = 1;
  if (scalars->guarded && later <= scalars->time) scalars->stop = 2;
  scalars->time = later;
  scalars->total = total;
  scalars->largest = largest;
  scalars->growing = growing;
}

/// Fills the ghost cells of `now`.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void relaxation_fill_now(Grid grid,
    Ghosts ghosts, __global double* restrict now, __global const Scalars* scalars) {
  if (scalars->stop) return;
  for (long number = thread_x(); number < ghosts.count; number += threads_x()) {
    long cell[2];
    ghost_cell(grid, ghosts, number, cell);
    const long at = address(grid, cell);
    double value;
    bool negate = false;
    resolve(&cell[1], grid.size[1], CYCLIC, CYCLIC, &negate);
    resolve(&cell[0], grid.size[0], CYCLIC, CYCLIC, &negate);
    value = now[address(grid, cell)];
    now[at] = negate ? neg_f64(value) : value;
  }
}

