// Three-dimensional arrays of the references, padded, without halos.
// Gives: Field3d. Needs: memory.
#pragma once

#include <vector>

#include "bench/reference/memory.hpp"
#include "bench/reference/vector.hpp"

namespace reference {

/// width x height x depth values; rows start at a multiple of the vector's bytes, and neither rows
/// nor planes agree modulo 4096 bytes.
template <class Real>
class Field3d {
 public:
  Field3d(std::int64_t width, std::int64_t height, std::int64_t depth, int index = 0)
      : width(width),
        height(height),
        depth(depth),
        pitch_((width + kLine - 1) / kLine * kLine + 2 * kLine),
        plane_(pitch_ * height + 6 * kLine),
        begin_(9 * kLine * index),
        values_(plane_ * depth + begin_) {}

  [[nodiscard]] Real* row(std::int64_t y, std::int64_t z) {
    return values_.data() + begin_ + z * plane_ + y * pitch_;
  }
  [[nodiscard]] const Real* row(std::int64_t y, std::int64_t z) const {
    return values_.data() + begin_ + z * plane_ + y * pitch_;
  }
  /// The row at indices that may be outside by less than the size.
  [[nodiscard]] const Real* ring_row(std::int64_t y, std::int64_t z) const {
    return row(wrapped(y, height), wrapped(z, depth));
  }
  [[nodiscard]] Real* ring_row(std::int64_t y, std::int64_t z) {
    return row(wrapped(y, height), wrapped(z, depth));
  }
  static std::int64_t wrapped(std::int64_t i, std::int64_t n) {
    return i < 0 ? i + n : i >= n ? i - n : i;
  }

  /// Sets every value to `at(x, y, z)`, in parallel along z like the solvers.
  template <class At>
  void fill(const At& at) {
#pragma omp parallel for schedule(static)
    for (std::int64_t z = 0; z < depth; ++z)
      for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x) row(y, z)[x] = static_cast<Real>(at(x, y, z));
  }
  void append_to(std::vector<double>& values) const {
    for (std::int64_t z = 0; z < depth; ++z)
      for (std::int64_t y = 0; y < height; ++y)
        values.insert(values.end(), row(y, z), row(y, z) + width);
  }

  std::int64_t width, height, depth;

 private:
  static constexpr std::int64_t kLine = 64 / sizeof(Real);

  std::int64_t pitch_, plane_, begin_;
  Buffer<Real> values_;
};

}  // namespace reference
