// A solver's whole state in a plain binary file: the numbers of cells along each axis, each field's
// core cells, each scalar. Gives: StateWriter, StateReader in paraiso_support. Needs: grid.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "paraiso/support/grid.hpp"

namespace paraiso_support {

/// Calls visit(row, count) for every row of core cells.
template <int D, class T, class Visit>
void each_core_row(const Grid<D>& grid, T* array, const Visit& visit) {
  for (std::int64_t r = 0; r < grid.cells() / grid.size[0]; ++r) {
    std::int64_t rest = r, address = 0;
    for (int a = 1; a < D; ++a) {
      address += rest % grid.size[a] * grid.stride[a];
      rest /= grid.size[a];
    }
    visit(array + address, grid.size[0]);
  }
}

/// Writes a file beside the one of this name, whose place it takes at the end: until then, and
/// where that fails, what was there stays. Follows links; a device or a pipe is written directly.
class StateWriter {
 public:
  explicit StateWriter(const char* path);
  ~StateWriter();
  StateWriter(const StateWriter&) = delete;
  StateWriter& operator=(const StateWriter&) = delete;

  /// If this fails, `finish` tells.
  template <class T>
  void write(const T* data, std::int64_t count) {
    write_bytes(data, static_cast<std::size_t>(count) * sizeof(T));
  }
  /// The core cells of an array.
  template <int D, class T>
  void write(const Grid<D>& grid, const T* array) {
    each_core_row(grid, array, [&](const T* row, std::int64_t count) { write(row, count); });
  }
  /// Throws std::runtime_error.
  void finish();

 private:
  void write_bytes(const void* data, std::size_t bytes);

  std::string path_, end_, beside_;
  std::FILE* file_;
  bool failed_ = false, finished_ = false;
};

/// Reads what StateWriter has written. Throws std::runtime_error.
class StateReader {
 public:
  explicit StateReader(const char* path);
  ~StateReader();
  StateReader(const StateReader&) = delete;
  StateReader& operator=(const StateReader&) = delete;

  /// Throws std::runtime_error unless the file starts with these numbers of cells and has `bytes`
  /// besides: before any of the state is replaced.
  template <int D>
  void expect(const Grid<D>& grid, std::int64_t bytes) {
    expect(grid.size, D, bytes);
  }
  template <class T>
  void read(T* data, std::int64_t count) {
    read_bytes(data, static_cast<std::size_t>(count) * sizeof(T));
  }
  template <int D, class T>
  void read(const Grid<D>& grid, T* array) {
    each_core_row(grid, array, [&](T* row, std::int64_t count) { read(row, count); });
  }

 private:
  void expect(const std::int64_t* size, int axes, std::int64_t bytes);
  void read_bytes(void* data, std::size_t bytes);
  void check(bool sound) const;

  std::string path_;
  std::FILE* file_;
};

}  // namespace paraiso_support
