#ifndef __CUDACC__  // a C++ compiler makes functions of the processor of kernels
#include "paraiso_emulation.hpp"
#endif

typedef struct {
  long long origin;  // elements of an array before core cell 0
  long long size[1];  // core cells
  long long stride[1];  // elements between neighbours
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
  long long lower[1], upper[1], count;
} Ghosts;

/// The indices of the ghost cell of that number: first those beyond axis 0 alone, then those beyond
/// axis 1 and maybe axis 0, ...
/// A division of 64 bits takes many instructions: where it can be one of 32 it is.
static __device__ inline void ghost_cell(Grid grid, Ghosts ghosts, long long number, long long* cell) {
  const bool small = ghosts.count <= 0x7fffffff;
  long long widened[1], cells;
  int beyond = -1;
  do {
    ++beyond;
    cells = 1;
    for (int a = 0; a < 1; ++a) {
      widened[a] = ghosts.lower[a] + ghosts.upper[a];
      if (a < beyond) widened[a] += grid.size[a];
      if (a > beyond) widened[a] = grid.size[a];
      cells *= widened[a];
    }
    number -= cells;
  } while (number >= 0);
  number += cells;
  for (int a = 0; a < 1; ++a) {
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
  for (int a = 0; a < 1; ++a) place += cell[a] * grid.stride[a];
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
  double energy;
  double time;
  double dt;
  double until_2;
  double speed;
  double x_min;
  double x_max;
  double bump_cells;
  double proceed_step;
  double proceed_square;
  double proceed_later;
  double proceed_width;
  double until;
  long long stop, done, guarded;
} Scalars;

static __device__ inline double add_f64(double x, double y) {
  return x + y;
}

static __device__ inline double neg_f64(double x) {
  return -x;
}

static __device__ inline double min_f64(double x, double y) {
  return x < y ? x : y;
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

static __device__ inline double nmadd_f64(double x, double y, double z) {
  return fma(-x, y, z);
}

typedef struct { double hi, lo; } Pair;

static __device__ inline Pair pair(double hi, double lo) {
  const Pair both = {hi, lo};
  return both;
}

static __device__ inline Pair fast_sum(double x, double y) {
  const double sum = x + y;
  return pair(sum, y - (sum - x));
}

static __device__ inline Pair exact_sum(double x, double y) {
  const double sum = x + y, part = sum - x;
  return pair(sum, (x - (sum - part)) + (y - part));
}

static __device__ inline Pair exact_product(double x, double y) {
  const double product = x * y;
  return pair(product, fma(x, y, -product));
}

static __device__ inline Pair product(Pair x, Pair y) {
  const Pair p = exact_product(x.hi, y.hi);
  return fast_sum(p.hi, fma(x.hi, y.lo, fma(x.lo, y.hi, p.lo)));
}

static __device__ inline double polynomial(double x, const double* c, int count) {
  double sum = c[count - 1];
  for (int i = count - 2; i >= 0; --i) sum = fma(sum, x, c[i]);
  return sum;
}

static __device__ inline long long bits_of(double x) { return __double_as_longlong(x); }

static __device__ inline double double_of(long long bits) { return __longlong_as_double(bits); }

static __device__ inline long long shifted_left(long long x, int digits) { return (long long)((unsigned long long)x << digits); }

static __device__ inline long long shifted_right(long long x, int digits) { return (long long)((unsigned long long)x >> digits); }

static __device__ inline double infinity_f64(void) { return __longlong_as_double(0x7ff0000000000000); }

static __device__ inline double negated_if(long long lowest_digit, double x) {
  return double_of(bits_of(x) ^ shifted_left(lowest_digit, 63));
}

static __device__ inline double rounding(void) { return 0x1.8p52; }

typedef struct { long long quarters; Pair rest; } Angle;

static __constant__ const unsigned int kTwoOverPi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
    0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
    0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
    0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
    0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20};

static __device__ inline unsigned long long word_at(const unsigned int* digits, int place) {
  const int word = place / 32, digit = place % 32;
  const unsigned long long two = digits[word] | (unsigned long long)(word < 7 ? digits[word + 1] : 0) << 32;
  return two >> digit & 0xffffffff;
}

static __device__ inline double number_of(unsigned long long word) { return (double)(word & 0xffffffff); }

static __device__ inline Angle reduced_large_angle(double x) {
  const long long bits = bits_of(x);
  const int exponent = (int)(bits >> 52 & 0x7ff) - 1023 - 52;
  const unsigned long long mantissa = (unsigned long long)((bits & 0xfffffffffffff) | (long long)1 << 52);
  const int first = exponent > 2 ? (exponent - 2) / 32 : 0;
  const int shift = exponent - 32 * first;
  unsigned int digits[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  const unsigned long long parts[2] = {mantissa & 0xffffffff, mantissa >> 32};
  for (int p = 0; p < 2; ++p) {
    unsigned long long carry = 0;
    for (int w = 0; w < 6; ++w) {
      carry += parts[p] * kTwoOverPi[first + 5 - w] + digits[p + w];
      digits[p + w] = (unsigned int)carry;
      carry >>= 32;
    }
    digits[p + 6] = (unsigned int)carry;
  }
  const int point = 192 - shift;
  long long quarters = (long long)(word_at(digits, point) & 3);
  unsigned long long high = word_at(digits, point - 32) << 32 | word_at(digits, point - 64);
  unsigned long long low = word_at(digits, point - 96) << 32 | word_at(digits, point - 128);
  const bool above_half = high >> 63 != 0;
  if (above_half) {
    ++quarters;
    low = ~low + 1;
    high = ~high + (low == 0 ? 1 : 0);
  }
  Pair part = fast_sum(number_of(high >> 32) * 0x1p-32, number_of(high) * 0x1p-64);
  part = fast_sum(part.hi,
                  part.lo + (number_of(low >> 32) * 0x1p-96 + number_of(low) * 0x1p-128));
  Pair rest = product(part, pair(1.5707963267948966, 6.123233995736766e-17));
  if (above_half != (bits < 0)) rest = pair(-rest.hi, -rest.lo);
  const Angle angle = {bits < 0 ? -quarters : quarters, rest};
  return angle;
}

static __device__ inline Angle reduced_angle(double x) {
  const double rounded = fma(x, 0.6366197723675814, rounding());
  const double n = rounded - rounding();
  const double first = fma(-n, 1.5707963267948966, x);
  const Pair second = exact_product(n, 6.123233995736766e-17);
  const Pair sum = exact_sum(first, -second.hi);
  const double low = fma(-n, -1.4973849048591698e-33, sum.lo - second.lo);
  Angle angle = {bits_of(rounded), fast_sum(sum.hi, low)};
  if (fabs(x) > 0x1p30 && fabs(x) < infinity_f64()) angle = reduced_large_angle(x);
  return angle;
}

typedef struct { Pair sine, cosine; } SineCosine;

static __constant__ const double kSine[] = {-0.16666666666666666,    0.008333333333333331,
                        -0.00019841269841265017, 2.7557319219301936e-06,
                        -2.5052106219528367e-08, 1.6058529573291737e-10,
                        -7.586576648405261e-13};

static __constant__ const double kCosine[] = {0.041666666666666664,   -0.0013888888888888887,
                          2.4801587301584618e-05, -2.7557319221382125e-07,
                          2.0876755783897636e-09, -1.1470459750244853e-11,
                          4.74580492324984e-14};

static __device__ inline SineCosine sine_and_cosine(Pair r) {
  const Pair square = exact_product(r.hi, r.hi);
  const double z = square.hi;
  const double half_of = 0.5 * z;
  const Pair one_less = fast_sum(1.0, -half_of);
  const double sine_low =
      fma(z * r.hi, polynomial(z, kSine, 7), fma(-half_of, r.lo, r.lo));
  const double cosine_low =
      fma(z * z, polynomial(z, kCosine, 7),
              fma(-r.hi, r.lo, fma(-0.5, square.lo, one_less.lo)));
  const SineCosine both = {fast_sum(r.hi, sine_low), fast_sum(one_less.hi, cosine_low)};
  return both;
}

static __device__ inline double sin_f64(double x) {
  const Angle angle = reduced_angle(x);
  const SineCosine both = sine_and_cosine(angle.rest);
  const bool odd = (angle.quarters & 1) == 1;
  const double result =
      negated_if(shifted_right(angle.quarters, 1), odd ? both.cosine.hi : both.sine.hi);
  return x == 0.0 ? x : result;
}

static __device__ inline double cast_i64_f64(long long x) {
  return (double)x;
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
  int lower[1], upper[1];
  long long below[1], above[1];
  double value_below[1], value_above[1];
} Sides_f64;

/// Stores a cell, and the ghost cells that repeat it beyond axis x.
static __device__ inline void repeat_x_f64(double* array, Grid grid, Sides_f64 sides, long long at, double value,
    long long index) {
  const long long stride = grid.stride[0], far = grid.size[0] - 1 - index;
  array[at] = value;
  long long n = first_ghost(sides.lower[0], sides.below[0], index, grid.size[0]);
  long long last = last_ghost(sides.lower[0], sides.below[0], n);
  UNROLL(1)
  for (; n <= last; ++n)
    array[at - (index + n) * stride] = sides.lower[0] == VALUE ? sides.value_below[0] :
        sides.lower[0] == REFLECT_NEGATIVE ? neg_f64(value) : value;
  n = first_ghost(sides.upper[0], sides.above[0], far, grid.size[0]);
  last = last_ghost(sides.upper[0], sides.above[0], n);
  UNROLL(1)
  for (; n <= last; ++n)
    array[at + (far + n) * stride] = sides.upper[0] == VALUE ? sides.value_above[0] :
        sides.upper[0] == REFLECT_NEGATIVE ? neg_f64(value) : value;
}

/// Stores the ghost cells that repeat a cell of a field.
static __device__ __attribute__((noinline)) void store_ghosts_of_f(double* array, Grid grid, long long at, double value,
    long long index_x) {
  const Sides_f64 sides = {{CYCLIC}, {CYCLIC}, {1}, {1}, {0.0}, {0.0}};
  repeat_x_f64(array, grid, sides, at, value, index_x);
}

typedef struct {
  long long before;  // elements of an array before core cell 0
  long long size[1], stride[1];
  long long bits[1];  // chunks of a row, rows, planes, ... are padded to 2^bits
  long long to;         // where partial results begin
  long long left;       // so many of them
} ReductionGrid1;

/// Chunks of 256 cells, each by 16 threads, of which each combines every 16th cell.
extern "C" __global__ void wave_reduce_sum_f64_1d(const double* array, double* partials,
    ReductionGrid1 grid) {
  __shared__ double items[256];
  const int thread = (int)threadIdx.x, lane = thread % 16;
  const long long first = ((long long)blockIdx.x * (long long)blockDim.x + thread) / 16;
  long long chunks = 1;
  for (int a = 0; a < 1; ++a) chunks <<= grid.bits[a];
  double item = -0.0;
  for (long long number = first; number < chunks; number += grid.left) {
    long long rest = number >> grid.bits[0], row = grid.before;
    bool inside = true;
    for (int a = 1; a < 1; ++a) {
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
extern "C" __global__ void wave_reduce_sum_f64_tree(double* partials, long long from, long long to) {
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
extern "C" __global__ void wave_reduce_max_f64_1d(const double* array, double* partials,
    ReductionGrid1 grid) {
  __shared__ double items[256];
  const int thread = (int)threadIdx.x, lane = thread % 16;
  const long long first = ((long long)blockIdx.x * (long long)blockDim.x + thread) / 16;
  long long chunks = 1;
  for (int a = 0; a < 1; ++a) chunks <<= grid.bits[a];
  double item = -__longlong_as_double(0x7ff0000000000000);
  for (long long number = first; number < chunks; number += grid.left) {
    long long rest = number >> grid.bits[0], row = grid.before;
    bool inside = true;
    for (int a = 1; a < 1; ++a) {
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
extern "C" __global__ void wave_reduce_max_f64_tree(double* partials, long long from, long long to, long long count, long long step) {
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

/// Computes the cells [0, N). f, g: 150 operations a cell
extern "C" __global__ __launch_bounds__(256) void wave_bump_1(Grid grid, double* __restrict__ f,
    double* __restrict__ g, const Scalars* scalars) {
  if (scalars->stop) return;
  const double cells = scalars->bump_cells;
  const long long i = thread_x();
  if (i < grid.size[0]) {
    const long long at = grid.origin + i;
    const double i_2 = cast_i64_f64(i);
    const double x = i_2 / cells;
    const double phase = 6.283185307179586 * x;
    const double s = sin_f64(phase);
    f[at] = s;
    g[at] = 0.0;
  }
}

/// Scalars of `bump`, in one thread.
extern "C" __global__ __launch_bounds__(1) void wave_bump_scalars_1(Grid grid, Scalars* scalars) {
  if (scalars->stop) return;
  const double cells = cast_i64_f64(grid.size[0]);
  scalars->bump_cells = cells;
}

/// Scalars of `bump`, in one thread.
extern "C" __global__ __launch_bounds__(1) void wave_bump_scalars_2(Scalars* scalars) {
  if (scalars->stop) return;
  scalars->time = 0.0;
}

/// Computes the cells [0, N). g, f_next: 7 operations a cell
extern "C" __global__ __launch_bounds__(256) void wave_proceed_1(Grid grid,
    const double* __restrict__ f, double* __restrict__ g, double* __restrict__ f_next,
    double* __restrict__ partials, Places places, const Scalars* scalars) {
  const bool going = !scalars->stop;
  const double step = scalars->proceed_step;
  const double square = scalars->proceed_square;
  const int x = threadIdx.x;
  double item = -0.0;
  __shared__ double items[256];
  __shared__ double lanes[16];
  const long long i = thread_x();
  if (i < grid.size[0]) {
    if (going) {
      const long long at = grid.origin + i;
      const double f_2 = f[at];
      const double sum = f[at - 1] + f[at + 1];
      const double laplacian_x = nmadd_f64(2.0, f_2, sum);
      const double cl = square * laplacian_x;
      const double g_2 = g[at];
      const double g1 = madd_f64(step, cl, g_2);
      const double f1 = madd_f64(step, g1, f_2);
      const double half_g = g1 * 0.5;
      const double g2 = half_g * half_g;
      g[at] = g1;
      f_next[at] = f1;
      item = g2;
      if (i < 1 || i >= grid.size[0] - 1) store_ghosts_of_f(f_next, grid, at, f_next[at], i);
    }
  }
  items[x] = item;
  __syncthreads();
  if (going && 0 <= x % 256 && x % 256 < 16) {
    double lane_2 = items[x];
    for (long long n = 1; n < 16; ++n) {
      lane_2 = add_f64(lane_2, items[x + n * 16]);
    }
    lanes[x / 256 * 16 + x % 256] = lane_2;
  }
  __syncthreads();
  if (going && 0 <= x % 256 && x % 256 < 1 && 0 <= i && i < grid.size[0]) {
    partials[places.first + ((long long)blockIdx.x + x / 256) * places.stride[0]] =
        add_f64(add_f64(add_f64(add_f64(lanes[x / 256 * 16], lanes[x / 256 * 16 + 1]),
        add_f64(lanes[x / 256 * 16 + 2], lanes[x / 256 * 16 + 3])), add_f64(add_f64(lanes[x / 256 *
        16 + 4], lanes[x / 256 * 16 + 5]), add_f64(lanes[x / 256 * 16 + 6], lanes[x / 256 * 16 +
        7]))), add_f64(add_f64(add_f64(lanes[x / 256 * 16 + 8], lanes[x / 256 * 16 + 9]),
        add_f64(lanes[x / 256 * 16 + 10], lanes[x / 256 * 16 + 11])), add_f64(add_f64(lanes[x /
        256 * 16 + 12], lanes[x / 256 * 16 + 13]), add_f64(lanes[x / 256 * 16 + 14], lanes[x / 256 *
        16 + 15]))));
  }
  item = -0.0;
}

/// Scalars of `proceed`, in one thread.
extern "C" __global__ __launch_bounds__(1) void wave_proceed_scalars_1(Grid grid,
    Scalars* scalars) {
  if (scalars->stop) return;
  const double dt = scalars->dt;
  const double until = scalars->until_2;
  const double time = scalars->time;
  const double left = until - time;
  const double step = min_f64(dt, left);
  const double speed = scalars->speed;
  const double x_max = scalars->x_max;
  const double x_min = scalars->x_min;
  const double extent = x_max - x_min;
  const double cells = cast_i64_f64(grid.size[0]);
  const double width = extent / cells;
  const double ratio = speed / width;
  const double square = ratio * ratio;
  const double later = time + step;
  scalars->proceed_step = step;
  scalars->proceed_square = square;
  scalars->proceed_later = later;
  scalars->proceed_width = width;
}

/// Scalars of `proceed`, in one thread.
extern "C" __global__ __launch_bounds__(1) void wave_proceed_scalars_2(const double* __restrict__ reduced, Scalars* scalars) {
  if (scalars->stop) return;
  const double later = scalars->proceed_later;
  const double width = scalars->proceed_width;
  const double e = reduced[0];
  const double energy = e * width;
  scalars->done += 1;
  if (scalars->guarded && !(later < scalars->until)) scalars->stop = 1;
  if (scalars->guarded && later <= scalars->time) scalars->stop = 2;
  scalars->energy = energy;
  scalars->time = later;
}

/// Fills the ghost cells of `f`.
extern "C" __global__ __launch_bounds__(256) void wave_fill_f(Grid grid, Ghosts ghosts,
    double* __restrict__ f, const Scalars* scalars) {
  if (scalars->stop) return;
  for (long long number = thread_x(); number < ghosts.count; number += threads_x()) {
    long long cell[1];
    ghost_cell(grid, ghosts, number, cell);
    const long long at = address(grid, cell);
    double value;
    bool negate = false;
    resolve(&cell[0], grid.size[0], CYCLIC, CYCLIC, &negate);
    value = f[address(grid, cell)];
    f[at] = negate ? neg_f64(value) : value;
  }
}

