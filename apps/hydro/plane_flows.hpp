// Plane flows: problems that vary along one direction only and have an exact solution.
// Gives: EntropyWave, SoundWave, Sod. Needs: flow, exact_riemann.
//
// The direction is the x axis, or rotated from it by 60 degrees in the x-y plane about (1/2, 1/2);
// then the exact solution is the boundary of both axes. Equations 28 to 31 of Muranushi (2012).
#pragma once

#include <numbers>

#include "apps/hydro/flow.hpp"
#include "numerics/exact_riemann.hpp"

namespace paraiso::apps {

template <class Real, int D>
class PlaneFlow : public Flow<Real, D> {
 public:
  using typename Flow<Real, D>::Number, typename Flow<Real, D>::Values;
  using typename Flow<Real, D>::Position, typename Flow<Real, D>::Gas;
  using typename Flow<Real, D>::Primitive;
  using State = numerics::GasState<Values>;

  explicit PlaneFlow(bool turned) : direction_(uniform<D>(0.0)) {
    this->exact = true;
    direction_.components[0] = 1;
    if (!turned) return;
    for (int i = 0; i < std::min(D, 2); ++i)
      for (Side side : {Side::lower, Side::upper})
        this->computed_sides.push_back({Axis<D>(i), side});
    if constexpr (D > 1) {
      direction_.components[0] = 0.5;
      direction_.components[1] = std::sqrt(0.75);
    }
  }
  /// The solution at coordinate `x` along the direction.
  [[nodiscard]] virtual State profile(const Values& x, const Number& time, const Gas&) const = 0;

  [[nodiscard]] Primitive state(const Position& x, const Number& time,
                                const Gas& gas) const override {
    return turned(profile(along(x), time, gas));
  }

 protected:
  [[nodiscard]] Values along(const Position& x) const {
    Values distance(0.5);
    for (auto a : axes<D>())
      if (direction_[a] != 0) distance += direction_[a] * (x[a] - 0.5);
    return distance;
  }
  [[nodiscard]] Primitive turned(const State& plane) const {
    const auto velocity = make_vec<D>([&](Axis<D> a) { return direction_[a] * plane.velocity; });
    return {plane.density, velocity, plane.pressure};
  }

 private:
  Vec<double, D> direction_;
};

template <class Real, int D>
class EntropyWave : public PlaneFlow<Real, D> {
 public:
  using PlaneFlow<Real, D>::PlaneFlow;
  using typename PlaneFlow<Real, D>::Number, typename PlaneFlow<Real, D>::Values;
  using typename PlaneFlow<Real, D>::State, typename PlaneFlow<Real, D>::Gas;

  [[nodiscard]] State profile(const Values& x, const Number& time, const Gas&) const override {
    return {2 + sin(2 * std::numbers::pi * (x - time)), Values(1), Values(1)};
  }
};

/// Exact up to the square of the amplitude.
template <class Real, int D>
class SoundWave : public PlaneFlow<Real, D> {
 public:
  using typename PlaneFlow<Real, D>::Number, typename PlaneFlow<Real, D>::Values;
  using typename PlaneFlow<Real, D>::State, typename PlaneFlow<Real, D>::Gas;

  SoundWave(Builder<D>& om, bool turned)
      : PlaneFlow<Real, D>(turned), amplitude(om, "amplitude", Real(1e-5)) {}
  [[nodiscard]] State profile(const Values& x, const Number& time, const Gas& gas) const override {
    const Values wave = load(amplitude) * sin(2 * std::numbers::pi * (x - time));
    return {gas.gamma * (1 + wave), wave, 1 + gas.gamma * wave};
  }

 private:
  Parameter<Real, D> amplitude;
};

/// Sod's (1978) shock tube.
template <class Real, int D>
class Sod : public PlaneFlow<Real, D> {
 public:
  using typename PlaneFlow<Real, D>::Number, typename PlaneFlow<Real, D>::Values;
  using typename PlaneFlow<Real, D>::State, typename PlaneFlow<Real, D>::Gas;

  Sod(Builder<D>& om, bool turned)
      : PlaneFlow<Real, D>(turned), star{{om, "star_velocity"}, {om, "star_pressure"}} {
    this->gamma = 1.4;
    this->boundary = outflow();
  }
  void prepare(const Gas& gas) const override {
    store(star, numerics::solve_riemann(left(), right(), gas.gamma));
  }
  [[nodiscard]] typename Flow<Real, D>::Primitive initial(const typename Flow<Real, D>::Position& x,
                                                          const Gas&) const override {
    return this->turned(select(this->along(x) < 0.5, left(), right()));
  }
  [[nodiscard]] State profile(const Values& x, const Number& time, const Gas& gas) const override {
    return numerics::sample_riemann(left(), right(), load(star), Values(x - 0.5), time, gas.gamma);
  }

 private:
  static numerics::GasState<Number> left() { return {1, 0, 1}; }
  static numerics::GasState<Number> right() { return {0.125, 0, 0.1}; }
  numerics::StarState<Scalar<Real, D>> star;
};

}  // namespace paraiso::apps
