// A solver's whole state in a plain binary file: the numbers of cells along each axis, each field's
// core cells, each scalar. Gives: StateWriter, StateReader in paraiso_support. Needs: grid.hpp.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

#if defined(__unix__)
#include <sys/stat.h>
#endif

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
  explicit StateWriter(const char* path)
      : path_(path), end_(file_of(path)), beside_(end_ + (is_special(end_) ? "" : ".part")) {
    stream_.open(beside_, std::ios::out | std::ios::trunc | std::ios::binary);
  }
  ~StateWriter() {
    if (!finished_ && beside_ != end_) std::remove(beside_.c_str());
  }
  StateWriter(const StateWriter&) = delete;
  StateWriter& operator=(const StateWriter&) = delete;

  /// If this fails, `finish` tells.
  template <class T>
  void write(const T* data, std::int64_t count) {
    stream_.write(reinterpret_cast<const char*>(data),
                  count * static_cast<std::int64_t>(sizeof(T)));
  }
  /// The core cells of an array.
  template <int D, class T>
  void write(const Grid<D>& grid, const T* array) {
    each_core_row(grid, array, [&](const T* row, std::int64_t count) { write(row, count); });
  }
  void finish() {
    stream_.close();
    finished_ = stream_ && (beside_ == end_ || std::rename(beside_.c_str(), end_.c_str()) == 0);
    if (!finished_) throw std::runtime_error("cannot write `" + path_ + "`");
  }

 private:
#if defined(__unix__)
  static std::string file_of(const char* path) {
    char* const real = realpath(path, nullptr);
    const std::string file = real != nullptr ? real : path;
    std::free(real);
    return file;
  }
  static bool is_special(const std::string& file) {
    struct stat found;
    return stat(file.c_str(), &found) == 0 && !S_ISREG(found.st_mode);
  }
#else
  static std::string file_of(const char* path) { return path; }
  static bool is_special(const std::string&) { return false; }
#endif

  std::string path_, end_, beside_;
  std::ofstream stream_;
  bool finished_ = false;
};

/// Reads what StateWriter has written.
class StateReader {
 public:
  explicit StateReader(const char* path)
      : path_(path), stream_(path, std::ios::in | std::ios::binary) {
    check();
  }
  /// Throws std::runtime_error unless the file starts with these numbers of cells and has `bytes`
  /// besides: before any of the state is replaced.
  template <int D>
  void expect(const Grid<D>& grid, std::int64_t bytes) {
    std::int64_t size[D];
    stream_.seekg(0, std::ios::end);
    const auto length = static_cast<std::int64_t>(stream_.tellg());
    stream_.seekg(0);
    check();
    bool same = length == static_cast<std::int64_t>(sizeof size) + bytes;
    if (same) read(size, D);
    for (int a = 0; same && a < D; ++a) same = size[a] == grid.size[a];
    if (!same)
      throw std::runtime_error("`" + path_ +
                               "` holds a grid of another size, or another program's");
  }
  template <class T>
  void read(T* data, std::int64_t count) {
    stream_.read(reinterpret_cast<char*>(data), count * static_cast<std::int64_t>(sizeof(T)));
    check();
  }
  template <int D, class T>
  void read(const Grid<D>& grid, T* array) {
    each_core_row(grid, array, [&](T* row, std::int64_t count) { read(row, count); });
  }

 private:
  void check() const {
    if (!stream_) throw std::runtime_error("cannot read `" + path_ + "`");
  }

  std::string path_;
  std::ifstream stream_;
};

}  // namespace paraiso_support
