// A gas of density, momentum and energy: finite volumes, first order, with Rusanov's fluxes.
#pragma once

#include "numerics/cfl.hpp"
#include "numerics/euler.hpp"
#include "numerics/finite_volume.hpp"
#include "paraiso/frontend/frontend.hpp"

using namespace paraiso;
using namespace paraiso::numerics;

/// Rusanov (1961): the mean of both fluxes, less the difference of the states times the fastest
/// wave's speed.
template <class T, int D, class Gas>
Conserved<T, D> rusanov(const Primitive<T, D>& left, const Primitive<T, D>& right, Axis<D> axis,
                        const Gas& gas) {
  const auto speed = [&](const Primitive<T, D>& side) -> T {
    return abs(side.velocity[axis]) + sqrt(gas.bulk_modulus(side.pressure) / side.density);
  };
  const T fastest = max(speed(left), speed(right));
  const Conserved<T, D> l = conserved(left, gas), r = conserved(right, gas);
  const Conserved<T, D> f = flux(left, l.energy, axis), g = flux(right, r.energy, axis);
  return zip([&](const T& fl, const T& fr, const T& ul,
                 const T& ur) -> T { return 0.5 * (fl + fr - fastest * (ur - ul)); },
             f, g, l, r);
}

template <int D>
om::Machine gas(const std::string& problem) {
  using Number = Global<double, D>;
  using Values = Local<double, D>;
  Builder<D> om("gas");
  auto state = fields<Conserved<Field<double, D>, D>>(om, "", outflow());
  Domain<double, D> box{om, uniform<D>(0.0), uniform<D>(1.0)};
  Clock<double, D> clock{om};
  const IdealGas<double> air{1.4};

  const auto next_step = [&](const Conserved<Values, D>& now) -> Number {
    const auto inverse_width = make_vec<D>([&](Axis<D> a) { return 1 / box.dx(a); });
    return 0.4 * reduce_min(crossing_time(now, inverse_width, air));
  };

  om.initial(problem, [&] {
    const Values radius_squared = sum<D>([&](Axis<D> a) {
      const Values distance = box.x(a) - 0.5;
      return distance * distance;
    });
    const auto dense = problem == "tube" ? box.x(Axis<D>(0)) < 0.5 : radius_squared < 0.04;
    const auto either = [&](double inside, double outside) -> Values {
      return select(dense, Values(inside), Values(outside));
    };
    const Primitive<Values, D> start{either(1, 0.125), uniform<D>(either(0, 0)), either(1, 0.1)};
    store(state, conserved(start, air));
    clock.start(next_step(conserved(start, air)));
  });

  om.step("proceed", [&] {
    const Number dt = clock.advance();
    const Conserved<Values, D> now = load(state);
    const Primitive<Values, D> cells = named("cell", primitive(now, air));
    const auto fluxes = make_vec<D>([&](Axis<D> a) {
      return named("flux_" + a.name(), rusanov(cells, at(cells, +a), a, air));
    });
    const auto change =
        flux_difference(fluxes, make_vec<D>([&](Axis<D> a) -> Number { return dt / box.dx(a); }));
    const Conserved<Values, D> next = add(now, change);
    store(state, next);
    clock.set_step(next_step(next));
  });
  return om.machine();
}
