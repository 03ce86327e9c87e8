// What paraiso/support/memory.hpp and Grid promise of addresses and sizes.
// Prints what does not hold and fails; support_checks_test.cpp compiles it with every compiler.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "paraiso_support.hpp"

using namespace paraiso_support;

namespace {

std::size_t allocated = 0;     // since it was set to 0
const char* latest = nullptr;  // the latest allocation
std::size_t latest_bytes = 0;
bool right = true;

void expect(bool holds, const char* what, double where) {
  if (holds) return;
  std::printf("%s: %g\n", what, where);
  right = false;
}

std::size_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

}  // namespace

// All pages come from here.
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  allocated += bytes;
  void* memory = nullptr;
  if (posix_memalign(&memory, static_cast<std::size_t>(alignment), bytes) != 0)
    throw std::bad_alloc();
  std::memset(memory, 7, bytes);  // nothing is zero by chance
  latest = static_cast<const char*>(memory);
  latest_bytes = bytes;
  return memory;
}
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

template <int D>
void check_strides(const std::int64_t (&size)[D], std::int64_t width) {
  std::int64_t widths[D];
  for (std::int64_t& w : widths) w = width;
  const Grid<D> grid(size, widths, widths);
  for (int a = 1; a < D; ++a)
    for (const std::int64_t bytes : {4, 8}) {
      expect(grid.stride[a] * bytes % 64 == 0, "a row is not aligned", size[0]);
      for (std::int64_t k = 1; k < 8; ++k)
        expect(k * grid.stride[a] * bytes % 4096 != 0, "neighbours meet modulo 4096", size[0]);
    }
  expect(static_cast<double>(grid.elements) == count_elements(size, widths, widths),
         "elements are counted wrongly", size[0]);
}

/// Nothing is counted in 32 bits; sanitizers see what 64 do not hold.
template <int D>
void check_large_grid(const std::int64_t (&size)[D]) {
  std::int64_t lower[D], upper[D];
  std::fill_n(lower, D, 3);
  std::fill_n(upper, D, 5);
  const Grid<D> grid(size, lower, upper);
  double cells = 1, last = 0, before = 16;
  std::int64_t corner[D], ghost[2 * D];  // its indices in the whole, and in the part
  for (int a = 0; a < D; ++a) {
    const auto stride = static_cast<double>(grid.stride[a]);
    cells *= static_cast<double>(size[a]);
    corner[a] = ghost[a] = ghost[D + a] = size[a] - 1;
    last += stride * static_cast<double>(corner[a]);
    if (a > 0) before += 3 * stride;
  }
  const double where = static_cast<double>(size[0]);
  const std::int64_t address = grid.address(corner) + corner[0];
  expect(static_cast<double>(grid.cells()) == cells, "cells are counted wrongly", where);
  expect(static_cast<double>(address) == last, "the last cell lies elsewhere", where);
  expect(static_cast<double>(grid.before) == before, "core cell 0 lies elsewhere", where);
  expect(grid.nearest(ghost, upper) == address, "the nearest cell lies elsewhere", where);
  expect(row_chunks(grid) == (size[0] + 255) / 256, "chunks are counted wrongly", where);
  expect(static_cast<double>(grid.elements) == count_elements(size, lower, upper),
         "elements are counted wrongly", where);
  expect(cells < static_cast<double>(grid.elements) && last < static_cast<double>(grid.elements),
         "an array is too short", where);
}

/// More cells than 2^31 and 2^32: in all, along an axis, and in front of one.
void check_large_grids() {
  check_large_grid({3000000000});
  check_large_grid({5000000000, 7});
  check_large_grid({7, 5000000000});
  check_large_grid({65536, 32769});
  check_large_grid({2049, 1025, 2047});
  check_large_grid({100000, 100000, 5});
  check_large_grid({3, 3000000000, 100});
  check_large_grid({2, 2, 5000000000});
}

template <class Exception, int D>
void expect_refusal(const std::int64_t (&size)[D]) {
  try {
    const Grid<D> grid(size, {1}, {1});
    expect(false, "a grid is taken", static_cast<double>(size[0]));
  } catch (const Exception&) {
  }
  const bool many = count_elements<D>(size, {1}, {1}) > most_elements;
  expect(many == std::is_same_v<Exception, std::bad_alloc>, "elements are counted wrongly", D);
}

/// Sizes that are none, and those of which an array would have more bytes than can be counted.
void check_refused_sizes() {
  const std::int64_t much = std::int64_t{1} << 58, most = INT64_MAX;
  for (const std::int64_t n : {much, much + 1, most / 8, most - 7, most}) {
    expect_refusal<std::bad_alloc>({n, 8});
    expect_refusal<std::bad_alloc>({8, n});
    expect_refusal<std::bad_alloc>({n, n, n});
  }
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN}) {
    expect_refusal<std::invalid_argument>({n});
    expect_refusal<std::invalid_argument>({7, n});
  }
  const Grid<2> large({much / 8, 2}, {1}, {1});
  expect(large.elements > much / 4, "a large grid is counted wrongly", 0);
}

/// An array is aligned, zero, and has room for two vectors before and behind it.
template <int D>
Array check_array(const Grid<D>& grid, std::size_t element_bytes, int number, int threads) {
  Array array(grid, element_bytes, number, threads);
  const char* const origin = static_cast<const char*>(array.origin());
  const auto bytes = static_cast<std::int64_t>(element_bytes);
  const char* const begin = origin - grid.before * bytes - 128;
  const char* const end = origin + (grid.elements - grid.before) * bytes + 128;
  expect(address(origin) % 64 == 0, "core cell 0 is not aligned", number);
  expect(begin >= latest && end <= latest + latest_bytes, "an array is too long", number);
  expect(std::count(latest, latest + latest_bytes, 0) == static_cast<std::ptrdiff_t>(latest_bytes),
         "an array is not zero", number);
  return array;
}

/// Sixty-four arrays of mixed element types lie apart, and are as large as told beforehand.
template <int D>
void check_arrays(const std::int64_t (&size)[D], int threads) {
  const std::int64_t lower[D] = {1}, upper[D] = {2};
  const Grid<D> grid(size, lower, upper);
  std::vector<Array> arrays;
  double told = 0;
  arrays.reserve(64);
  allocated = 0;
  for (int n = 0; n < 64; ++n) {
    const std::size_t bytes = n % 3 == 0 ? 1 : n % 3 == 1 ? 4 : 8;
    told += Array::bytes(count_elements(size, lower, upper), bytes);
    arrays.push_back(check_array(grid, bytes, n, threads));
    for (const Array& other : arrays)
      expect(&other == &arrays.back() ||
                 (address(other.origin()) - address(arrays.back().origin())) % 4096 != 0,
             "two arrays meet modulo 4096", n);
  }
  expect(told == static_cast<double>(allocated), "arrays are not as large as told", told);
}

/// The sizes from which on pages are huge.
void check_growing_arrays() {
  for (std::int64_t n = (1 << 20) - 5000; n < (1 << 20) + 300; n += 97) {
    const Grid<1> grid({n}, {0}, {0});
    for (const int number : {0, 31, 63}) {
      allocated = 0;
      check_array(grid, 1, number, 1);
      expect(Array::bytes(static_cast<double>(grid.elements), 1) == static_cast<double>(allocated),
             "an array is not as large as told", static_cast<double>(n));
    }
  }
}

/// Pieces neither overlap nor meet modulo 4096, whether they come from one block or several.
void check_arena() {
  Arena arena;
  for (int round = 0; round < 3; ++round) {
    arena.reset();
    allocated = 0;
    char* pieces[64];
    for (int n = 0; n < 64; ++n) {
      const std::size_t bytes = static_cast<std::size_t>(n) * 1000 + 8;
      pieces[n] = arena.take(bytes);
      std::memset(pieces[n], n, bytes);
      expect(address(pieces[n]) % 64 == 0, "a piece is not aligned", n);
      for (int m = 0; m < n; ++m)
        expect(address(pieces[m]) % 4096 != address(pieces[n]) % 4096,
               "two pieces meet modulo 4096", n);
    }
    for (int n = 0; n < 64; ++n)
      for (const int i : {0, n * 1000 + 7}) expect(pieces[n][i] == n, "two pieces overlap", n);
    expect(round < 2 || allocated == 0, "an arena that suffices grew", round);
  }
}

void check_scratch() {
  ScratchMemory memory;
  memory.reserve(3);
  Arena* const first = &memory.arena();
  memory.reserve(2);
  memory.reserve(70);
  expect(&memory.arena() == first, "an arena moved", 0);
}

template <class T, std::size_t bytes>
void check_streaming() {
  typedef T Vector __attribute__((vector_size(bytes)));
  constexpr int lanes = bytes / sizeof(T);
  alignas(64) T from[16 * lanes], to[18 * lanes] = {};
  for (int i = 0; i < 16 * lanes; ++i) from[i] = static_cast<T>(3 * i - 50);
  for (int i = 0; i < 16 * lanes; i += lanes) {
    Vector value;
    std::memcpy(&value, from + i, bytes);
    store_streaming(to + lanes + i, value + value);
  }
  streaming_fence();
  for (int i = -lanes; i < 17 * lanes; ++i) {
    const T expected = i < 0 || i >= 16 * lanes ? T{0} : static_cast<T>(2 * from[i]);
    expect(to[lanes + i] == expected, "a streamed value is wrong", i);
  }
}

/// Whatever the caches are.
void check_what_is_asked_to_be_kept() {
  const std::int64_t none[] = {0};
  Grid<1> grid({100}, none, none);
  for (const std::int64_t asked : {1000, 1000000000}) {
    grid.least_streamed = asked;
    const double mine = static_cast<double>(asked) / static_cast<double>(grid.elements);
    expect(!too_large_to_keep(mine * 0.99, grid), "what is less than asked is not kept", asked);
    expect(too_large_to_keep(mine * 1.01, grid), "what is more than asked is kept", asked);
  }
  grid.least_streamed = 0;
  expect(too_large_to_keep(0, grid), "something is kept", 0);
  grid.least_streamed = INT64_MAX;
  expect(!too_large_to_keep(1e12, grid), "something is not kept", 0);
}

void check_what_is_kept() {
  const std::pair<const char*, double> sizes[] = {{"32768K\n", 32768.0 * 1024},
                                                  {"266240K\n", 64e6},
                                                  {"491520K\n", 491520.0 * 1024 / 5},
                                                  {"", 64e6}};
  for (const auto& [text, bytes] : sizes)
    expect(cached_bytes(text) == bytes, "a cache is read wrongly", bytes);
  const double bytes = cached_bytes();
  expect(bytes >= 1e5 && bytes <= 300e6, "caches of an unlikely size", bytes);
  for (const int parts : {1, 64}) {
    std::int64_t cells[] = {100}, origin[] = {0}, whole[] = {200};
    const std::int64_t none[] = {0};
    Place place{cells, origin, whole, nullptr};
    place.beside = parts;
    const Grid<1> grid({100}, place, none, none);
    const double mine = bytes / sharing_a_cache(parts) / static_cast<double>(grid.elements);
    expect(!too_large_to_keep(mine * 0.999, grid), "what fits is not kept", parts);
    expect(too_large_to_keep(mine * 1.001, grid), "what does not fit is kept", parts);
  }
  check_what_is_asked_to_be_kept();
  expect(sharing_a_cache(1) == 1, "one part shares its cache", sharing_a_cache(1));
  expect(sharing_a_cache(4096) > 1, "parts have a cache each", sharing_a_cache(4096));
}

void check_lists_of_processors() {
  const std::pair<const char*, int> lists[] = {
      {"", 0}, {"0\n", 1}, {"0-3\n", 4}, {"0-1,8,64-127\n", 67}};
  for (const auto& [text, processors] : lists)
    expect(count_processors(text) == processors, "processors are counted wrongly", processors);
}

template <class T>
void check_streaming() {
  check_streaming<T, 16>();
  check_streaming<T, 32>();
  check_streaming<T, 64>();
}

}  // namespace

int main() {
  for (std::int64_t n = 1; n <= 1100; ++n)
    for (const std::int64_t width : {0, 1, 4}) {
      check_strides({n, n, 3}, width);
      check_strides({n, 62, n, 2}, width);
    }
  check_large_grids();
  check_refused_sizes();
  check_arrays({100}, 1);
  check_arrays({100, 7}, 1);
  check_arrays({600000}, 2);  // 0.6 to 4.8 MB: from small pages to huge ones
  check_arrays({61, 150, 60}, 3);
  check_growing_arrays();
  check_arena();
  check_scratch();
  check_what_is_kept();
  check_lists_of_processors();
  check_streaming<float>();
  check_streaming<double>();
  check_streaming<std::int32_t>();
  check_streaming<std::int64_t>();
  check_streaming<unsigned char>();
  return right ? 0 : 1;
}
