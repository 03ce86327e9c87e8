// The solver of the Euler equations, for any flow and any limiter, Riemann solver and integrator.
// Gives: HydroScheme, Hydro. Needs: flows, numerics.
#pragma once

#include "apps/hydro/open_flows.hpp"
#include "apps/hydro/plane_flows.hpp"
#include "numerics/cfl.hpp"
#include "numerics/finite_volume.hpp"
#include "numerics/interpolation.hpp"
#include "numerics/riemann_solvers.hpp"
#include "numerics/time_marching.hpp"

namespace paraiso::apps {

template <class Real, int D>
std::unique_ptr<Flow<Real, D>> make_flow(const std::string& problem, bool turned, Builder<D>& om) {
  if (D == 1 && turned) throw Error("`turned=60` needs 2 or 3 dimensions");
  if (D == 1 && problem == "kelvin_helmholtz")
    throw Error("problem `kelvin_helmholtz` needs 2 or 3 dimensions");
  if (problem == "sod") return std::make_unique<Sod<Real, D>>(om, turned);
  if (problem == "entropy_wave") return std::make_unique<EntropyWave<Real, D>>(turned);
  if (problem == "sound_wave") return std::make_unique<SoundWave<Real, D>>(om, turned);
  if (problem == "kelvin_helmholtz") return std::make_unique<KelvinHelmholtz<Real, D>>(om);
  if (problem == "blast") return std::make_unique<Blast<Real, D>>(om);
  return std::make_unique<Jet<Real, D>>(om);
}

/// The methods that make up the solver. Each is a pointer to a function, so that the solver is
/// compiled once for all of them.
template <class Real, int D>
struct HydroScheme {
  using Number = Global<Real, D>;
  using Values = Local<Real, D>;
  using State = numerics::Conserved<Values, D>;

  numerics::LimiterFunction<Values> limiter = numerics::minmod;
  numerics::RiemannFunction<Values, D, numerics::IdealGas<Number>> riemann = numerics::hllc;
  numerics::IntegratorFunction<State, Number> integrator = numerics::two_stage;
};

/// Interpolates primitive variables linearly, solves a Riemann problem at each face, and computes
/// the next time step from the new state.
template <class Real, int D>
class Hydro {
 public:
  Hydro(const std::string& problem, bool turned, const HydroScheme<Real, D>& scheme)
      : scheme(scheme), flow(make_flow<Real, D>(problem, turned, om)) {
    if (!flow->computed_sides.empty()) set_computed_sides();
    om.initial(problem, [&] { initial(); });
    om.step("proceed", [&] { proceed(); });
    om.kernel("totals", [&] { store_totals(load(state)); });
    if (flow->exact) om.kernel("error", [&] { error(); });
  }
  om::Machine machine() { return om.machine(); }

 private:
  using Number = Global<Real, D>;
  using Values = Local<Real, D>;
  using State = numerics::Conserved<Values, D>;

  void initial() {
    flow->prepare(gas());
    const State start = numerics::conserved(flow->initial(position(), gas()), gas());
    store(state, start);
    store_totals(start);
    clock.start(next_step(start));
  }

  void proceed() {
    const Number dt = clock.advance();
    const State next = scheme.integrator(
        load(state), dt, [&](const State& now, const Number& time, const std::string& stage) {
          return change(now, time, stage);
        });
    store(state, next);
    clock.set_step(next_step(next));
  }

  /// The change of the state within `time` by the fluxes at the state `now`: eq. 19 to 23.
  State change(const State& now, const Number& time, const std::string& stage) const {
    const auto cells = numerics::primitive(now, gas());
    named(stage + "_primitive.velocity", cells.velocity);
    named(stage + "_primitive.pressure", cells.pressure);
    const auto fluxes = make_vec<D>([&](Axis<D> a) {
      const auto [left, right] = numerics::face_states(cells, a, scheme.limiter);
      return named(stage + "_flux_" + a.name(), scheme.riemann(left, right, a, gas()));
    });
    return numerics::flux_difference(fluxes,
                                     make_vec<D>([&](Axis<D> a) { return time / domain.dx(a); }));
  }

  Number next_step(const State& now) const {
    const auto inverse_width = make_vec<D>([&](Axis<D> a) { return 1 / domain.dx(a); });
    const Number inside = reduce_min(numerics::crossing_time(now, inverse_width, gas()));
    const Number longest = flow->crossing_time(inside, inverse_width, gas());
    const Number fixed = load(fixed_time_step);
    return select(fixed > 0, fixed, load(courant) * longest);
  }

  void store_totals(const State& now) const {
    const Number volume = product<D>([&](Axis<D> a) { return domain.dx(a); });
    store(total_mass, volume * reduce_sum(now.density));
    store(total_energy, volume * reduce_sum(now.energy));
  }

  void error() {
    const Values exact = flow->state(position(), clock.time(), gas()).density;
    const Number cells = product<D>([&](Axis<D> a) { return cast<Real>(size(a)); });
    store(l1_error, reduce_sum(abs(load(state.density) - exact)) / cells);
  }

  void set_computed_sides() {
    const auto kernels = om.boundary(
        "outside", [&] { return flow->outside(position(), clock.time(), gas(), load(state)); });
    for_each(
        [&](const auto& field, const Boundary& kernel) {
          Boundaries<D> boundary = flow->boundary;
          for (auto [axis, side] : flow->computed_sides)
            boundary = boundary.with(axis, side, kernel);
          field.set_boundary(boundary);
        },
        state, kernels);
  }

  numerics::IdealGas<Number> gas() const { return {load(gamma)}; }
  Vec<Values, D> position() const {
    return make_vec<D>([&](Axis<D> a) { return domain.x(a); });
  }

  HydroScheme<Real, D> scheme;
  Builder<D> om{"hydro"};
  std::unique_ptr<Flow<Real, D>> flow;
  numerics::Conserved<Field<Real, D>, D> state =
      fields<numerics::Conserved<Field<Real, D>, D>>(om, "", flow->boundary);
  Domain<Real, D> domain{om, flow->lower, flow->upper};
  Parameter<Real, D> gamma{om, "gamma", Real(flow->gamma), {1.001, 100.0}};
  Parameter<Real, D> courant{om, "courant", Real(0.5), {0.0, 1.0}};
  Parameter<Real, D> fixed_time_step{om, "fixed_time_step", 0, {0.0, {}}};  // 0: by `courant`
  Clock<Real, D> clock{om};
  Scalar<Real, D> total_mass{om, "total_mass"}, total_energy{om, "total_energy"};
  Scalar<Real, D> l1_error{om, "l1_error"};
};

}  // namespace paraiso::apps
