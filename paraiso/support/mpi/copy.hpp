// Copies boxes of cells into messages, and out of them, by several threads.
// Gives: RowsOfBox, copy_rows, copying_threads, threads_for in paraiso_mpi. Needs: limits.hpp,
// threads.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "paraiso/support/limits.hpp"
#include "paraiso/support/threads.hpp"

namespace paraiso_mpi {

/// A box of an array's cells, and the bytes of a message that hold it, axis 0 fastest.
struct RowsOfBox {
  static constexpr int most_axes = 16;

  char* cells;    // the first one, in the array
  char* message;  // where that is
  int axes;
  std::size_t row_bytes;  // of a row along axis 0
  // Of the axes from 1 on: rows, and bytes in the array between neighbours.
  std::int64_t extents[most_axes], strides[most_axes];

  std::int64_t rows() const {
    std::int64_t count = 1;
    for (int a = 1; a < axes; ++a) count *= extents[a];
    return count;
  }
  /// Expected of one thread.
  double nanoseconds() const {
    const double words = static_cast<double>(row_bytes) / 8;
    return static_cast<double>(rows()) *
           (paraiso_support::row_nanoseconds + words * paraiso_support::copy_nanoseconds);
  }
};

enum class ToOrFro { to_message, from_message };

/// Calls copy(row in the array, row in the message) for the rows [begin, end) of a box.
template <class Copy>
void visit_rows(const RowsOfBox& box, std::int64_t begin, std::int64_t end, const Copy& copy) {
  std::int64_t index[RowsOfBox::most_axes] = {}, rest = begin;
  for (int a = 1; a < box.axes; ++a) {
    index[a] = rest % box.extents[a];
    rest /= box.extents[a];
  }
  char* message = box.message + static_cast<std::size_t>(begin) * box.row_bytes;
  for (std::int64_t left = end - begin; left > 0;) {
    char* cells = box.cells;
    for (int a = 1; a < box.axes; ++a) cells += index[a] * box.strides[a];
    // Rows that follow each other along axis 1.
    std::int64_t run = box.axes > 1 ? box.extents[1] - index[1] : 1;
    if (run > left) run = left;
    for (std::int64_t i = 0; i < run; ++i) {
      copy(cells, message);
      cells += box.axes > 1 ? box.strides[1] : 0;
      message += box.row_bytes;
    }
    left -= run;
    index[1] += run;
    for (int a = 1; a + 1 < box.axes && index[a] == box.extents[a]; ++a) {
      index[a] = 0;
      ++index[a + 1];
    }
  }
}

template <class Length>
void copy_rows(const RowsOfBox& box, std::int64_t begin, std::int64_t end, ToOrFro way,
               Length length) {
  if (way == ToOrFro::to_message)
    visit_rows(box, begin, end,
               [=](const char* cells, char* message) { std::memcpy(message, cells, length); });
  else
    visit_rows(box, begin, end,
               [=](char* cells, const char* message) { std::memcpy(cells, message, length); });
}

/// Part `part` of `parts` of a box's rows. Where rows are short, as at sides across axis 0, the
/// compiler knows their lengths.
inline void copy_rows(const RowsOfBox& box, ToOrFro way, int part = 0, int parts = 1) {
  const std::int64_t rows = box.rows();
  const std::int64_t begin = rows * part / parts, end = rows * (part + 1) / parts;
  const auto copy = [&](auto length) { copy_rows(box, begin, end, way, length); };
  switch (box.row_bytes) {
    case 4: return copy(std::integral_constant<std::size_t, 4>());
    case 8: return copy(std::integral_constant<std::size_t, 8>());
    case 16: return copy(std::integral_constant<std::size_t, 16>());
    case 24: return copy(std::integral_constant<std::size_t, 24>());
    case 32: return copy(std::integral_constant<std::size_t, 32>());
    default: return copy(box.row_bytes);
  }
}

/// One thread alone copies what takes it less: the others may have to wake up.
inline constexpr double least_copied = 50000;  // nanoseconds

/// How many of so many threads copy what one alone is expected to take so long for.
inline int copying_threads(double nanoseconds, int threads, double least = least_copied) {
  return paraiso_support::Threads(threads, least).for_cells(1, nanoseconds);
}
/// The same for all of `boxes`.
template <class Boxes>
int threads_for(const Boxes& boxes, int threads, double least = least_copied) {
  double nanoseconds = 0;
  for (const RowsOfBox& box : boxes) nanoseconds += box.nanoseconds();
  return copying_threads(nanoseconds, threads, least);
}

}  // namespace paraiso_mpi
