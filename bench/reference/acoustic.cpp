// The wave equation in a given medium, second order in time and eighth in space, on a cyclic grid:
// apps/acoustic (problem `standing`) by hand. Three arrays: the pressure at two times, the older of
// which is overwritten, and the medium, (speed * time step / width)^2.
//
// plain: three loops over arrays with a halo of four cells. best: tiles of rows that stay in the
// second-level cache while z streams; with --fuse N, split trapezoids (split.hpp).
#include <omp.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "bench/reference/split.hpp"
#include "bench/reference/two_fields.hpp"

namespace reference {
namespace {

constexpr std::int64_t kRadius = 4;
/// Of the second derivative in eighth order, by distance; Fornberg (1988).
constexpr double kWeights[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

/// A standing wave along one axis of n cells.
std::vector<double> wave(std::int64_t n) {
  std::vector<double> values(n);
  for (std::int64_t i = 0; i < n; ++i)
    values[i] =
        std::sin(2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(n)) +
        0.3;
  return values;
}
/// Two layers along z; stable.
double medium_at(std::int64_t z, std::int64_t depth) { return z < depth / 2 ? 0.05 : 0.1; }

template <class Real>
class Plain : public Solver {
 public:
  Plain(std::int64_t nx, std::int64_t ny, std::int64_t nz)
      : nx_(nx), ny_(ny), nz_(nz), now_(cells()), before_(cells()), medium_(cells()) {
    const std::vector<double> x_wave = wave(nx), y_wave = wave(ny), z_wave = wave(nz);
#pragma omp parallel for schedule(static)
    for (std::int64_t z = 0; z < nz; ++z)
      for (std::int64_t y = 0; y < ny; ++y)
        for (std::int64_t x = 0; x < nx; ++x) {
          now_.data()[at(x, y, z)] = before_.data()[at(x, y, z)] =
              x_wave[x] * y_wave[y] * z_wave[z];
          medium_.data()[at(x, y, z)] = medium_at(z, nz);
        }
  }
  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) {
      fill_halo(now_.data());
      step(now_.data(), before_.data(), medium_.data());
      std::swap(now_, before_);
    }
  }
  [[nodiscard]] std::vector<double> state() const override {
    std::vector<double> values;
    for (std::int64_t z = 0; z < nz_; ++z)
      for (std::int64_t y = 0; y < ny_; ++y)
        values.insert(values.end(), now_.data() + at(0, y, z), now_.data() + at(0, y, z) + nx_);
    return values;
  }

 private:
  [[nodiscard]] std::int64_t row() const { return nx_ + 2 * kRadius; }
  [[nodiscard]] std::int64_t plane() const { return row() * (ny_ + 2 * kRadius); }
  [[nodiscard]] std::int64_t cells() const { return plane() * (nz_ + 2 * kRadius); }
  [[nodiscard]] std::int64_t at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return (z + kRadius) * plane() + (y + kRadius) * row() + x + kRadius;
  }

  void fill_halo(Real* p) const {
#pragma omp parallel for schedule(static)
    for (std::int64_t z = 0; z < nz_; ++z) {
      for (std::int64_t y = 0; y < ny_; ++y)
        for (std::int64_t i = 0; i < kRadius; ++i) {
          p[at(-kRadius + i, y, z)] = p[at(nx_ - kRadius + i, y, z)];
          p[at(nx_ + i, y, z)] = p[at(i, y, z)];
        }
      for (std::int64_t i = 0; i < kRadius; ++i)
        for (std::int64_t x = 0; x < nx_; ++x) {
          p[at(x, -kRadius + i, z)] = p[at(x, ny_ - kRadius + i, z)];
          p[at(x, ny_ + i, z)] = p[at(x, i, z)];
        }
    }
#pragma omp parallel for schedule(static)
    for (std::int64_t y = 0; y < ny_; ++y)
      for (std::int64_t i = 0; i < kRadius; ++i)
        for (std::int64_t x = 0; x < nx_; ++x) {
          p[at(x, y, -kRadius + i)] = p[at(x, y, nz_ - kRadius + i)];
          p[at(x, y, nz_ + i)] = p[at(x, y, i)];
        }
  }

  void step(const Real* __restrict p, Real* __restrict before,
            const Real* __restrict medium) const {
    const std::int64_t dy = row(), dz = plane();
#pragma omp parallel for schedule(static)
    for (std::int64_t z = 0; z < nz_; ++z)
      for (std::int64_t y = 0; y < ny_; ++y)
#pragma omp simd
        for (std::int64_t i = at(0, y, z); i < at(0, y, z) + nx_; ++i) {
          Real laplacian = Real(3 * kWeights[0]) * p[i];
          for (std::int64_t k = 1; k <= kRadius; ++k)
            laplacian += Real(kWeights[k]) * (p[i - k] + p[i + k] + p[i - k * dy] + p[i + k * dy] +
                                              p[i - k * dz] + p[i + k * dz]);
          before[i] = 2 * p[i] - before[i] + medium[i] * laplacian;
        }
  }

  std::int64_t nx_, ny_, nz_;
  Buffer<Real> now_, before_, medium_;
};

template <class Real>
class Best : public TwoFields<Real> {
 public:
  Best(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t fuse)
      : TwoFields<Real>(nx, ny, nz, fuse), medium_(nx, ny, nz, 2) {
    if (nx % kLanes<Real> != 0 || nx < 2 * kEdge)
      throw std::runtime_error("the best form needs a width of whole vectors, at least two");
    if (ny < 2 * kRadius * fuse || nz < 2 * kRadius * fuse)
      throw std::runtime_error("the best form needs 8 rows and planes for each fused step");
    const std::vector<double> x_wave = wave(nx), y_wave = wave(ny), z_wave = wave(nz);
    for (auto& field : fields_)
      field.fill([&](auto x, auto y, auto z) { return x_wave[x] * y_wave[y] * z_wave[z]; });
    medium_.fill([&](auto, auto, auto z) { return medium_at(z, nz); });
  }

 private:
  using TwoFields<Real>::fields_;
  using V = Vector<Real>;
  static constexpr std::int64_t kTileRows = 32, kFusedRows = 24;
  // The cells at an end of a row whose neighbours may lie at the other end.
  static constexpr std::int64_t kEdge = std::max<std::int64_t>(kLanes<Real>, kRadius);

  void advance_once() override {
    const std::int64_t height = fields_[0].height, depth = fields_[0].depth;
    const std::int64_t tiles = (height + kTileRows - 1) / kTileRows;
#pragma omp parallel for schedule(static)
    for (std::int64_t tile = 0; tile < tiles; ++tile)
      for (std::int64_t z = 0; z < depth; ++z)
        for (std::int64_t y = tile * kTileRows; y < std::min(height, (tile + 1) * kTileRows); ++y)
          advance_row(fields_[0], fields_[1], y, z,
                      {fields_[0].ring_row(y + 1, z + kRadius), fields_[1].ring_row(y + 1, z),
                       medium_.ring_row(y + 1, z)});
  }
  void advance_fused(std::int64_t n) override {
    const SplitGrid grid{fields_[0].height, fields_[0].depth, kRadius, kFusedRows};
    split_steps(grid, n, [&](std::int64_t t, std::int64_t y, std::int64_t z, std::int64_t soon) {
      // the sweep of step 1 reads the arrays that it adds to a radius behind the others
      const std::int64_t plane = soon < 0 ? z : soon, behind = soon < 0 ? z : soon - kRadius;
      advance_row(fields_[(t - 1) % 2], fields_[t % 2], y, z,
                  {fields_[0].ring_row(y, plane), fields_[1].ring_row(y, behind),
                   medium_.ring_row(y, behind)});
    });
  }

  /// One row by one step, while the rows `soon` come to the second-level cache. The vectors at both
  /// ends of the row find their neighbours in a copy of what is around the seam.
  void advance_row(const Field3d<Real>& from, Field3d<Real>& to, std::int64_t y, std::int64_t z,
                   const std::array<const Real*, 3>& soon) {
    constexpr std::int64_t lanes = kLanes<Real>;
    const std::int64_t width = from.width;
    const Real* rows[2 * kRadius + 1];
    const Real* planes[2 * kRadius + 1];
    for (std::int64_t k = -kRadius; k <= kRadius; ++k) {
      rows[k + kRadius] = from.ring_row(y + k, z);
      planes[k + kRadius] = from.ring_row(y, z + k);
    }
    const Real *row = from.ring_row(y, z), *medium = medium_.ring_row(y, z);
    Real* out = to.ring_row(y, z);
    const auto advance = [&](std::int64_t x, const Real* here) __attribute__((always_inline)) {
      const V p = load<V>(here);
      V laplacian = Real(3 * kWeights[0]) * p;
#pragma GCC unroll 4
      for (std::int64_t k = 1; k <= kRadius; ++k)
        laplacian += Real(kWeights[k]) *
                     ((load<V>(here - k) + load<V>(here + k)) +
                      (load<V>(rows[kRadius - k] + x) + load<V>(rows[kRadius + k] + x)) +
                      (load<V>(planes[kRadius - k] + x) + load<V>(planes[kRadius + k] + x)));
      for (const Real* row : soon) __builtin_prefetch(row + x, 0, 2);
      store(out + x, V(2 * p - load<V>(out + x) + load<V>(medium + x) * laplacian));
    };
    Real seam[4 * kEdge];
    std::copy_n(row + width - 2 * kEdge, 2 * kEdge, seam);
    std::copy_n(row, 2 * kEdge, seam + 2 * kEdge);
    for (std::int64_t x = 0; x < kEdge; x += lanes) advance(x, seam + 2 * kEdge + x);
    for (std::int64_t x = kEdge; x < width - kEdge; x += lanes) advance(x, row + x);
    for (std::int64_t x = 0; x < kEdge; x += lanes) advance(width - kEdge + x, seam + kEdge + x);
  }

  Field3d<Real> medium_;
};

std::unique_ptr<Solver> make(const Options& options) {
  return with_precision(options, [&]<class Real>() -> std::unique_ptr<Solver> {
    const auto& n = options.size;
    if (options.form == "plain") return std::make_unique<Plain<Real>>(n[0], n[1], n[2]);
    return std::make_unique<Best<Real>>(n[0], n[1], n[2], options.fuse);
  });
}

}  // namespace
}  // namespace reference

int main(int argc, char** argv) {
  return reference::run(
      argc, argv,
      {"acoustic", {512, 512, 512}, {"f32", "f64"}, {"plain", "best"}, reference::make});
}
