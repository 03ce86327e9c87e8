// The memory of a generated solver: the grid's arrays, the threads' scratch, stores past the
// caches. Gives: Array, Arena, ScratchMemory, least_streamed, touched_bytes, too_large_to_keep,
// store_streaming, streaming_fence in paraiso_support. Needs: grid.hpp, limits.hpp,
// thresholds.hpp.
//
// Addresses that agree modulo 4096 collide: a load waits for a store that it mistakes for its own,
// and L1 holds few lines of one such class. So the start addresses of memory that is used together
// are staggered. Large blocks use huge pages where the system has them, and each page is first
// touched by the thread that will use it, because that decides which memory the page lies in.
#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(_OPENMP)
#include <omp.h>
#endif

#include "paraiso/support/grid.hpp"
#include "paraiso/support/limits.hpp"
#include "paraiso/support/thresholds.hpp"

namespace paraiso_support {

inline constexpr std::size_t line_bytes = 64, small_page = 4096, huge_page = 1 << 21;

/// Where buffer `number` starts: at a cache line that differs, modulo 4096, between any 64
/// successive numbers, and by much between near ones (39 is the golden section of 64 lines).
/// `pages`, a power of two: the period of the whole, in small pages.
inline std::size_t stagger(int number, std::size_t pages = 1) {
  const auto n = static_cast<std::size_t>(number);
  return n * 19 % pages * small_page + n * 39 % 64 * line_bytes;
}

/// The least address >= `least` that is `place` modulo `period`.
inline std::size_t next_at(std::size_t least, std::size_t place, std::size_t period) {
  return least + (place + period - least % period) % period;
}

/// The size of pages for a block of `bytes`, which is aligned to one and fills whole ones. Large
/// blocks take huge pages: small ones lie anywhere in memory, so that what should fit in L2 fits in
/// one run and not in another.
template <class Number>
std::size_t page_of(Number bytes) {
  return bytes < static_cast<Number>(huge_page / 2) ? small_page : huge_page;
}

template <class Number>
Number whole_pages(Number bytes, std::size_t page) {
  const auto unit = static_cast<Number>(page);
  if constexpr (std::is_floating_point_v<Number>)
    return std::ceil(bytes / unit) * unit;
  else
    return (bytes + unit - 1) / unit * unit;
}

struct FreePages {
  std::size_t page;
  void operator()(char* memory) const { ::operator delete(memory, std::align_val_t(page)); }
};
using Pages = std::unique_ptr<char[], FreePages>;

/// `bytes`, a whole number of pages, still untouched. Throws std::bad_alloc.
inline Pages allocate_pages(std::size_t bytes, std::size_t page) {
  Pages memory(static_cast<char*>(::operator new(bytes, std::align_val_t(page))), {page});
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  // Only advice: where there are no huge pages, small ones serve.
  if (page == huge_page) (void)madvise(memory.get(), bytes, MADV_HUGEPAGE);
#endif
  return memory;
}

/// Memory for one array of the grid, zeroed, with elements of `element_bytes` bytes.
class Array {
 public:
  /// The solver's array number `number`, touched by `threads` threads; it lies `skew` elements
  /// further than it would. Throws std::bad_alloc.
  template <int D>
  Array(const Grid<D>& grid, std::size_t element_bytes, int number, int threads,
        std::int64_t skew = 0)
      : Array(static_cast<std::size_t>(grid.elements + skew) * element_bytes,
              static_cast<std::size_t>(grid.before) * element_bytes, number,
              static_cast<std::size_t>(skew) * element_bytes) {
    // The loops over a one-dimensional grid share it in blocks of 4096 cells.
    const std::int64_t piece = D == 1 ? 4096 : grid.stride[D - 1];
    const std::int64_t pieces = D == 1 ? (grid.size[0] + piece - 1) / piece : grid.size[D - 1];
    touch(pieces, static_cast<std::size_t>(piece) * element_bytes, threads);
  }

  void* origin() const { return origin_; }  // core cell 0

  /// The bytes that an array of `elements` elements allocates. Number: std::size_t, or double if
  /// the result may be too large for that.
  template <class Number>
  static Number bytes(Number elements, std::size_t element_bytes) {
    return allocated(elements * static_cast<Number>(element_bytes));
  }

 private:
  /// `bytes`: of all elements; `before`: of those before core cell 0.
  Array(std::size_t bytes, std::size_t before, int number, std::size_t skew)
      : bytes_(allocated(bytes)), memory_(allocate_pages(bytes_, page_of(bytes))) {
    // Core cell 0 itself is staggered, so that the size of elements does not matter.
    const std::size_t pages = stagger_pages(page_of(bytes));
    origin_ = memory_.get() +
              next_at(guard_bytes + before, stagger(number, pages), pages * small_page) + skew;
  }

  /// Room before the first element and after the last one: a vector loop may read beyond its row,
  /// by at most two of the longest vectors; it ignores the lanes concerned.
  static constexpr std::size_t guard_bytes = 128;

  /// In huge pages, an array's address also decides its place in L2, one way of which spans about
  /// 32 small pages; with small pages the system decides that place.
  static std::size_t stagger_pages(std::size_t page) { return page == huge_page ? 32 : 1; }

  template <class Number>
  static Number allocated(Number bytes) {
    const std::size_t page = page_of(bytes);
    const std::size_t around = 2 * guard_bytes + stagger_pages(page) * small_page;
    return whole_pages(bytes + static_cast<Number>(around), page);
  }

  /// Zeroes everything, divided between the threads as loops over the outermost axis are.
  void touch(std::int64_t pieces, std::size_t piece, int threads) {
    char* const end = memory_.get() + bytes_;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static) if (bytes_ >= huge_page)
#else
    (void)threads;
#endif
    for (std::int64_t p = 0; p < pieces; ++p) {
      char* const from = p == 0 ? memory_.get() : origin_ + static_cast<std::size_t>(p) * piece;
      char* const to = p + 1 == pieces ? end : origin_ + static_cast<std::size_t>(p + 1) * piece;
      std::memset(from, 0, static_cast<std::size_t>(to - from));
    }
  }

  std::size_t bytes_;
  Pages memory_;
  char* origin_;
};

/// Memory that a thread reuses from tile to tile: pieces are handed out one after the other, each
/// aligned to a line and staggered, and all taken back at once. The solver's arrays start half a
/// page away from the first of them.
class Arena {
 public:
  /// Takes everything back; one block is kept that holds as much as was needed.
  void reset() {
    if (blocks_.size() > 1) {
      const std::size_t needed = needed_;
      blocks_.clear();  // first, because both may not fit at once
      add_block(needed);
    }
    used_ = needed_ = 0;
    count_ = 0;
  }
  /// What is in a piece is undefined. Throws std::bad_alloc, which ends the program in a parallel
  /// region.
  char* take(std::size_t bytes) {
    const std::size_t place = stagger(32 + count_++);
    needed_ = next_at(needed_, place, small_page) + bytes;
    std::size_t start = next_at(used_, place, small_page);
    if (blocks_.empty() || start + bytes > blocks_.back().bytes) {
      add_block(place + bytes);
      start = place;
    }
    used_ = start + bytes;
    return blocks_.back().memory.get() + start;
  }

 private:
  struct Block {
    std::size_t bytes;
    Pages memory;
  };
  /// The new block is first touched by the thread that will use it. Seldom called: not to be
  /// inlined.
  [[gnu::noinline, gnu::cold]] void add_block(std::size_t wanted) {
    constexpr std::size_t least = std::size_t{1} << 20;
    const std::size_t bytes = wanted > least ? wanted : least;
    const std::size_t page = page_of(bytes), whole = whole_pages(bytes, page);
    blocks_.push_back({whole, allocate_pages(whole, page)});
    std::memset(blocks_.back().memory.get(), 0, whole);
  }

  std::vector<Block> blocks_;
  std::size_t used_ = 0, needed_ = 0;  // of the last block; since the last reset
  int count_ = 0;
};

/// The number of the calling thread in its parallel region.
inline int thread_number() {
#if defined(_OPENMP)
  return omp_get_thread_num();
#else
  return 0;
#endif
}

/// One arena per thread, kept between calls.
class ScratchMemory {
 public:
  /// Only outside of parallel regions.
  void reserve(int threads) {
    while (arenas_.size() < static_cast<std::size_t>(threads))
      arenas_.push_back(std::make_unique<Arena>());
  }
  /// The calling thread's.
  Arena& arena() { return *arenas_[static_cast<std::size_t>(thread_number())]; }

 private:
  std::vector<std::unique_ptr<Arena>> arenas_;
};

#if defined(__SSE2__) && !defined(__clang__)
/// How to store `bytes` bytes past the caches: in the widest pieces that the target has. One
/// instruction serves all element types.
template <std::size_t bytes>
struct Streaming : Streaming<bytes / 2> {};
template <>
struct Streaming<16> {
  typedef double Piece __attribute__((vector_size(16)));
  static void store(double* to, const Piece& piece) { __builtin_ia32_movntpd(to, piece); }
};
#if defined(__AVX__)
template <>
struct Streaming<32> {
  typedef double Piece __attribute__((vector_size(32)));
  static void store(double* to, const Piece& piece) { __builtin_ia32_movntpd256(to, piece); }
};
#endif
#if defined(__AVX512F__)
template <>
struct Streaming<64> {
  typedef double Piece __attribute__((vector_size(64)));
  static void store(double* to, const Piece& piece) { __builtin_ia32_movntpd512(to, piece); }
};
#endif
#endif

/// How many bytes a program may expect to find again in a cache, given the size as Linux reports
/// it: `32768K`, or nothing.
double cached_bytes(const char* size);
/// The same of this processor's last-level cache.
double last_level_bytes();
/// The same, but tests define PARAISO_CACHED_BYTES, so that small arrays count as too large.
inline double cached_bytes() {
#ifdef PARAISO_CACHED_BYTES
  return PARAISO_CACHED_BYTES;
#else
  return last_level_bytes();
#endif
}

/// How many processors Linux lists: `0-3,8`; none where it lists nothing.
int count_processors(const char* list);
/// Of as many parts of a grid on this host, those that share a last-level cache.
double sharing_a_cache(int parts);

/// From how many bytes on loops store past the caches, unless the user says otherwise: what they
/// store would be evicted before it is needed again.
inline std::int64_t least_streamed() { return static_cast<std::int64_t>(cached_bytes()) + 1; }

/// What is compared with it: of a loop over arrays of so many bytes a cell in all.
template <int D>
double touched_bytes(double bytes_of_cell, const Grid<D>& grid) {
  return bytes_of_cell * static_cast<double>(grid.elements) * sharing_a_cache(grid.beside);
}

/// Whether such a loop should store past the caches.
template <int D>
bool too_large_to_keep(double bytes_of_cell, const Grid<D>& grid) {
  const std::int64_t least = grid.least_streamed < 0 ? least_streamed() : grid.least_streamed;
  return least <= threshold_of(touched_bytes(bytes_of_cell, grid));
}

/// Stores a whole vector (a type of `vector_size`) past the caches, if the target can: for values
/// that are not read again soon. `destination` is aligned to the vector's size. Other threads see
/// the values after a streaming_fence() of this one.
template <class T, class Vector>
inline void store_streaming(T* destination, const Vector& value) {
  static_assert(sizeof(Vector) % sizeof(T) == 0 && sizeof(Vector) >= 16, "a vector of T");
#if defined(__clang__)
  typedef Vector Target __attribute__((may_alias));
  __builtin_nontemporal_store(value, reinterpret_cast<Target*>(destination));
#elif defined(__SSE2__)
  using Pieces = Streaming<sizeof(Vector)>;
  typename Pieces::Piece piece;
  for (std::size_t at = 0; at < sizeof value; at += sizeof piece) {
    std::memcpy(&piece, reinterpret_cast<const char*>(&value) + at, sizeof piece);
    Pieces::store(reinterpret_cast<double*>(destination) + at / sizeof(double), piece);
  }
#else
  std::memcpy(destination, &value, sizeof value);
#endif
}

/// Orders what this thread stored past the caches before everything that it stores later.
inline void streaming_fence() {
#if defined(__SSE2__)
  __builtin_ia32_sfence();
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace paraiso_support
