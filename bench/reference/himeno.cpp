// The Himeno benchmark: Jacobi relaxation of Poisson's equation in curvilinear coordinates, with 14
// arrays and the residual gosa. The size counts the cells that are updated, without the walls: L,
// 512 x 256 x 256 with walls, is 510 x 254 x 254.
//
// plain: the benchmark's loops (wrk2, then copied back). best: p and wrk2 change places, rows are
// padded and staggered, the result is stored past the caches.
#include <omp.h>

#include <stdexcept>

#include "bench/reference/field3d.hpp"
#include "bench/reference/problem.hpp"

namespace reference {
namespace {

enum Array { p, a0, a1, a2, a3, b0, b1, b2, c0, c1, c2, wrk1, wrk2, bnd, kArrays };
constexpr double kOmega = 0.8;

template <class Real>
class Himeno : public Solver {
 public:
  Himeno(std::int64_t nx, std::int64_t ny, std::int64_t nz) {
    for (int array = 0; array < kArrays; ++array) {
      fields_.emplace_back(nx + 2, ny + 2, nz + 2, array);
      fields_.back().fill([&](auto, auto, std::int64_t z) {
        if (array == p || array == wrk2)
          return static_cast<double>(z * z) / static_cast<double>((nz + 1) * (nz + 1));
        if (array == a3) return 1.0 / 6;
        return array == b0 || array == b1 || array == b2 || array == wrk1 ? 0.0 : 1.0;
      });
    }
  }
  void advance(std::int64_t steps) override {
    for (std::int64_t i = 0; i < steps; ++i) gosa_ = step();
  }
  [[nodiscard]] std::vector<double> state() const override {
    std::vector<double> values;
    const auto& f = fields_[p];
    for (std::int64_t z = 1; z < f.depth - 1; ++z)
      for (std::int64_t y = 1; y < f.height - 1; ++y)
        values.insert(values.end(), f.row(y, z) + 1, f.row(y, z) + f.width - 1);
    values.push_back(gosa_);
    return values;
  }

 protected:
  /// Returns gosa.
  virtual Real step() = 0;

  template <class T>
  struct Point {
    T next, residual;
  };
  /// The benchmark's expression at x of the rows through one cell; T is a number or a vector.
  struct Rows {
    const Real *p00, *pm0, *pp0, *p0m, *p0p, *pmm, *pmp, *ppm, *ppp;  // y, then z
    const Real* array[kArrays];
  };
  [[nodiscard]] Rows rows(std::int64_t y, std::int64_t z) const {
    const auto& f = fields_[p];
    Rows rows{f.row(y, z),         f.row(y - 1, z),
              f.row(y + 1, z),     f.row(y, z - 1),
              f.row(y, z + 1),     f.row(y - 1, z - 1),
              f.row(y - 1, z + 1), f.row(y + 1, z - 1),
              f.row(y + 1, z + 1), {}};
    for (int i = 0; i < kArrays; ++i) rows.array[i] = fields_[i].row(y, z);
    return rows;
  }
  template <class T>
  [[gnu::always_inline]] static Point<T> relax(const Rows& r, std::int64_t x) {
    const auto of = [&](Array array) { return load<T>(r.array[array] + x); };
    const T s0 = of(a0) * load<T>(r.p0p + x) + of(a1) * load<T>(r.pp0 + x) +
                 of(a2) * load<T>(r.p00 + x + 1) +
                 of(b0) * (load<T>(r.ppp + x) - load<T>(r.pmp + x) - load<T>(r.ppm + x) +
                           load<T>(r.pmm + x)) +
                 of(b1) * (load<T>(r.pp0 + x + 1) - load<T>(r.pm0 + x + 1) -
                           load<T>(r.pp0 + x - 1) + load<T>(r.pm0 + x - 1)) +
                 of(b2) * (load<T>(r.p0p + x + 1) - load<T>(r.p0m + x + 1) -
                           load<T>(r.p0p + x - 1) + load<T>(r.p0m + x - 1)) +
                 of(c0) * load<T>(r.p0m + x) + of(c1) * load<T>(r.pm0 + x) +
                 of(c2) * load<T>(r.p00 + x - 1) + of(wrk1);
    const T now = load<T>(r.p00 + x);
    const T residual = (s0 * of(a3) - now) * of(bnd);
    return {now + Real(kOmega) * residual, residual};
  }

  std::vector<Field3d<Real>> fields_;
  Real gosa_ = 0;
};

template <class Real>
class Plain : public Himeno<Real> {
 public:
  using Himeno<Real>::Himeno;

 private:
  using Himeno<Real>::fields_;

  Real step() override {
    const std::int64_t nx = fields_[p].width - 1, ny = fields_[p].height - 1,
                       nz = fields_[p].depth - 1;
    Real gosa = 0;
#pragma omp parallel for schedule(static) reduction(+ : gosa)
    for (std::int64_t z = 1; z < nz; ++z)
      for (std::int64_t y = 1; y < ny; ++y) {
        const auto rows = this->rows(y, z);
        Real* out = fields_[wrk2].row(y, z);
#pragma omp simd reduction(+ : gosa)
        for (std::int64_t x = 1; x < nx; ++x) {
          const auto point = this->template relax<Real>(rows, x);
          out[x] = point.next;
          gosa += point.residual * point.residual;
        }
      }
#pragma omp parallel for schedule(static)
    for (std::int64_t z = 1; z < nz; ++z)
      for (std::int64_t y = 1; y < ny; ++y)
        std::copy(fields_[wrk2].row(y, z) + 1, fields_[wrk2].row(y, z) + nx,
                  fields_[p].row(y, z) + 1);
    return gosa;
  }
};

template <class Real>
class Best : public Himeno<Real> {
 public:
  using Himeno<Real>::Himeno;

 private:
  using Himeno<Real>::fields_;
  using V = Vector<Real>;

  /// The vectors are aligned; at both ends of a row, the walls keep their values.
  Real step() override {
    const std::int64_t width = fields_[p].width, ny = fields_[p].height - 1,
                       nz = fields_[p].depth - 1;
    double gosa = 0;
#pragma omp parallel reduction(+ : gosa)
    {
#pragma omp for schedule(static)
      for (std::int64_t z = 1; z < nz; ++z)
        for (std::int64_t y = 1; y < ny; ++y) gosa += relax_row(y, z, width - 1);
      finish_streaming();
    }
    std::swap(fields_[p], fields_[wrk2]);
    return static_cast<Real>(gosa);
  }

  Real relax_row(std::int64_t y, std::int64_t z, std::int64_t end) {
    constexpr std::int64_t lanes = kLanes<Real>;
    const auto rows = this->rows(y, z);
    Real* out = fields_[wrk2].row(y, z);
    Real gosa = 0;
    const auto one = [&](std::int64_t x) {
      const auto point = this->template relax<Real>(rows, x);
      out[x] = point.next;
      gosa += point.residual * point.residual;
    };
    std::int64_t x = 1;
    for (; x < lanes && x < end; ++x) one(x);
    V sum{};
    for (; x + lanes <= end; x += lanes) {
      const auto point = this->template relax<V>(rows, x);
      stream(out + x, point.next);
      sum += point.residual * point.residual;
    }
    for (; x < end; ++x) one(x);
    for (int lane = 0; lane < lanes; ++lane) gosa += sum[lane];
    return gosa;
  }
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
      argc, argv, {"himeno", {510, 254, 254}, {"f32", "f64"}, {"plain", "best"}, reference::make});
}
