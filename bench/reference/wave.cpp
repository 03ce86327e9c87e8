// The linear wave equation df/dt = g, dg/dt = c^2 laplacian(f) on a cyclic grid, with both energies
// of apps/wave summed at each step.
//
// plain: the new f in a first loop, the new g and the energies in a second one, on arrays with a
// halo of one cell. best: one pass over tiles of rows that stream along z, with the new f in three
// rolling planes, recomputed around the tile.
#include <omp.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "bench/reference/field3d.hpp"
#include "bench/reference/problem.hpp"

namespace reference {
namespace {

constexpr double kSpeed = 3.43;

struct Energies {
  double centred = 0, staggered = 0;
};

/// Widths, time step and factors of a box of 2 pi.
struct Numbers {
  Numbers(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
    const std::array<std::int64_t, 3> size = {nx, ny, nz};
    double squares = 0;
    for (int a = 0; a < 3; ++a) {
      width[a] = 2 * std::numbers::pi / static_cast<double>(size[a]);
      squares += 1 / (width[a] * width[a]);
    }
    time_step = 1 / (kSpeed * std::sqrt(squares));
    for (int a = 0; a < 3; ++a) bend[a] = kSpeed * kSpeed / (width[a] * width[a]);
  }
  std::array<double, 3> width, bend;  // bend: c^2 / width^2
  double time_step = 0;
  [[nodiscard]] double half_cell() const { return width[0] * width[1] * width[2] / 2; }
};

/// f and g at the start; the same wave runs along the diagonal.
std::vector<double> phases(std::int64_t n) {
  std::vector<double> values(n);
  for (std::int64_t i = 0; i < n; ++i)
    values[i] = 2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  return values;
}

template <class Real>
class Wave : public Solver {
 public:
  Wave(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t halo)
      : numbers_(nx, ny, nz),
        nx_(nx),
        ny_(ny),
        nz_(nz),
        f_{{nx + 2 * halo, ny + 2 * halo, nz + 2 * halo, 0},
           {nx + 2 * halo, ny + 2 * halo, nz + 2 * halo, 1}},
        g_{{nx + 2 * halo, ny + 2 * halo, nz + 2 * halo, 2},
           {nx + 2 * halo, ny + 2 * halo, nz + 2 * halo, 3}},
        halo_(halo) {
    const auto at = [halo](const std::vector<double>& phase, std::int64_t i) {
      const auto n = static_cast<std::int64_t>(phase.size());
      return phase[(i - halo + n) % n];
    };
    const std::vector<double> x_phase = phases(nx), y_phase = phases(ny), z_phase = phases(nz);
    for (int i = 0; i < 2; ++i) {
      f_[i].fill([&](auto x, auto y, auto z) {
        return std::sin(at(x_phase, x) + at(y_phase, y) + at(z_phase, z));
      });
      g_[i].fill([&](auto x, auto y, auto z) {
        return std::cos(3 * (at(x_phase, x) + at(y_phase, y) + at(z_phase, z)));
      });
    }
  }
  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) {
      energies_ = step();
      std::swap(f_[0], f_[1]);
      std::swap(g_[0], g_[1]);
    }
  }
  /// All in the unit of f, since g and the energies magnify its rounding by powers of 1 / dt.
  [[nodiscard]] std::vector<double> state() const override {
    std::vector<double> values;
    const double dt = numbers_.time_step;
    for (int field = 0; field < 2; ++field)
      for (std::int64_t z = 0; z < nz_; ++z)
        for (std::int64_t y = 0; y < ny_; ++y) {
          const Real* row = (field ? g_ : f_)[0].row(y + halo_, z + halo_) + halo_;
          for (std::int64_t x = 0; x < nx_; ++x) values.push_back(field ? dt * row[x] : row[x]);
        }
    const double cells = static_cast<double>(nx_ * ny_ * nz_) * numbers_.half_cell();
    values.push_back(energies_.centred / cells * dt * dt);
    values.push_back(energies_.staggered / cells * dt * dt);
    return values;
  }

 protected:
  /// Fills the second f and g from the first ones.
  virtual Energies step() = 0;

  Numbers numbers_;
  std::int64_t nx_, ny_, nz_;
  Field3d<Real> f_[2], g_[2];

 private:
  std::int64_t halo_;
  Energies energies_;
};

template <class Real>
class Plain : public Wave<Real> {
 public:
  Plain(std::int64_t nx, std::int64_t ny, std::int64_t nz) : Wave<Real>(nx, ny, nz, 1) {}

 private:
  using Wave<Real>::nx_, Wave<Real>::ny_, Wave<Real>::nz_, Wave<Real>::f_, Wave<Real>::g_;

  Energies step() override {
    move_f();
    this->close(f_[1]);
    return move_g();
  }

  void move_f() {
    const Real dt = this->numbers_.time_step;
#pragma omp parallel for schedule(static)
    for (std::int64_t z = 1; z <= nz_; ++z)
      for (std::int64_t y = 1; y <= ny_; ++y) {
        const Real *f = f_[0].row(y, z), *g = g_[0].row(y, z);
        Real* out = f_[1].row(y, z);
#pragma omp simd
        for (std::int64_t x = 1; x <= nx_; ++x) out[x] = f[x] + dt * g[x];
      }
  }

  void close(Field3d<Real>& f) const {
#pragma omp parallel for schedule(static)
    for (std::int64_t z = 1; z <= nz_; ++z) {
      for (std::int64_t y = 1; y <= ny_; ++y) {
        f.row(y, z)[0] = f.row(y, z)[nx_];
        f.row(y, z)[nx_ + 1] = f.row(y, z)[1];
      }
      std::copy_n(f.row(ny_, z), nx_ + 2, f.row(0, z));
      std::copy_n(f.row(1, z), nx_ + 2, f.row(ny_ + 1, z));
    }
    for (std::int64_t y = 0; y < ny_ + 2; ++y) {
      std::copy_n(f.row(y, nz_), nx_ + 2, f.row(y, 0));
      std::copy_n(f.row(y, 1), nx_ + 2, f.row(y, nz_ + 1));
    }
  }

  Energies move_g() {
    const auto& bend = this->numbers_.bend;
    const Real dt = this->numbers_.time_step, bx = bend[0], by = bend[1], bz = bend[2];
    double centred = 0, staggered = 0;
#pragma omp parallel for schedule(static) reduction(+ : centred, staggered)
    for (std::int64_t z = 1; z <= nz_; ++z)
      for (std::int64_t y = 1; y <= ny_; ++y) {
        const Real *f = f_[1].row(y, z), *y_below = f_[1].row(y - 1, z),
                   *y_above = f_[1].row(y + 1, z), *z_below = f_[1].row(y, z - 1),
                   *z_above = f_[1].row(y, z + 1), *old = f_[0].row(y, z),
                   *old_y = f_[0].row(y + 1, z), *old_z = f_[0].row(y, z + 1), *g = g_[0].row(y, z);
        Real* out = g_[1].row(y, z);
        Real row_centred = 0, row_staggered = 0;
#pragma omp simd reduction(+ : row_centred, row_staggered)
        for (std::int64_t x = 1; x <= nx_; ++x) {
          const Real next = g[x] + dt * (bx * (f[x + 1] + f[x - 1] - 2 * f[x]) +
                                         by * (y_above[x] + y_below[x] - 2 * f[x]) +
                                         bz * (z_above[x] + z_below[x] - 2 * f[x]));
          const Real dx = f[x + 1] - f[x - 1], dy = y_above[x] - y_below[x],
                     dz = z_above[x] - z_below[x], mean = g[x] + next;
          row_centred += Real(0.25) * (bx * dx * dx + by * dy * dy + bz * dz * dz + mean * mean);
          row_staggered += g[x] * g[x] + bx * (old[x + 1] - old[x]) * (f[x + 1] - f[x]) +
                           by * (old_y[x] - old[x]) * (y_above[x] - f[x]) +
                           bz * (old_z[x] - old[x]) * (z_above[x] - f[x]);
          out[x] = next;
        }
        centred += row_centred;
        staggered += row_staggered;
      }
    return {this->numbers_.half_cell() * centred, this->numbers_.half_cell() * staggered};
  }
};

template <class Real>
class Best : public Wave<Real> {
 public:
  Best(std::int64_t nx, std::int64_t ny, std::int64_t nz)
      : Wave<Real>(nx, ny, nz, 0), scratch_(omp_get_max_threads()) {
    if (nx % kLanes<Real> != 0 || ny < 2 || nz < 2)
      throw std::runtime_error("the best form needs a width of whole vectors and two rows");
#pragma omp parallel
    scratch_[omp_get_thread_num()] =
        std::make_unique<Field3d<Real>>(nx + 2 * kLanes<Real>, kTileRows + 2, 3);
  }

 private:
  using Wave<Real>::nx_, Wave<Real>::ny_, Wave<Real>::nz_, Wave<Real>::f_, Wave<Real>::g_;
  using V = Vector<Real>;
  static constexpr std::int64_t kTileRows = 32;

  Energies step() override {
    const std::int64_t tiles = (ny_ + kTileRows - 1) / kTileRows;
    double centred = 0, staggered = 0;
#pragma omp parallel for schedule(static) reduction(+ : centred, staggered)
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
      const Energies of_tile =
          advance_tile(tile * kTileRows, std::min(ny_, (tile + 1) * kTileRows));
      centred += of_tile.centred;
      staggered += of_tile.staggered;
    }
    return {this->numbers_.half_cell() * centred, this->numbers_.half_cell() * staggered};
  }

  Energies advance_tile(std::int64_t first, std::int64_t last) {
    Field3d<Real>& scratch = *scratch_[omp_get_thread_num()];
    Energies sum;
    for (std::int64_t z = -1; z <= nz_; ++z) {
      for (std::int64_t y = first - 1; y <= last; ++y)
        move_f_row(scratch.row(y - first + 1, slot(z)) + kLanes<Real>, y, z,
                   y >= first && y < last && z >= 0 && z < nz_);
      if (z < 1) continue;
      for (std::int64_t y = first; y < last; ++y) move_g_row(scratch, first, y, z - 1, sum);
    }
    return sum;
  }
  static std::int64_t slot(std::int64_t z) { return (z + 3) % 3; }

  /// The new f in a row of the scratch, with a ring around it, and where it is `ours` in the field.
  void move_f_row(Real* to, std::int64_t y, std::int64_t z, bool ours) {
    const Real *f = f_[0].ring_row(y, z), *g = g_[0].ring_row(y, z);
    const Real* soon_f = f_[0].ring_row(y, z + 1 < nz_ ? z + 1 : 0);
    const Real* soon_g = g_[0].ring_row(y, z + 1 < nz_ ? z + 1 : 0);
    Real* out = f_[1].ring_row(y, z);
    const Real dt = this->numbers_.time_step;
    for (std::int64_t x = 0; x < nx_; x += kLanes<Real>) {
      const V next = load<V>(f + x) + dt * load<V>(g + x);
      __builtin_prefetch(soon_f + x, 0, 2);
      __builtin_prefetch(soon_g + x, 0, 2);
      store(to + x, next);
      if (ours) stream(out + x, next);
    }
    to[-1] = to[nx_ - 1];
    to[nx_] = to[0];
  }

  void move_g_row(Field3d<Real>& scratch, std::int64_t first, std::int64_t y, std::int64_t z,
                  Energies& sum) {
    const auto new_f = [&](std::int64_t dy, std::int64_t dz) {
      return scratch.row(y - first + 1 + dy, slot(z + dz)) + kLanes<Real>;
    };
    const Real *f = new_f(0, 0), *y_below = new_f(-1, 0), *y_above = new_f(1, 0),
               *z_below = new_f(0, -1), *z_above = new_f(0, 1), *old = f_[0].row(y, z),
               *old_y = f_[0].ring_row(y + 1, z), *old_z = f_[0].ring_row(y, z + 1),
               *g = g_[0].row(y, z);
    Real* out = g_[1].row(y, z);
    const auto& bend = this->numbers_.bend;
    const Real dt = this->numbers_.time_step, bx = bend[0], by = bend[1], bz = bend[2];
    V centred{}, staggered{};
    V old_here = load<V>(old);
    for (std::int64_t x = 0; x < nx_; x += kLanes<Real>) {
      const V here = load<V>(f + x), right = load<V>(f + x + 1), left = load<V>(f + x - 1),
              up = load<V>(y_above + x), down = load<V>(y_below + x), front = load<V>(z_above + x),
              back = load<V>(z_below + x), speed = load<V>(g + x), twice = 2 * here;
      const V old_after = load<V>(old + (x + kLanes<Real> < nx_ ? x + kLanes<Real> : 0));
      const V old_right = shifted_out(old_here, old_after);
      const V next = speed + dt * (bx * (right + left - twice) + by * (up + down - twice) +
                                   bz * (front + back - twice));
      const V dx = right - left, dy = up - down, dz = front - back, mean = speed + next;
      centred += bx * dx * dx + by * dy * dy + bz * dz * dz + mean * mean;
      staggered += speed * speed + bx * (old_right - old_here) * (right - here) +
                   by * (load<V>(old_y + x) - old_here) * (up - here) +
                   bz * (load<V>(old_z + x) - old_here) * (front - here);
      stream(out + x, next);
      old_here = old_after;
    }
    for (int lane = 0; lane < kLanes<Real>; ++lane) {
      sum.centred += 0.25 * centred[lane];
      sum.staggered += staggered[lane];
    }
  }

  std::vector<std::unique_ptr<Field3d<Real>>> scratch_;  // one a thread
};

std::unique_ptr<Solver> make(const Options& options) {
  return with_precision(options, [&]<class Real>() -> std::unique_ptr<Solver> {
    const auto& n = options.size;
    if (options.form == "plain") return std::make_unique<Plain<Real>>(n[0], n[1], n[2]);
    return std::make_unique<Best<Real>>(n[0], n[1], n[2]);
  });
}

}  // namespace
}  // namespace reference

int main(int argc, char** argv) {
  return reference::run(
      argc, argv, {"wave", {256, 256, 256}, {"f64", "f32"}, {"plain", "best"}, reference::make});
}
