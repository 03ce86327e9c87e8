// The 2-D Euler equations on a cyclic grid: apps/hydro by hand.
//
// plain: primitives and fluxes in arrays, a loop each. best: one pass a step over rolling lines
// along y. Both stages follow each other at a lag of two rows, so that only the state lives in
// arrays; slopes, faces and fluxes along y are carried from row to row and along x from vector to
// vector, each computed once; the next time step is found in the loop that writes the state.
#include <omp.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "bench/reference/euler.hpp"
#include "bench/reference/memory.hpp"
#include "bench/reference/problem.hpp"

namespace reference {
namespace {

constexpr int kVariables = 4;
constexpr double kCourant = 0.5;
constexpr double kForever = 1e30;

/// Conserved variables in rows that are padded, so that no two streams agree modulo 4096 bytes.
template <class Real>
class State {
 public:
  State(std::int64_t width, std::int64_t height)
      : pitch_(width + 128 / static_cast<std::int64_t>(sizeof(Real))),
        plane_(pitch_ * height + 576 / static_cast<std::int64_t>(sizeof(Real))),
        values_(plane_ * kVariables) {}
  [[nodiscard]] Real* row(int variable, std::int64_t y) {
    return values_.data() + variable * plane_ + y * pitch_;
  }
  [[nodiscard]] const Real* row(int variable, std::int64_t y) const {
    return values_.data() + variable * plane_ + y * pitch_;
  }

 private:
  std::int64_t pitch_, plane_;
  Buffer<Real> values_;
};

/// Two streams with a sheared boundary, a little disturbed: apps/hydro's kelvin_helmholtz.
template <class Real>
void begin(State<Real>& state, std::int64_t width, std::int64_t height) {
#pragma omp parallel for schedule(static)
  for (std::int64_t j = 0; j < height; ++j) {
    for (std::int64_t i = 0; i < width; ++i) {
      const double x = (static_cast<double>(i) + 0.5) / static_cast<double>(width);
      const double y = (static_cast<double>(j) + 0.5) / static_cast<double>(height);
      const double shear = std::tanh((std::abs(y - 0.5) - 0.25) / 0.025);
      const double density = 1.5 - 0.5 * shear, u = 0.5 * shear, pressure = 2.5;
      const double v = 0.05 * std::sin(4 * std::numbers::pi * x);
      const std::array<double, kVariables> values = {
          density, density * u, density * v,
          pressure / (kGamma - 1) + 0.5 * density * (u * u + v * v)};
      for (int k = 0; k < kVariables; ++k) state.row(k, j)[i] = static_cast<Real>(values[k]);
    }
  }
}

template <class Real>
class Hydro : public Solver {
 public:
  Hydro(std::int64_t width, std::int64_t height)
      : width_(width), height_(height), now_(width, height), next_(width, height) {
    begin(now_, width, height);
    begin(next_, width, height);
    time_step_ = longest_step();
  }
  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) {
      time_step_ = Real(kCourant) * step(time_step_);
      std::swap(now_, next_);
    }
  }
  [[nodiscard]] std::vector<double> state() const override {
    std::vector<double> values;
    for (int k = 0; k < kVariables; ++k)
      for (std::int64_t y = 0; y < height_; ++y)
        values.insert(values.end(), now_.row(k, y), now_.row(k, y) + width_);
    values.push_back(time_step_);
    return values;
  }

 protected:
  /// Writes the state after `time_step`, and returns the crossing time there.
  virtual Real step(Real time_step) = 0;

  [[nodiscard]] std::array<Real, 2> inverse_widths() const { return {Real(width_), Real(height_)}; }
  [[nodiscard]] Real longest_step() const {
    Real shortest = kForever;
    for (std::int64_t y = 0; y < height_; ++y)
      shortest = std::min(shortest, shortest_in_row(now_, y));
    return Real(kCourant) * shortest;
  }
  [[nodiscard]] Real shortest_in_row(const State<Real>& state, std::int64_t y) const {
    const Real* rows[kVariables];
    for (int k = 0; k < kVariables; ++k) rows[k] = state.row(k, y);
    Real shortest = kForever;
#pragma omp simd reduction(min : shortest)
    for (std::int64_t x = 0; x < width_; ++x) {
      const Variables<Real, 2> cell = {rows[0][x], rows[1][x], rows[2][x], rows[3][x]};
      shortest = std::min(shortest, crossing_time<Divide, 2>(cell, inverse_widths()));
    }
    return shortest;
  }

  std::int64_t width_, height_;
  State<Real> now_, next_;
  Real time_step_;
};

/// A cyclic halo of two cells around arrays of full size.
template <class Real>
class Plain : public Hydro<Real> {
 public:
  Plain(std::int64_t width, std::int64_t height)
      : Hydro<Real>(width, height),
        cells_(width + 4, height + 4),
        flux_x_(width + 4, height + 4),
        flux_y_(width + 4, height + 4),
        half_(width, height) {
    for (State<Real>* state : {&cells_, &flux_x_, &flux_y_}) begin(*state, width + 4, height + 4);
    begin(half_, width, height);
  }

 private:
  using Hydro<Real>::width_, Hydro<Real>::height_, Hydro<Real>::now_, Hydro<Real>::next_;

  Real step(Real time_step) override {
    stage(now_, half_, time_step / 2);
    stage(half_, next_, time_step);
    Real shortest = kForever;
#pragma omp parallel for schedule(static) reduction(min : shortest)
    for (std::int64_t y = 0; y < height_; ++y)
      shortest = std::min(shortest, this->shortest_in_row(next_, y));
    return shortest;
  }

  void stage(const State<Real>& at, State<Real>& to, Real time_step) {
    find_primitives(at);
    find_fluxes_x();
    find_fluxes_y();
    add_changes(to, time_step);
  }

  void find_primitives(const State<Real>& at) {
#pragma omp parallel for schedule(static)
    for (std::int64_t y = -2; y < height_ + 2; ++y) {
      const std::int64_t from = (y + height_) % height_;
      const Real *r = at.row(0, from), *mx = at.row(1, from), *my = at.row(2, from),
                 *e = at.row(3, from);
      Real* cells[kVariables];
      for (int k = 0; k < kVariables; ++k) cells[k] = cells_.row(k, y + 2) + 2;
      Real *density = cells[0], *u = cells[1], *v = cells[2], *pressure = cells[3];
#pragma omp simd
      for (std::int64_t x = 0; x < width_; ++x) {
        const Real volume = 1 / r[x];
        density[x] = r[x];
        u[x] = mx[x] * volume;
        v[x] = my[x] * volume;
        pressure[x] = Real(kGamma - 1) * (e[x] - Real(0.5) * (mx[x] * u[x] + my[x] * v[x]));
      }
      for (Real* cell : cells) {
        for (int halo = 1; halo <= 2; ++halo) {
          cell[-halo] = cell[width_ - halo];
          cell[width_ + halo - 1] = cell[halo - 1];
        }
      }
    }
  }

  /// The flux through the upper face of each cell, from cell -1.
  void find_fluxes_x() {
#pragma omp parallel for schedule(static)
    for (std::int64_t y = 0; y < height_; ++y) fluxes<0>(flux_x_, y, 1, 0);
  }
  void find_fluxes_y() {
#pragma omp parallel for schedule(static)
    for (std::int64_t y = -1; y < height_; ++y) fluxes<1>(flux_y_, y, 0, 1);
  }

  template <int axis>
  void fluxes(State<Real>& flux, std::int64_t y, std::int64_t dx, std::int64_t dy) {
    const Real* c[kVariables][4];  // one below, the cell, one and two above
    Real* f[kVariables];
    for (int k = 0; k < kVariables; ++k) {
      for (int i = 0; i < 4; ++i) c[k][i] = cells_.row(k, y + 2 + (i - 1) * dy) + 2 + (i - 1) * dx;
      f[k] = flux.row(k, y + 2) + 2;
    }
#pragma omp simd
    for (std::int64_t x = -dx; x < width_; ++x) {
      Variables<Real, 2> left, right;
      for (int k = 0; k < kVariables; ++k) {
        const Real a = c[k][0][x], b = c[k][1][x], d = c[k][2][x], e = c[k][3][x];
        left[k] = b + minmod_half(b - a, d - b);
        right[k] = d - minmod_half(d - b, e - d);
      }
      const Variables<Real, 2> through = hllc<Divide, 2, axis>(left, right);
      for (int k = 0; k < kVariables; ++k) f[k][x] = through[k];
    }
  }

  void add_changes(State<Real>& to, Real time_step) {
    const auto [inverse_dx, inverse_dy] = this->inverse_widths();
    const Real along_x = time_step * inverse_dx, along_y = time_step * inverse_dy;
#pragma omp parallel for schedule(static)
    for (std::int64_t y = 0; y < height_; ++y) {
      for (int k = 0; k < kVariables; ++k) {
        const Real *u = now_.row(k, y), *f = flux_x_.row(k, y + 2) + 2,
                   *g = flux_y_.row(k, y + 2) + 2, *below = flux_y_.row(k, y + 1) + 2;
        Real* out = to.row(k, y);
#pragma omp simd
        for (std::int64_t x = 0; x < width_; ++x)
          out[x] = u[x] + (along_x * (f[x - 1] - f[x]) + along_y * (below[x] - g[x]));
      }
    }
  }

  State<Real> cells_, flux_x_, flux_y_, half_;
};

/// What one thread keeps of one stage, in rows with a column and its neighbour of cyclic halo at
/// both ends: three rows of primitives, and the upper faces and fluxes that go from row to row.
template <class Real>
class Stage {
 public:
  using Row = std::array<Real*, kVariables>;

  explicit Stage(std::int64_t width)
      : width_(width), pitch_(staggered(width + 2 * kHalo)), values_(pitch_ * kVariables * 5) {
    std::fill_n(values_.data(), pitch_ * kVariables * 5, Real(1));
  }
  /// Row y >= -5 takes the place of row y - 3.
  [[nodiscard]] Row cells(std::int64_t y) { return row(static_cast<int>((y + 6) % 3)); }
  [[nodiscard]] Row upper_faces() { return row(3); }
  [[nodiscard]] Row fluxes() { return row(4); }

  void close_ring(std::int64_t y) {
    for (Real* cell : cells(y)) {
      std::copy_n(cell, kRing + 1, cell + width_);
      std::copy_n(cell + width_ - kRing, kRing, cell - kRing);
    }
  }

 private:
  static constexpr std::int64_t kRing = 2 * kLanes<Real>, kHalo = 2 * kRing;

  /// A row's elements, such that twenty rows differ by at least 192 bytes modulo 4096.
  static std::int64_t staggered(std::int64_t count) {
    constexpr std::int64_t page = 4096 / sizeof(Real), apart = 192 / sizeof(Real);
    return (count - apart + page - 1) / page * page + apart;
  }
  Row row(int index) {
    Row row;
    for (int k = 0; k < kVariables; ++k)
      row[k] = values_.data() + (index * kVariables + k) * pitch_ + kHalo;
    return row;
  }

  std::int64_t width_, pitch_;
  Buffer<Real> values_;
};

/// `How` a quotient is found; `Column`: the vectors along x that are computed in step.
template <class Real, class How, class Column>
class Best : public Hydro<Real> {
 public:
  Best(std::int64_t width, std::int64_t height) : Hydro<Real>(width, height) {
    if (width % kWidth != 0)
      throw std::runtime_error("the best form needs a width of whole columns");
    stages_.resize(omp_get_max_threads());
#pragma omp parallel
    stages_[omp_get_thread_num()] = std::make_unique<std::pair<Stage<Real>, Stage<Real>>>(
        Stage<Real>(width), Stage<Real>(width));
  }

 private:
  using Hydro<Real>::width_, Hydro<Real>::height_, Hydro<Real>::now_, Hydro<Real>::next_;
  using Cell = Variables<Column, 2>;
  static constexpr std::int64_t kWidth = sizeof(Column) / sizeof(Real);

  Real step(Real time_step) override {
    Real shortest = kForever;
#pragma omp parallel reduction(min : shortest)
    {
      const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
      shortest =
          advance_rows(height_ * thread / threads, height_ * (thread + 1) / threads, time_step);
    }
    return shortest;
  }

  /// Row y enters stage one; row y - 2 is at the half step and enters stage two; row y - 4 is done.
  Real advance_rows(std::int64_t first, std::int64_t last, Real time_step) {
    auto& [one, two] = *stages_[omp_get_thread_num()];
    Column shortest = Column{} + Real(kForever);
    for (std::int64_t y = first - 4; y < last + 4; ++y) {
      enter(one, y);
      if (y < first - 2) continue;
      to_half(one, two, y - 1, time_step / 2, y - 2 >= first - 2);
      if (y - 2 < first) continue;
      shortest = to_next(two, y - 3, time_step, y - 4 >= first, shortest);
    }
    return smallest_lane(shortest);
  }

  void enter(Stage<Real>& stage, std::int64_t y) {
    const Row to = stage.cells(y);
    const auto from = row_of(now_, wrapped(y));
    for (std::int64_t x = 0; x < width_; x += kWidth) put(to, x, primitive<How, 2>(get(from, x)));
    stage.close_ring(y);
  }

  /// With rows y - 1, y and y + 1 in `one`: completes row y - 1 and hands it to `two`.
  /// A function of its own: inlined in its caller, g++ makes it a quarter slower.
  [[gnu::noinline]] void to_half(Stage<Real>& one, Stage<Real>& two, std::int64_t y, Real time_step,
                                 bool complete) {
    const auto from = row_of(now_, wrapped(y - 1));
    const Row to = two.cells(y - 1);
    sweep(one, y, time_step, [&](std::int64_t x, const Cell& change) {
      Cell half = get(from, x);
      for (int k = 0; k < kVariables; ++k) half[k] += change[k];
      put(to, x, primitive<How, 2>(half));
    });
    if (complete) two.close_ring(y - 1);
  }

  /// The same for stage two; before row y - 1 is complete, nothing is written.
  [[gnu::noinline]] Column to_next(Stage<Real>& two, std::int64_t y, Real time_step, bool complete,
                                   Column shortest) {
    if (!complete) {
      sweep(two, y, time_step, [](std::int64_t, const Cell&) {});
      return shortest;
    }
    const auto from = row_of(now_, y - 1);
    const auto to = row_of(next_, y - 1);
    const auto inverse_widths = this->inverse_widths();
    sweep(two, y, time_step, [&](std::int64_t x, const Cell& change) {
      Cell next = get(from, x);
      for (int k = 0; k < kVariables; ++k) next[k] += change[k];
      put(to, x, next);
      shortest = min(shortest, crossing_time<How, 2>(next, inverse_widths));
    });
    return shortest;
  }

  /// The rows that a sweep reads, as plain addresses: they stay in registers.
  using Row = typename Stage<Real>::Row;
  static Row row_of(State<Real>& state, std::int64_t y) {
    Row row;
    for (int k = 0; k < kVariables; ++k) row[k] = state.row(k, y);
    return row;
  }

  /// Finds the fluxes through the lower faces of row y along y, and of row y - 1 along x, and
  /// tells what they change in row y - 1.
  template <class Use>
  [[gnu::always_inline]] void sweep(Stage<Real>& stage, std::int64_t y, Real time_step,
                                    const Use& use) {
    const auto [inverse_dx, inverse_dy] = this->inverse_widths();
    const Real along_x = time_step * inverse_dx, along_y = time_step * inverse_dy;
    const std::int64_t width = width_;
    const Row below = stage.cells(y - 1), here = stage.cells(y), above = stage.cells(y + 1),
              upper = stage.upper_faces(), flux = stage.fluxes();
    Cell upper_before, flux_before;
    for (int k = 0; k < kVariables; ++k) upper_before[k] = faces_x(below[k] - kWidth).upper;
    const auto [left, right] = states_x(below, 0, upper_before);
    flux_before = hllc<How, 2, 0>(left, right);
    for (std::int64_t x = 0; x < width; x += kWidth) {
      const auto [left_x, right_x] = states_x(below, x + kWidth, upper_before);
      const auto [left_y, right_y] = states_y(below, here, above, upper, x);
      const auto through = hllc<How, 2, 0>(in_step(left_x, left_y), in_step(right_x, right_y));
      Cell change;
      for (int k = 0; k < kVariables; ++k) {
        const Column through_x = through[k].first, through_y = through[turned(k)].second;
        const Column through_upper = shifted_out(flux_before[k], through_x);
        change[k] = along_x * (flux_before[k] - through_upper) +
                    along_y * (load<Column>(flux[k] + x) - through_y);
        flux_before[k] = through_x;
        store(flux[k] + x, through_y);
      }
      use(x, change);
    }
  }

  /// The variable that stands in the place of variable k where the axes are exchanged.
  static constexpr int turned(int k) { return k == 1 ? 2 : k == 2 ? 1 : k; }
  /// A state at a face along x and one at a face along y, as if both were along x.
  [[gnu::always_inline]] static Variables<Pair<Column>, 2> in_step(const Cell& at_x,
                                                                   const Cell& at_y) {
    Variables<Pair<Column>, 2> pair;
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
  [[gnu::always_inline]] static States states_x(const Row& row, std::int64_t x,
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
  [[gnu::always_inline]] static States states_y(const Row& below, const Row& here, const Row& above,
                                                const Row& upper_before, std::int64_t x) {
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

  [[gnu::always_inline]] static Cell get(const Row& row, std::int64_t x) {
    Cell cell;
    for (int k = 0; k < kVariables; ++k) cell[k] = load<Column>(row[k] + x);
    return cell;
  }
  [[gnu::always_inline]] static void put(const Row& row, std::int64_t x, const Cell& cell) {
    for (int k = 0; k < kVariables; ++k) store(row[k] + x, cell[k]);
  }
  [[nodiscard]] std::int64_t wrapped(std::int64_t y) const { return (y + height_) % height_; }

  std::vector<std::unique_ptr<std::pair<Stage<Real>, Stage<Real>>>> stages_;  // one a thread
};

std::unique_ptr<Solver> make(const Options& options) {
  return with_precision(options, [&]<class Real>() -> std::unique_ptr<Solver> {
    using Two = Pair<Vector<Real>>;
    const std::int64_t width = options.size[0], height = options.size[1];
    if (options.form == "plain") return std::make_unique<Plain<Real>>(width, height);
    if (options.form == "divided") return std::make_unique<Best<Real, Divide, Two>>(width, height);
    return std::make_unique<Best<Real, Iterate, Two>>(width, height);
  });
}

}  // namespace
}  // namespace reference

int main(int argc, char** argv) {
  return reference::run(
      argc, argv,
      {"hydro2d", {1024, 1024}, {"f64", "f32"}, {"plain", "best", "divided"}, reference::make});
}
