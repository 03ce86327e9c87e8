// Partial results that a group's blocks leave on a device, of what they reduce while they make it.
// Gives: DeviceTile, tiles_along, PlacesOfPartials, PartialsLayout, BlockPartials in
// paraiso_support. Needs: reduce.hpp; a layer's Memory and Kernel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "paraiso/support/device/reduce.hpp"

namespace paraiso_support {

/// Along an axis of the grid, the cells that a block makes; 0: all.
struct DeviceTile {
  int axis;
  std::int64_t cells;
};

/// The blocks along its axis that make so many cells.
inline std::int64_t tiles_along(const DeviceTile& tile, std::int64_t cells) {
  return tile.cells == 0 ? 1 : (cells + tile.cells - 1) / tile.cells;
}

/// Where they lie, as the kernels' text declares it.
struct PlacesOfPartials {
  std::int64_t first, stride[3];
};

/// The tree that combines them, and where its leaves lie.
struct PartialsLayout {
  ReductionTree tree;
  PlacesOfPartials places{0, {0, 0, 0}};

  /// One for each chunk of a row, of a grid of at most three axes.
  template <std::size_t D>
  static PartialsLayout of_chunks(const std::int64_t (&size)[D]) {
    PartialsLayout layout{ReductionTree(size)};
    layout.places.first = layout.tree.levels[0].first;
    std::int64_t stride = 1;
    for (std::size_t a = 0; a < D && a < 3; ++a) {
      layout.places.stride[a] = stride;
      stride <<= layout.tree.bits[a];
    }
    return layout;
  }

  /// One for each block of a launch, whose tiles have at most three axes.
  template <std::size_t D>
  static PartialsLayout of_blocks(const std::int64_t (&size)[D],
                                  const std::vector<DeviceTile>& tiles) {
    std::int64_t strides[3] = {0, 0, 0}, blocks = 1;
    for (std::size_t along = 0; along < tiles.size(); ++along) {
      strides[along] = blocks;
      blocks *= tiles_along(tiles[along], size[tiles[along].axis]);
    }
    PartialsLayout layout{ReductionTree({blocks * ReductionTree::chunk_cells})};
    layout.places.first = layout.tree.levels[0].first;
    std::copy(strides, strides + 3, layout.places.stride);
    return layout;
  }

  double bytes(std::size_t element_bytes) const {
    return static_cast<double>(tree.partials) * static_cast<double>(element_bytes);
  }
};

/// Those of one reduction. Invariant: leaves that no block has hold the identity.
template <class Memory>
class BlockPartials {
 public:
  template <class Device, class T>
  BlockPartials(const Device& device, PartialsLayout layout, T identity)
      : layout_(std::move(layout)),
        memory_(device, static_cast<std::size_t>(layout_.tree.partials) * sizeof(T)) {
    const std::vector<T> all(static_cast<std::size_t>(layout_.tree.partials), identity);
    memory_.upload(all.data(), all.size() * sizeof(T));
  }

  Memory& memory() { return memory_; }
  const PlacesOfPartials& places() const { return layout_.places; }

  /// Combines what the blocks have left: the result is then element 0 of `memory`.
  template <class Kernel>
  void enqueue(Kernel& pairs, Combining how) {
    enqueue_pairs(layout_.tree, pairs, memory_, how);
  }
  template <class T, class Kernel>
  T reduce(Kernel& pairs, Combining how) {
    enqueue(pairs, how);
    char bits[sizeof(T)];
    memory_.download(bits, sizeof(T));
    T result;
    std::memcpy(&result, bits, sizeof(T));
    return result;
  }

 private:
  PartialsLayout layout_;
  Memory memory_;
};

}  // namespace paraiso_support
