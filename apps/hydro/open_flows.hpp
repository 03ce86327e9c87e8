// Open flows: problems without an exact solution.
// Gives: KelvinHelmholtz, Blast, Jet. Needs: flow.
#pragma once

#include <numbers>

#include "apps/hydro/flow.hpp"
#include "numerics/cfl.hpp"

namespace paraiso::apps {

/// A dense stream along x within a light one that flows the other way; both layers between them
/// roll up. After Lecoanet et al. (2016), with a density contrast of 2.
template <class Real, int D>
class KelvinHelmholtz : public Flow<Real, D> {
 public:
  using typename Flow<Real, D>::Number, typename Flow<Real, D>::Values;
  using typename Flow<Real, D>::Position, typename Flow<Real, D>::Gas;

  explicit KelvinHelmholtz(Builder<D>& om)
      : kick(om, "kick", Real(0.01)), layer(om, "layer", Real(0.02), {1e-6, {}}) {
    this->gamma = 1.4;
  }
  [[nodiscard]] typename Flow<Real, D>::Primitive state(const Position& x, const Number&,
                                                        const Gas&) const override {
    const Axis<D> along(0), across(D > 1 ? 1 : 0);
    const Values below = x[across] - 0.25, above = x[across] - 0.75;
    const Values stream = 0.5 * (tanh(below / load(layer)) - tanh(above / load(layer)));
    const Values near = exp(-50 * below * below) + exp(-50 * above * above);
    auto velocity = uniform<D>(Values(0));
    velocity[along] = stream - 0.5;
    velocity[across] = load(kick) * sin(4 * std::numbers::pi * x[along]) * near;
    return {1 + stream, velocity, Values(2.5)};
  }

 private:
  Parameter<Real, D> kick, layer;
};

/// A ball of high pressure in a box with walls.
template <class Real, int D>
class Blast : public Flow<Real, D> {
 public:
  using typename Flow<Real, D>::Number, typename Flow<Real, D>::Values;
  using typename Flow<Real, D>::Position, typename Flow<Real, D>::Gas;

  explicit Blast(Builder<D>& om)
      : overpressure(om, "overpressure", 100, {0.0, {}}),
        radius(om, "radius", Real(0.1), {0.0, {}}) {
    this->boundary = reflect();
  }
  [[nodiscard]] typename Flow<Real, D>::Primitive state(const Position& x, const Number&,
                                                        const Gas&) const override {
    const Values distance_squared = sum<D>([&](Axis<D> a) { return (x[a] - 0.5) * (x[a] - 0.5); });
    const auto inside = distance_squared < load(radius) * load(radius);
    const Number ambient(0.1);
    return {Values(1), uniform<D>(Values(0)),
            select(inside, ambient * load(overpressure), Values(ambient))};
  }

 private:
  Parameter<Real, D> overpressure, radius;
};

/// A light supersonic jet that enters a medium at rest, in pressure balance, through a round nozzle
/// at the lower end of x. The sound speed of the medium is 1. The jet's direction sways a little.
template <class Real, int D>
class Jet : public Flow<Real, D> {
 public:
  using typename Flow<Real, D>::Number, typename Flow<Real, D>::Values;
  using typename Flow<Real, D>::Position, typename Flow<Real, D>::Gas;
  using typename Flow<Real, D>::Primitive, typename Flow<Real, D>::Conserved;

  explicit Jet(Builder<D>& om)
      : mach(om, "mach", 10, {0.0, {}}),
        density(om, "jet_density", Real(0.2), {1e-6, {}}),
        radius(om, "nozzle_radius", Real(0.03), {0.0, {}}),
        sway(om, "sway", Real(0.01)) {
    this->boundary = outflow();
    this->upper.components[0] = 2;
    this->computed_sides = {{Axis<D>(0), Side::lower}};
  }
  [[nodiscard]] Primitive state(const Position&, const Number&, const Gas& gas) const override {
    return {Values(1), uniform<D>(Values(0)), Values(1 / gas.gamma)};
  }
  [[nodiscard]] Conserved outside(const Position& x, const Number& time, const Gas& gas,
                                  const Conserved& nearest) const override {
    Values distance_squared(0);
    for (auto a : axes<D>())
      if (a != Axis<D>(0)) distance_squared += (x[a] - 0.5) * (x[a] - 0.5);
    const Conserved jet =
        map([](const Number& v) { return Values(v); }, inflow(sin(60 * time), gas));
    return select(distance_squared < load(radius) * load(radius), jet, nearest);
  }
  [[nodiscard]] Number crossing_time(const Number& inside, const Vec<Number, D>& inverse_width,
                                     const Gas& gas) const override {
    return min(inside, numerics::crossing_time(inflow(Number(1), gas), inverse_width, gas));
  }

 private:
  /// The jet, deflected by `phase`, from -1 to 1 of its largest deflection.
  [[nodiscard]] numerics::Conserved<Number, D> inflow(const Number& phase, const Gas& gas) const {
    const Number speed = load(mach) / sqrt(load(density));
    auto velocity = uniform<D>(Number(0));
    velocity[Axis<D>(0)] = speed;
    if constexpr (D > 1) velocity[Axis<D>(1)] = speed * load(sway) * phase;
    const numerics::Primitive<Number, D> jet{load(density), velocity, 1 / gas.gamma};
    return numerics::conserved(jet, gas);
  }

  Parameter<Real, D> mach, density, radius, sway;
};

}  // namespace paraiso::apps
