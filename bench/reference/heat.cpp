// The heat equation by the stencil of seven points on a cyclic grid: apps/heat by hand.
//
// plain: three loops over an array with a halo of one cell. best: tiles of rows that stay in the
// second-level cache while z streams, stored past the caches; with --fuse N, trapezoids split along
// y: tiles that shrink by a row on both sides at each step, then tiles that grow into the gaps,
// both swept along z with each step one plane behind the step before it, in place on two arrays.
#include <omp.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "bench/reference/split.hpp"
#include "bench/reference/two_fields.hpp"

namespace reference {
namespace {

/// Half the largest stable step, for widths of 1 over the number of cells.
struct Conductances {
  double x, y, z;
};
Conductances conductances(double width, double height, double depth) {
  const double sum = width * width + height * height + depth * depth;
  const double step = 0.5 / (2 * sum);
  return {step * width * width, step * height * height, step * depth * depth};
}

/// A long and a short wave, at the centres of n cells; the start is the product along the axes.
std::vector<double> waves(std::int64_t n) {
  using std::numbers::pi;
  std::vector<double> values(n);
  for (std::int64_t i = 0; i < n; ++i) {
    const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    values[i] = std::sin(2 * pi * x) + 0.1 * std::cos(14 * pi * x);
  }
  return values;
}

template <class Real>
class Plain : public Solver {
 public:
  Plain(std::int64_t nx, std::int64_t ny, std::int64_t nz)
      : nx_(nx), ny_(ny), nz_(nz), now_(cells()), next_(cells()) {
    const Conductances c = conductances(nx, ny, nz);
    cx_ = c.x, cy_ = c.y, cz_ = c.z;
    const std::vector<double> along_x = waves(nx), along_y = waves(ny), along_z = waves(nz);
#pragma omp parallel for schedule(static)
    for (std::int64_t z = 0; z < nz; ++z)
      for (std::int64_t y = 0; y < ny; ++y)
        for (std::int64_t x = 0; x < nx; ++x)
          now_.data()[at(x + 1, y + 1, z + 1)] = next_.data()[at(x + 1, y + 1, z + 1)] =
              along_x[x] * along_y[y] * along_z[z];
  }
  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) {
      fill_halo(now_.data());
      step(now_.data(), next_.data());
      std::swap(now_, next_);
    }
  }
  [[nodiscard]] std::vector<double> state() const override {
    std::vector<double> values;
    for (std::int64_t z = 1; z <= nz_; ++z)
      for (std::int64_t y = 1; y <= ny_; ++y)
        values.insert(values.end(), now_.data() + at(1, y, z), now_.data() + at(1, y, z) + nx_);
    return values;
  }

 private:
  [[nodiscard]] std::int64_t cells() const { return (nx_ + 2) * (ny_ + 2) * (nz_ + 2); }
  [[nodiscard]] std::int64_t at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return (z * (ny_ + 2) + y) * (nx_ + 2) + x;
  }

  void fill_halo(Real* u) const {
#pragma omp parallel for schedule(static)
    for (std::int64_t z = 1; z <= nz_; ++z) {
      for (std::int64_t y = 1; y <= ny_; ++y) {
        u[at(0, y, z)] = u[at(nx_, y, z)];
        u[at(nx_ + 1, y, z)] = u[at(1, y, z)];
      }
      for (std::int64_t x = 1; x <= nx_; ++x) {
        u[at(x, 0, z)] = u[at(x, ny_, z)];
        u[at(x, ny_ + 1, z)] = u[at(x, 1, z)];
      }
    }
#pragma omp parallel for schedule(static)
    for (std::int64_t y = 1; y <= ny_; ++y) {
      for (std::int64_t x = 1; x <= nx_; ++x) {
        u[at(x, y, 0)] = u[at(x, y, nz_)];
        u[at(x, y, nz_ + 1)] = u[at(x, y, 1)];
      }
    }
  }

  void step(const Real* __restrict u, Real* __restrict next) const {
    const Real cx = cx_, cy = cy_, cz = cz_;
    const std::int64_t row = nx_ + 2, plane = row * (ny_ + 2);
#pragma omp parallel for schedule(static)
    for (std::int64_t z = 1; z <= nz_; ++z)
      for (std::int64_t y = 1; y <= ny_; ++y)
#pragma omp simd
        for (std::int64_t i = at(1, y, z); i < at(1, y, z) + nx_; ++i)
          next[i] = u[i] + (cx * (u[i + 1] + u[i - 1] - 2 * u[i]) +
                            cy * (u[i + row] + u[i - row] - 2 * u[i]) +
                            cz * (u[i + plane] + u[i - plane] - 2 * u[i]));
  }

  std::int64_t nx_, ny_, nz_;
  Real cx_, cy_, cz_;
  Buffer<Real> now_, next_;
};

template <class Real>
class Best : public TwoFields<Real> {
 public:
  Best(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t fuse)
      : TwoFields<Real>(nx, ny, nz, fuse) {
    if (nx % kLanes<Real> != 0 || nx < 2 * kLanes<Real>)
      throw std::runtime_error("the best form needs a width of whole vectors, at least two");
    if (ny < 2 * fuse || nz < 2 * fuse)
      throw std::runtime_error("the best form needs twice as many rows and planes as fused steps");
    const Conductances c = conductances(nx, ny, nz);
    cx_ = c.x, cy_ = c.y, cz_ = c.z;
    const std::vector<double> along_x = waves(nx), along_y = waves(ny), along_z = waves(nz);
    for (auto& field : fields_)
      field.fill([&](auto x, auto y, auto z) { return along_x[x] * along_y[y] * along_z[z]; });
  }

 private:
  using TwoFields<Real>::fields_;
  using V = Vector<Real>;
  // Measured: three planes of a tile, or the planes between the first and the last fused step, in
  // the second-level cache.
  static constexpr std::int64_t kTileRows = 32, kFusedRows = 24;

  void advance_once() override {
    const std::int64_t height = fields_[0].height, depth = fields_[0].depth;
    const std::int64_t tiles = (height + kTileRows - 1) / kTileRows;
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (std::int64_t tile = 0; tile < tiles; ++tile)
        for (std::int64_t z = 0; z < depth; ++z)
          for (std::int64_t y = tile * kTileRows; y < std::min(height, (tile + 1) * kTileRows); ++y)
            advance_row<true>(fields_[0], fields_[1], y, z, fields_[0].ring_row(y + 1, z + 1));
      finish_streaming();
    }
  }

  void advance_fused(std::int64_t n) override {
    const SplitGrid grid{fields_[0].height, fields_[0].depth, 1, kFusedRows};
    split_steps(grid, n, [&](std::int64_t t, std::int64_t y, std::int64_t z, std::int64_t soon) {
      advance_row<false>(fields_[(t - 1) % 2], fields_[t % 2], y, z,
                         soon < 0 ? nullptr : fields_[0].ring_row(y, soon));
    });
  }

  /// One row by one step, while the row `soon` comes to the second-level cache (the hardware stops
  /// at the end of a page, about a row: this is worth a factor of 1.7). The neighbours along x come
  /// from the vectors on both sides, so that each is loaded once.
  template <bool streamed>
  [[gnu::always_inline]] void advance_row(const Field3d<Real>& from, Field3d<Real>& to,
                                          std::int64_t y, std::int64_t z, const Real* soon) {
    const Real *row = from.ring_row(y, z), *below = from.ring_row(y - 1, z),
               *above = from.ring_row(y + 1, z), *behind = from.ring_row(y, z - 1),
               *before = from.ring_row(y, z + 1);
    Real* out = to.ring_row(y, z);
    const Real cx = cx_, cy = cy_, cz = cz_;
    const std::int64_t width = from.width;
    const auto neighbours = [&](std::int64_t x, V left, V middle, V right) {
      const V twice = 2 * middle;
      const V change = cx * (shifted_out(middle, right) + shifted_in(left, middle) - twice) +
                       cy * (load<V>(above + x) + load<V>(below + x) - twice) +
                       cz * (load<V>(before + x) + load<V>(behind + x) - twice);
      if (soon != nullptr) __builtin_prefetch(soon + x, 0, 2);
      if constexpr (streamed)
        stream(out + x, V(middle + change));
      else
        store(out + x, V(middle + change));
    };
    V left = load<V>(row + width - kLanes<Real>), middle = load<V>(row);
    for (std::int64_t x = 0; x < width - kLanes<Real>; x += kLanes<Real>) {
      const V right = load<V>(row + x + kLanes<Real>);
      neighbours(x, left, middle, right);
      left = middle;
      middle = right;
    }
    neighbours(width - kLanes<Real>, left, middle, load<V>(row));
  }

  Real cx_, cy_, cz_;
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
      argc, argv, {"heat", {512, 512, 512}, {"f64", "f32"}, {"plain", "best"}, reference::make});
}
