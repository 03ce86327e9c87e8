// The host's half of reductions on devices: which kernels (reduction_text.hpp) are launched on
// what. Gives: ReductionTree, Combining, enqueue_pairs, enqueue_reduction in paraiso_support.
// Needs: a layer's Kernel and Memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace paraiso_support {

/// The padded binary tree of a grid's chunks: how many partial results each launch leaves, and
/// where in one array. Element 0 is the result, the others follow level by level.
struct ReductionTree {
  static constexpr std::int64_t chunk_cells = 256;
  static constexpr std::int64_t chunk_threads = 16;
  static constexpr std::int64_t block_threads = 256;  // the most
  // In any order one block combines so many partial results: a few a thread, so that it takes about
  // as long as a launch.
  static constexpr std::int64_t most_of_a_block = 4096;

  struct Level {
    std::int64_t items;  // a power of two
    std::int64_t first;  // where they begin
  };
  std::vector<std::int64_t> bits;  // chunks of a row, rows, planes, ... are padded to 2^bits
  std::vector<Level> levels;       // chunks, then what each launch of the tree's kernel leaves
  std::int64_t partials = 1;       // elements of the array

  /// `size` has the cells along each axis.
  template <std::size_t D>
  explicit ReductionTree(const std::int64_t (&size)[D]) {
    std::int64_t items = 1;
    for (std::size_t a = 0; a < D; ++a) {
      const std::int64_t extent = a == 0 ? (size[0] + chunk_cells - 1) / chunk_cells : size[a];
      bits.push_back(0);
      while ((std::int64_t{1} << bits[a]) < extent) ++bits[a];
      items <<= bits[a];
    }
    for (; items > 1; items = std::max<std::int64_t>(items / block_threads, 1)) {
      levels.push_back({items, partials});
      partials += items;
    }
    levels.push_back({1, 0});
  }
};

/// Whether the tree says which partial results are combined, or any order gives the same bits.
enum class Combining : std::uint8_t { as_tree, in_any_order };

/// As the kernels' text declares it.
template <std::size_t D>
struct ReductionGrid {
  std::int64_t before;  // elements of an array before core cell 0
  std::int64_t size[D], stride[D], bits[D];
  std::int64_t to;    // where partial results begin
  std::int64_t left;  // so many of them
};

/// So many threads of a reduction's kernel.
template <class Kernel, class... Arguments>
void launch_reducing(Kernel& kernel, std::int64_t threads, const Arguments&... arguments) {
  const std::int64_t block = std::min(threads, ReductionTree::block_threads);
  kernel.launch({static_cast<std::size_t>(threads), 1, 1}, {static_cast<std::size_t>(block), 1, 1},
                arguments...);
}

/// Combines the first `count` of the tree's leaves, a power of two, by two launches at most.
template <class Kernel, class Memory>
void enqueue_in_any_order(const ReductionTree& tree, Kernel& pairs, const Memory& partials,
                          std::int64_t count) {
  if (tree.levels.size() == 1) return;
  std::int64_t from = tree.levels[0].first;
  if (count > ReductionTree::most_of_a_block) {
    const std::int64_t threads =
        std::min(count, ReductionTree::block_threads * ReductionTree::block_threads);
    launch_reducing(pairs, threads, partials, from, tree.levels[1].first, count, threads);
    from = tree.levels[1].first;
    count = threads / ReductionTree::block_threads;
  }
  const std::int64_t threads = std::min(count, ReductionTree::block_threads);
  launch_reducing(pairs, threads, partials, from, std::int64_t{0}, count, threads);
}

/// Combines the tree's leaves in pairs. The result is then element 0.
template <class Kernel, class Memory>
void enqueue_pairs(const ReductionTree& tree, Kernel& pairs, const Memory& partials,
                   Combining how) {
  if (how == Combining::in_any_order)
    return enqueue_in_any_order(tree, pairs, partials, tree.levels[0].items);
  for (std::size_t l = 1; l < tree.levels.size(); ++l)
    launch_reducing(pairs, tree.levels[l - 1].items, partials, tree.levels[l - 1].first,
                    tree.levels[l].first);
}

/// Launches the kernels of a reduction. The result is then element 0 of `partials`, which has
/// tree.partials elements. Of `array`, core cell 0 is element `before`.
template <class Kernel, class Memory, std::size_t D>
void enqueue_reduction(const ReductionTree& tree, Kernel& chunks, Kernel& pairs,
                       const Memory& array, const Memory& partials, std::int64_t before,
                       const std::int64_t (&size)[D], const std::int64_t (&stride)[D],
                       Combining how) {
  const std::int64_t all = tree.levels[0].items;
  const std::int64_t left =
      how == Combining::in_any_order ? std::min(all, ReductionTree::most_of_a_block) : all;
  ReductionGrid<D> grid{before, {}, {}, {}, tree.levels[0].first, left};
  std::copy(size, size + D, grid.size);
  std::copy(stride, stride + D, grid.stride);
  std::copy(tree.bits.begin(), tree.bits.end(), grid.bits);
  launch_reducing(chunks, left * ReductionTree::chunk_threads, array, partials, grid);
  if (how == Combining::in_any_order)
    enqueue_in_any_order(tree, pairs, partials, left);
  else
    enqueue_pairs(tree, pairs, partials, how);
}

}  // namespace paraiso_support
