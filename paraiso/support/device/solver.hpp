// What generated solvers on devices have besides a layer: the grid as kernels are told it, fields
// that the host may look at, launches over boxes.
// Gives: DeviceGrid, DeviceGhosts, DeviceField, have_ghosts, set_ghosts, has_cells, DeviceScalars,
// Arrangements, device_bytes, threads_of_tiles, upload, keep, go_back, swap_in, Reducer, has_nan in
// paraiso_support. Needs: grid.hpp, partials.hpp; a layer's Device, Memory and Kernel.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "paraiso/support/device/launch_limits.hpp"
#include "paraiso/support/device/partials.hpp"
#include "paraiso/support/grid.hpp"

namespace paraiso_support {

/// The grid, as the kernels' text declares it.
template <int D>
struct DeviceGrid {
  std::int64_t origin;  // elements of an array before core cell 0
  std::int64_t size[D], stride[D];

  DeviceGrid(const Grid<D>& grid) : origin(grid.before) {  // NOLINT: it is the same grid
    std::copy(grid.size, grid.size + D, size);
    std::copy(grid.stride, grid.stride + D, stride);
  }
};

/// The ghost cells around the core: so many on each side, and how many in all.
template <int D>
struct DeviceGhosts {
  std::int64_t lower[D], upper[D], count;

  DeviceGhosts(const Grid<D>& grid, const std::int64_t (&below)[D],
               const std::int64_t (&above)[D]) {
    std::int64_t cells = 1;
    for (int a = 0; a < D; ++a) {
      lower[a] = below[a];
      upper[a] = above[a];
      cells *= below[a] + grid.size[a] + above[a];
    }
    count = cells - grid.cells();
  }
};

/// Bytes of one array on a device.
inline double device_bytes(double elements, std::size_t element_bytes) {
  return elements * static_cast<double>(element_bytes);
}

using DeviceThreads = std::array<std::size_t, 3>;

/// The threads of blocks that make a tile of a box each, so many along each axis of the launch.
/// Throws std::runtime_error where that takes more blocks than a launch may have.
template <int D, std::size_t L>
DeviceThreads threads_of_tiles(const Grid<D>& grid, const std::int64_t (&lower)[D],
                               const std::int64_t (&upper)[D], const DeviceTile (&tiles)[L],
                               const std::int64_t (&block)[2]) {
  constexpr std::int64_t most[3] = {most_blocks, most_blocks_beside, most_blocks_beside};
  DeviceThreads threads{1, 1, 1};
  for (std::size_t along = 0; along < L; ++along) {
    const int axis = tiles[along].axis;
    const std::int64_t all = lower[axis] + grid.size[axis] + upper[axis];
    const std::int64_t blocks = tiles_along(tiles[along], all);
    if (blocks > most[along])
      throw std::runtime_error("the grid has " + std::to_string(all) + " cells along axis " +
                               std::to_string(axis) + ", which takes " + std::to_string(blocks) +
                               " blocks, and a launch may have " + std::to_string(most[along]) +
                               ": another schedule has larger tiles");
    threads[along] = static_cast<std::size_t>(blocks * (along < 2 ? block[along] : 1));
  }
  return threads;
}

/// An array of a static, and, once the host has looked at it, a copy for the host. Who looks at a
/// constant field reads; who looks at another one may write, and so its copy is brought to the
/// device before the next kernel.
template <class T, class Memory>
class DeviceField {
 public:
  DeviceField() = default;
  template <class Device, int D>
  DeviceField(const Device& device, const Grid<D>& grid)
      : memory_(device, static_cast<std::size_t>(grid.elements) * sizeof(T)),
        before_(grid.before) {}

  Memory& memory() { return memory_; }
  /// With what the host wrote so far. It may go on writing.
  const Memory& current() {
    if (may_be_written_) memory_.upload(copy_.get(), memory_.bytes());
    return memory_;
  }

  /// Core cell 0 of the host's copy, valid until the next kernel.
  const T* cells() const { return fetched(); }
  T* cells() {
    T* const first = fetched();
    may_be_written_ = true;
    return first;
  }
  /// Before a kernel runs.
  void upload() {
    current();
    has_ghosts_ = has_ghosts_ && !may_be_written_;
    is_fetched_ = may_be_written_ = false;
  }
  /// The host's; what was written there is brought to the device before.
  void free_copy() {
    upload();
    copy_.reset();
  }

  /// Whether the ghost cells repeat the cells that they should, so that none need be filled.
  bool has_ghosts() const { return has_ghosts_; }
  void set_ghosts(bool has) { has_ghosts_ = has; }

  /// To what another memory of the device has.
  void go_back(const Memory& kept) {
    memory_.copy(kept);
    has_ghosts_ = is_fetched_ = may_be_written_ = false;
  }

 private:
  T* fetched() const {
    if (!copy_) copy_.reset(new T[memory_.bytes() / sizeof(T)]);
    if (!is_fetched_) memory_.download(copy_.get(), memory_.bytes());
    is_fetched_ = true;
    return copy_.get() + before_;
  }

  Memory memory_;
  std::int64_t before_ = 0;
  mutable std::unique_ptr<T[]> copy_;
  mutable bool is_fetched_ = false;
  bool may_be_written_ = false;
  bool has_ghosts_ = false;
};

/// Whether all of these fields have their ghost cells.
template <class... Fields>
bool have_ghosts(const Fields&... fields) {
  return (fields.has_ghosts() && ...);
}
template <class... Fields>
void set_ghosts(Fields&... fields) {
  (fields.set_ghosts(true), ...);
}

/// Whether a grid has, along each axis, as many cells as ghost cells: each of these repeats a cell
/// then.
template <int D>
bool has_cells(const Grid<D>& grid, const std::int64_t (&lower)[D],
               const std::int64_t (&upper)[D]) {
  for (int a = 0; a < D; ++a)
    if (grid.size[a] < std::max(lower[a], upper[a])) return false;
  return true;
}

/// All scalars, a structure T as the kernels' text declares it, and a copy for the host: fetched
/// when it is looked at, and brought back before the next kernel where it was written.
template <class T, class Memory>
class DeviceScalars {
 public:
  template <class Device>
  explicit DeviceScalars(const Device& device) : memory_(device, sizeof(T)) {
    std::memcpy(static_cast<void*>(&fetched_), static_cast<const void*>(&copy_), sizeof(T));
    memory_.upload(&copy_, sizeof(T));
  }

  Memory& memory() { return memory_; }

  /// The host's copy, valid until the next kernel.
  T& host() const {
    if (!is_looked_at_) {
      memory_.download(&copy_, sizeof(T));
      std::memcpy(static_cast<void*>(&fetched_), static_cast<const void*>(&copy_), sizeof(T));
    }
    is_looked_at_ = true;
    return copy_;
  }
  /// Before a kernel runs.
  void upload() {
    if (is_looked_at_ && std::memcmp(&copy_, &fetched_, sizeof(T)) != 0)
      memory_.upload(&copy_, sizeof(T));
    is_looked_at_ = false;
  }

 private:
  Memory memory_;
  mutable T copy_{}, fetched_;
  mutable bool is_looked_at_ = true;
};

/// Which array has which cells, before each of some steps that swap arrays.
template <class Memory>
class Arrangements {
 public:
  explicit Arrangements(std::vector<Memory*> arrays) : arrays_(std::move(arrays)) {}

  void keep() {
    std::vector<Memory> now;
    for (const Memory* array : arrays_) now.push_back(*array);
    kept_.push_back(std::move(now));
  }
  /// To how it was before that step of them; unchanged where there were no more.
  void go_back(std::size_t step) {
    if (step < kept_.size())
      for (std::size_t a = 0; a < arrays_.size(); ++a) *arrays_[a] = kept_[step][a];
  }

 private:
  std::vector<Memory*> arrays_;
  std::vector<std::vector<Memory>> kept_;
};

/// What the host may have written, of all fields.
template <class... Fields>
void upload(Fields&... fields) {
  (fields.upload(), ...);
}

/// Keeps a copy of all fields on the device; false, and none is kept, where it has no memory for
/// them.
template <class Device, class Memory, class... Fields>
bool keep([[maybe_unused]] const Device& device, std::vector<Memory>& kept, Fields&... fields) {
  try {
    if (kept.empty()) (kept.emplace_back(device, fields.memory().bytes()), ...);
    [[maybe_unused]] auto copy = kept.begin();
    ((copy++)->copy(fields.current()), ...);
    return true;
  } catch (const std::runtime_error&) {
    kept.clear();
    return false;
  }
}

/// To what was kept.
template <class Memory, class... Fields>
void go_back(const std::vector<Memory>& kept, Fields&... fields) {
  [[maybe_unused]] auto copy = kept.begin();
  (fields.go_back(*copy++), ...);
}

/// Swaps a static's array with a spare one that holds its new value.
template <class T, class Memory>
void swap_in(DeviceField<T, Memory>& field, Memory& spare) {
  std::swap(field.memory(), spare);
}

/// Reduces arrays of a grid to single values.
template <class Memory>
class Reducer {
 public:
  /// Whose partial results take 8 bytes each at most.
  template <class Device, int D>
  Reducer(const Device& device, const Grid<D>& grid)
      : tree_(grid.size), partials_(device, bytes(tree_)) {}

  /// `chunks` and `pairs` are the kernels of the reduction, T what it reduces.
  template <class T, int D, class Kernel>
  T reduce(const Grid<D>& grid, Kernel& chunks, Kernel& pairs, const Memory& array, Combining how) {
    enqueue(grid, chunks, pairs, array, how);
    char bits[sizeof(T)];
    partials_.download(bits, sizeof(T));
    T result;
    std::memcpy(&result, bits, sizeof(T));
    return result;
  }

  /// Leaves the result in element 0 of `partials`.
  template <int D, class Kernel>
  void enqueue(const Grid<D>& grid, Kernel& chunks, Kernel& pairs, const Memory& array,
               Combining how) {
    enqueue_reduction(tree_, chunks, pairs, array, partials_, grid.before, grid.size, grid.stride,
                      how);
  }
  const Memory& partials() const { return partials_; }

  template <int D>
  static double bytes(const std::int64_t (&size)[D]) {
    return static_cast<double>(bytes(ReductionTree(size)));
  }

 private:
  static std::size_t bytes(const ReductionTree& tree) {
    return static_cast<std::size_t>(tree.partials) * 8;
  }

  ReductionTree tree_;
  Memory partials_;
};

/// Whether a cell of a field is NaN: of its maximum, which then is, a few bytes come to the host.
/// `chunks` and `pairs` are the kernels of that reduction.
template <class T, class Memory, int D, class Kernel>
bool has_nan(Reducer<Memory>& reducer, const Grid<D>& grid, Kernel& chunks, Kernel& pairs,
             DeviceField<T, Memory>& field) {
  const T most =
      reducer.template reduce<T>(grid, chunks, pairs, field.current(), Combining::in_any_order);
  return most != most;
}

}  // namespace paraiso_support
