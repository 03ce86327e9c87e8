// The 3-D Euler equations on a cyclic grid: apps/hydro by hand.
//
// plain: primitives and fluxes in arrays, a loop each. best: one pass a step over tiles of rows
// that roll along z. Both stages follow each other at a lag of two planes and recompute the rows
// around their tile; along every axis slopes, faces and fluxes are computed once and carried: in
// registers along x, in a row along y, in a plane along z. The next time step is found in the loop
// that writes the state.
#include <omp.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "bench/reference/euler.hpp"
#include "bench/reference/field3d.hpp"
#include "bench/reference/problem.hpp"

namespace reference {
namespace {

constexpr int kVariables = 5;
constexpr double kCourant = 0.5, kForever = 1e30;

template <class Real>
using Row = std::array<Real*, kVariables>;

/// A field for each conserved or primitive variable, or flux.
template <class Real>
class State {
 public:
  State(std::int64_t nx, std::int64_t ny, std::int64_t nz, int index = 0) {
    for (int k = 0; k < kVariables; ++k) fields_.emplace_back(nx, ny, nz, index * kVariables + k);
    for (auto& field : fields_) field.fill([](auto, auto, auto) { return 1; });
  }
  [[nodiscard]] Field3d<Real>& operator[](int variable) { return fields_[variable]; }
  [[nodiscard]] const Field3d<Real>& operator[](int variable) const { return fields_[variable]; }
  /// The row at indices that may be outside by less than the size.
  [[nodiscard]] Row<Real> row(std::int64_t y, std::int64_t z) {
    Row<Real> row;
    for (int k = 0; k < kVariables; ++k) row[k] = fields_[k].ring_row(y, z);
    return row;
  }

 private:
  std::vector<Field3d<Real>> fields_;
};

/// Two streams with a sheared boundary, a little disturbed: apps/hydro's kelvin_helmholtz.
std::array<double, kVariables> start_at(double x, double y, double z) {
  const double shear = std::tanh((std::abs(y - 0.5) - 0.25) / 0.025);
  const double density = 1.5 - 0.5 * shear, u = 0.5 * shear, pressure = 2.5;
  const double v = 0.05 * std::sin(4 * std::numbers::pi * x);
  const double w = 0.05 * std::sin(2 * std::numbers::pi * (x + z));
  return {density, density * u, density * v, density * w,
          pressure / (kGamma - 1) + 0.5 * density * (u * u + v * v + w * w)};
}

template <class Real>
class Hydro : public Solver {
 public:
  Hydro(std::int64_t nx, std::int64_t ny, std::int64_t nz)
      : nx_(nx), ny_(ny), nz_(nz), now_(nx, ny, nz, 0), next_(nx, ny, nz, 1) {
    for (int k = 0; k < kVariables; ++k)
      now_[k].fill([&](auto x, auto y, auto z) {
        return start_at((x + 0.5) / nx, (y + 0.5) / ny, (z + 0.5) / nz)[k];
      });
    time_step_ = Real(kCourant) * shortest_crossing(now_);
  }
  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) {
      time_step_ = Real(kCourant) * step(time_step_);
      std::swap(now_, next_);
    }
  }
  [[nodiscard]] std::vector<double> state() const override {
    std::vector<double> values;
    for (int k = 0; k < kVariables; ++k) now_[k].append_to(values);
    values.push_back(time_step_);
    return values;
  }

 protected:
  /// Writes the state after `time_step`, and returns the crossing time there.
  virtual Real step(Real time_step) = 0;

  [[nodiscard]] std::array<Real, 3> inverse_widths() const {
    return {Real(nx_), Real(ny_), Real(nz_)};
  }
  [[nodiscard]] Real shortest_crossing(State<Real>& state) const {
    Real shortest = kForever;
    const auto widths = inverse_widths();
#pragma omp parallel for schedule(static) reduction(min : shortest)
    for (std::int64_t z = 0; z < nz_; ++z) {
      for (std::int64_t y = 0; y < ny_; ++y) {
        const Row<Real> row = state.row(y, z);
        const Real *r = row[0], *mx = row[1], *my = row[2], *mz = row[3], *e = row[4];
#pragma omp simd reduction(min : shortest)
        for (std::int64_t x = 0; x < nx_; ++x) {
          const Variables<Real, 3> cell = {r[x], mx[x], my[x], mz[x], e[x]};
          shortest = std::min(shortest, crossing_time<Divide, 3>(cell, widths));
        }
      }
    }
    return shortest;
  }

  std::int64_t nx_, ny_, nz_;
  State<Real> now_, next_;
  Real time_step_;
};

/// Primitives and fluxes have a halo of two cells.
template <class Real>
class Plain : public Hydro<Real> {
 public:
  Plain(std::int64_t nx, std::int64_t ny, std::int64_t nz)
      : Hydro<Real>(nx, ny, nz),
        cells_(nx + 4, ny + 4, nz + 4),
        fluxes_{{nx + 4, ny + 4, nz + 4}, {nx + 4, ny + 4, nz + 4}, {nx + 4, ny + 4, nz + 4}},
        half_(nx, ny, nz) {}

 private:
  using Hydro<Real>::nx_, Hydro<Real>::ny_, Hydro<Real>::nz_, Hydro<Real>::now_, Hydro<Real>::next_;

  Real step(Real time_step) override {
    stage(now_, half_, time_step / 2);
    stage(half_, next_, time_step);
    return this->shortest_crossing(next_);
  }
  void stage(State<Real>& at, State<Real>& to, Real time_step) {
    find_primitives(at);
    find_fluxes<0>(1, 0, 0);
    find_fluxes<1>(0, 1, 0);
    find_fluxes<2>(0, 0, 1);
    add_changes(to, time_step);
  }

  void find_primitives(State<Real>& at) {
#pragma omp parallel for schedule(static)
    for (std::int64_t z = -2; z < nz_ + 2; ++z) {
      for (std::int64_t y = -2; y < ny_ + 2; ++y) {
        const Row<Real> from = at.row(y, z);
        const Real *r = from[0], *mx = from[1], *my = from[2], *mz = from[3], *e = from[4];
        auto row = cells_.row(y + 2, z + 2);
        for (Real*& values : row) values += 2;
        Real *density = row[0], *u = row[1], *v = row[2], *w = row[3], *pressure = row[4];
#pragma omp simd
        for (std::int64_t x = 0; x < nx_; ++x) {
          const Real volume = 1 / r[x];
          density[x] = r[x];
          u[x] = mx[x] * volume;
          v[x] = my[x] * volume;
          w[x] = mz[x] * volume;
          pressure[x] =
              Real(kGamma - 1) * (e[x] - Real(0.5) * (mx[x] * u[x] + my[x] * v[x] + mz[x] * w[x]));
        }
        for (Real* values : row) {
          for (int halo = 1; halo <= 2; ++halo) {
            values[-halo] = values[nx_ - halo];
            values[nx_ + halo - 1] = values[halo - 1];
          }
        }
      }
    }
  }

  /// The fluxes through the upper faces along one axis, from cell -1.
  template <int axis>
  void find_fluxes(std::int64_t dx, std::int64_t dy, std::int64_t dz) {
#pragma omp parallel for schedule(static)
    for (std::int64_t z = -dz; z < nz_; ++z) {
      for (std::int64_t y = -dy; y < ny_; ++y) {
        Row<Real> c[4];  // one below, the cell, one and two above
        for (int i = 0; i < 4; ++i) {
          c[i] = cells_.row(y + 2 + (i - 1) * dy, z + 2 + (i - 1) * dz);
          for (Real*& values : c[i]) values += 2 + (i - 1) * dx;
        }
        const Row<Real> flux = fluxes_[axis].row(y + 2, z + 2);
#pragma omp simd
        for (std::int64_t x = -dx; x < nx_; ++x) {
          Variables<Real, 3> left, right;
          for (int k = 0; k < kVariables; ++k) {
            const Real below = c[0][k][x], cell = c[1][k][x], above = c[2][k][x], top = c[3][k][x];
            left[k] = cell + minmod_half(cell - below, above - cell);
            right[k] = above - minmod_half(above - cell, top - above);
          }
          const Variables<Real, 3> through = hllc<Divide, 3, axis>(left, right);
          for (int k = 0; k < kVariables; ++k) flux[k][x + 2] = through[k];
        }
      }
    }
  }

  void add_changes(State<Real>& to, Real time_step) {
    const auto [inverse_dx, inverse_dy, inverse_dz] = this->inverse_widths();
    const Real along_x = time_step * inverse_dx, along_y = time_step * inverse_dy,
               along_z = time_step * inverse_dz;
#pragma omp parallel for schedule(static)
    for (std::int64_t z = 0; z < nz_; ++z) {
      for (std::int64_t y = 0; y < ny_; ++y) {
        for (int k = 0; k < kVariables; ++k) {
          const Real *u = now_[k].row(y, z), *f = fluxes_[0][k].row(y + 2, z + 2) + 2,
                     *g = fluxes_[1][k].row(y + 2, z + 2) + 2,
                     *g_below = fluxes_[1][k].row(y + 1, z + 2) + 2,
                     *h = fluxes_[2][k].row(y + 2, z + 2) + 2,
                     *h_below = fluxes_[2][k].row(y + 2, z + 1) + 2;
          Real* out = to[k].row(y, z);
#pragma omp simd
          for (std::int64_t x = 0; x < nx_; ++x)
            out[x] = u[x] + (along_x * (f[x - 1] - f[x]) + along_y * (g_below[x] - g[x]) +
                             along_z * (h_below[x] - h[x]));
        }
      }
    }
  }

  State<Real> cells_, fluxes_[3], half_;
};

/// What one thread keeps of one stage in a tile of rows, with a column and its neighbour of cyclic
/// halo at both ends of a row: three planes of primitives, the upper faces and fluxes that go from
/// plane to plane, and those that go from row to row.
template <class Real>
class Stage {
 public:
  Stage(std::int64_t width, std::int64_t rows)
      : width_(width),
        rows_(rows),
        pitch_(width + 2 * kHalo + 64 / static_cast<std::int64_t>(sizeof(Real))),
        values_(pitch_ * kVariables * (5 * rows + 2)) {
    std::fill_n(values_.data(), pitch_ * kVariables * (5 * rows + 2), Real(1));
  }
  /// Row y of plane z >= -5, which takes the place of plane z - 3.
  [[nodiscard]] Row<Real> cells(std::int64_t y, std::int64_t z) { return row(y * 5 + (z + 6) % 3); }
  [[nodiscard]] Row<Real> upper_faces_z(std::int64_t y) { return row(y * 5 + 3); }
  [[nodiscard]] Row<Real> fluxes_z(std::int64_t y) { return row(y * 5 + 4); }
  [[nodiscard]] Row<Real> upper_faces_y() { return row(rows_ * 5); }
  [[nodiscard]] Row<Real> fluxes_y() { return row(rows_ * 5 + 1); }

  void close_ring(std::int64_t y, std::int64_t z) {
    for (Real* cell : cells(y, z)) {
      std::copy_n(cell, kRing + 1, cell + width_);
      std::copy_n(cell + width_ - kRing, kRing, cell - kRing);
    }
  }

 private:
  static constexpr std::int64_t kRing = 2 * kLanes<Real>, kHalo = 2 * kRing;

  Row<Real> row(std::int64_t index) {
    Row<Real> row;
    for (int k = 0; k < kVariables; ++k)
      row[k] = values_.data() + (index * kVariables + k) * pitch_ + kHalo;
    return row;
  }

  std::int64_t width_, rows_, pitch_;
  Buffer<Real> values_;
};

/// `How` a quotient is found; `Column`: the vectors along x that are computed in step.
template <class Real, class How, class Column>
class Best : public Hydro<Real> {
 public:
  Best(std::int64_t nx, std::int64_t ny, std::int64_t nz) : Hydro<Real>(nx, ny, nz) {
    if (nx % kWidth != 0) throw std::runtime_error("the best form needs a width of whole columns");
    if (ny < 4 || nz < 4) throw std::runtime_error("the best form needs four rows and planes");
    const std::int64_t tiles = (ny + kTileRows - 1) / kTileRows;
    tile_rows_ = (ny + tiles - 1) / tiles;
    stages_.resize(omp_get_max_threads());
#pragma omp parallel
    stages_[omp_get_thread_num()] = std::make_unique<std::pair<Stage<Real>, Stage<Real>>>(
        Stage<Real>(nx, tile_rows_ + 8), Stage<Real>(nx, tile_rows_ + 8));
  }

 private:
  using Hydro<Real>::nx_, Hydro<Real>::ny_, Hydro<Real>::nz_, Hydro<Real>::now_, Hydro<Real>::next_;
  using Cell = Variables<Column, 3>;
  static constexpr std::int64_t kWidth = sizeof(Column) / sizeof(Real);
  // Measured: fewer rows recompute more around the tile, more leave the second-level cache.
  static constexpr std::int64_t kTileRows = 32;

  Real step(Real time_step) override {
    Real shortest = kForever;
#pragma omp parallel for schedule(dynamic) reduction(min : shortest)
    for (std::int64_t first = 0; first < ny_; first += tile_rows_)
      shortest =
          std::min(shortest, advance_tile(first, std::min(tile_rows_, ny_ - first), time_step));
    return shortest;
  }

  /// Rows first to first + rows; in the tile's own count, these are 4 to 4 + rows. Plane z enters
  /// stage one; plane z - 2 is at the half step and enters stage two; plane z - 4 is done.
  Real advance_tile(std::int64_t first, std::int64_t rows, Real time_step) {
    auto& [one, two] = *stages_[omp_get_thread_num()];
    origin_of_thread() = first - 4;
    Column shortest = Column{} + Real(kForever);
    for (std::int64_t z = -4; z < nz_ + 4; ++z) {
      enter(one, rows, z);
      if (z < -2) continue;
      to_half(one, two, rows, z - 1, time_step / 2);
      if (z < 2) continue;
      shortest = to_next(two, rows, z - 3, time_step, shortest);
    }
    return smallest_lane(shortest);
  }

  static std::int64_t& origin_of_thread() {
    static thread_local std::int64_t origin = 0;
    return origin;
  }
  Row<Real> state_row(State<Real>& state, std::int64_t y, std::int64_t z) const {
    return state.row(origin_of_thread() + y, z);
  }

  void enter(Stage<Real>& stage, std::int64_t rows, std::int64_t z) {
    for (std::int64_t y = 0; y < rows + 8; ++y) {
      const Row<Real> from = state_row(now_, y, z), to = stage.cells(y, z);
      for (std::int64_t x = 0; x < nx_; x += kWidth) put(to, x, primitive<How, 3>(get(from, x)));
      stage.close_ring(y, z);
    }
  }

  /// With planes z - 1, z and z + 1 in `one`: completes plane z - 1 and hands it to `two`.
  void to_half(Stage<Real>& one, Stage<Real>& two, std::int64_t rows, std::int64_t z,
               Real time_step) {
    for (std::int64_t y = 1; y < rows + 7; ++y) {
      const Row<Real> from = state_row(now_, y - 1, z - 1), to = two.cells(y - 1, z - 1);
      half_row(one, y, z, time_step, from, to);
      two.close_ring(y - 1, z - 1);
    }
  }
  /// The same for stage two; what is not complete yet is not written.
  Column to_next(Stage<Real>& two, std::int64_t rows, std::int64_t z, Real time_step,
                 Column shortest) {
    for (std::int64_t y = 3; y < rows + 5; ++y) {
      if (y - 1 < 4 || z - 1 < 0) {
        sweep(two, y, z, time_step, [](std::int64_t, const Cell&) {});
      } else {
        const Row<Real> from = state_row(now_, y - 1, z - 1), to = state_row(next_, y - 1, z - 1);
        shortest = next_row(two, y, z, time_step, from, to, shortest);
      }
    }
    return shortest;
  }

  /// Functions of their own: inlined in their caller, g++ makes them slower.
  [[gnu::noinline]] void half_row(Stage<Real>& one, std::int64_t y, std::int64_t z, Real time_step,
                                  const Row<Real>& from, const Row<Real>& to) {
    sweep(one, y, z, time_step, [&](std::int64_t x, const Cell& change) {
      Cell half = get(from, x);
      for (int k = 0; k < kVariables; ++k) half[k] += change[k];
      put(to, x, primitive<How, 3>(half));
    });
  }
  [[gnu::noinline]] Column next_row(Stage<Real>& two, std::int64_t y, std::int64_t z,
                                    Real time_step, const Row<Real>& from, const Row<Real>& to,
                                    Column shortest) {
    const auto inverse_widths = this->inverse_widths();
    sweep(two, y, z, time_step, [&](std::int64_t x, const Cell& change) {
      Cell next = get(from, x);
      for (int k = 0; k < kVariables; ++k) next[k] += change[k];
      put(to, x, next);
      shortest = min(shortest, crossing_time<How, 3>(next, inverse_widths));
    });
    return shortest;
  }

  /// Finds the fluxes through the lower faces of row y - 1 of plane z along z, of row y of plane
  /// z - 1 along y, and of row y - 1 of plane z - 1 along x, and tells what they change there.
  template <class Use>
  [[gnu::always_inline]] void sweep(Stage<Real>& stage, std::int64_t y, std::int64_t z,
                                    Real time_step, const Use& use) {
    const auto [inverse_dx, inverse_dy, inverse_dz] = this->inverse_widths();
    const Real along_x = time_step * inverse_dx, along_y = time_step * inverse_dy,
               along_z = time_step * inverse_dz;
    const std::int64_t width = nx_;
    const Row<Real> row = stage.cells(y - 1, z - 1), row_y = stage.cells(y, z - 1),
                    above_y = stage.cells(y + 1, z - 1), row_z = stage.cells(y - 1, z),
                    above_z = stage.cells(y - 1, z + 1), upper_y = stage.upper_faces_y(),
                    upper_z = stage.upper_faces_z(y - 1), flux_y = stage.fluxes_y(),
                    flux_z = stage.fluxes_z(y - 1);
    Cell upper_before, flux_before;
    for (int k = 0; k < kVariables; ++k) upper_before[k] = faces_x(row[k] - kWidth).upper;
    const auto [left, right] = states_x(row, 0, upper_before);
    flux_before = hllc<How, 3, 0>(left, right);
    for (std::int64_t x = 0; x < width; x += kWidth) {
      const auto [left_x, right_x] = states_x(row, x + kWidth, upper_before);
      const auto [left_y, right_y] = states_along(row, row_y, above_y, upper_y, x);
      const auto [left_z, right_z] = states_along(row, row_z, above_z, upper_z, x);
      const auto through = hllc<How, 3, 0>(in_step(left_x, left_y), in_step(right_x, right_y));
      const Cell through_z = hllc<How, 3, 2>(left_z, right_z);
      Cell change;
      for (int k = 0; k < kVariables; ++k) {
        const Column through_x = through[k].first, through_y = through[turned(k)].second;
        const Column through_upper = shifted_out(flux_before[k], through_x);
        change[k] = along_x * (flux_before[k] - through_upper) +
                    along_y * (load<Column>(flux_y[k] + x) - through_y) +
                    along_z * (load<Column>(flux_z[k] + x) - through_z[k]);
        flux_before[k] = through_x;
        store(flux_y[k] + x, through_y);
        store(flux_z[k] + x, through_z[k]);
      }
      use(x, change);
    }
  }

  /// The variable that stands in the place of variable k where the axes x and y are exchanged.
  static constexpr int turned(int k) { return k == 1 ? 2 : k == 2 ? 1 : k; }
  /// A state at a face along x and one at a face along y, as if both were along x.
  [[gnu::always_inline]] static Variables<Pair<Column>, 3> in_step(const Cell& at_x,
                                                                   const Cell& at_y) {
    Variables<Pair<Column>, 3> pair;
    for (int k = 0; k < kVariables; ++k) pair[k] = {at_x[k], at_y[turned(k)]};
    return pair;
  }

  struct Faces {
    Column lower, upper;
  };
  [[gnu::always_inline]] static Faces faces(const Column& below, const Column& cell,
                                            const Column& above) {
    const Column rise = minmod_half(Column(cell - below), Column(above - cell));
    return {cell - rise, cell + rise};
  }
  [[gnu::always_inline]] static Faces faces_x(const Real* cell) {
    return faces(load<Column>(cell - 1), load<Column>(cell), load<Column>(cell + 1));
  }

  struct States {
    Cell left, right;
  };
  /// Both sides of the lower faces of the column at x; hands its upper faces on.
  [[gnu::always_inline]] static States states_x(const Row<Real>& row, std::int64_t x,
                                                Cell& upper_before) {
    States states;
    for (int k = 0; k < kVariables; ++k) {
      const Faces at = faces_x(row[k] + x);
      states.left[k] = shifted_in(upper_before[k], at.upper);
      states.right[k] = at.lower;
      upper_before[k] = at.upper;
    }
    return states;
  }
  [[gnu::always_inline]] static States states_along(const Row<Real>& below, const Row<Real>& here,
                                                    const Row<Real>& above,
                                                    const Row<Real>& upper_before, std::int64_t x) {
    States states;
    for (int k = 0; k < kVariables; ++k) {
      const Faces at =
          faces(load<Column>(below[k] + x), load<Column>(here[k] + x), load<Column>(above[k] + x));
      states.left[k] = load<Column>(upper_before[k] + x);
      states.right[k] = at.lower;
      store(upper_before[k] + x, at.upper);
    }
    return states;
  }

  [[gnu::always_inline]] static Cell get(const Row<Real>& row, std::int64_t x) {
    Cell cell;
    for (int k = 0; k < kVariables; ++k) cell[k] = load<Column>(row[k] + x);
    return cell;
  }
  [[gnu::always_inline]] static void put(const Row<Real>& row, std::int64_t x, const Cell& cell) {
    for (int k = 0; k < kVariables; ++k) store(row[k] + x, cell[k]);
  }

  std::int64_t tile_rows_ = 0;
  std::vector<std::unique_ptr<std::pair<Stage<Real>, Stage<Real>>>> stages_;  // one a thread
};

std::unique_ptr<Solver> make(const Options& options) {
  return with_precision(options, [&]<class Real>() -> std::unique_ptr<Solver> {
    const auto& n = options.size;
    if (options.form == "plain") return std::make_unique<Plain<Real>>(n[0], n[1], n[2]);
    if (options.form == "divided")
      return std::make_unique<Best<Real, Divide, Vector<Real>>>(n[0], n[1], n[2]);
    return std::make_unique<Best<Real, Iterate, Vector<Real>>>(n[0], n[1], n[2]);
  });
}

}  // namespace
}  // namespace reference

int main(int argc, char** argv) {
  return reference::run(
      argc, argv,
      {"hydro3d", {128, 128, 128}, {"f64", "f32"}, {"plain", "best", "divided"}, reference::make});
}
