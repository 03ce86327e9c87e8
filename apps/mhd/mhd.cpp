#include "apps/mhd/mhd.hpp"

#include <numbers>

#include "apps/solver.hpp"
#include "numerics/finite_volume.hpp"
#include "numerics/interpolation.hpp"
#include "numerics/mhd.hpp"
#include "numerics/time_marching.hpp"

namespace paraiso::apps {
namespace {

using namespace numerics::mhd;

/// Interpolates primitive variables linearly, solves a Riemann problem at each face, in two stages,
/// and computes the next time step from the new state.
template <class Real, int D>
class Mhd {
 public:
  Mhd(const std::string& problem, const Boundaries<D>& sides, double wanted_gamma)
      : state(fields<MhdConserved<Field<Real, D>>>(om, "", sides)),
        gamma(om, "gamma", Real(wanted_gamma), {1.001, 100.0}) {
    om.initial(problem, [&] {
      const State start = conserved(initial(problem), load(gamma));
      store(state, start);
      store_totals(start);
      clock.start(next_step(start));
    });
    om.step("proceed", [&] { proceed(); });
    om.kernel("totals", [&] { store_totals(load(state)); });
    if (problem == "alfven_wave") om.kernel("error", [&] { error(); });
  }
  om::Machine machine() { return om.machine(); }

 private:
  using Number = Global<Real, D>;
  using Values = Local<Real, D>;
  using State = MhdConserved<Values>;
  using Cells = MhdPrimitive<Values>;

  void proceed() {
    const Number dt = clock.advance();
    // As fast as the step allows, so that it does not become shorter.
    const Number speed = load(courant) / (D * (dt * widest()));
    State next = numerics::two_stage(
        load(state), dt, [&](const State& now, const Number& time, const std::string& stage) {
          return change(now, time, speed, stage);
        });
    next.cleaning = exp(-load(damping) * load(courant)) * next.cleaning;
    store(state, next);
    clock.set_step(next_step(next));
  }

  State change(const State& now, const Number& time, const Number& speed,
               const std::string& stage) const {
    const Cells cells = primitive(now, load(gamma));
    named(stage + "_primitive.velocity", cells.velocity);
    named(stage + "_primitive.pressure", cells.pressure);
    const auto fluxes = make_vec<D>([&](Axis<D> a) {
      const auto [left, right] = numerics::face_states(cells, a, numerics::minmod);
      return named(stage + "_flux_" + a.name(),
                   glm_flux(left, right, Axis<3>(a.index()), speed, load(gamma)));
    });
    return numerics::flux_difference(fluxes,
                                     make_vec<D>([&](Axis<D> a) { return time / domain.dx(a); }));
  }

  /// The largest inverse width of a cell.
  Number widest() const {
    Number most = 1 / domain.dx(Axis<D>(0));
    for (auto a : axes<D>()) most = max(most, 1 / domain.dx(a));
    return most;
  }

  Number next_step(const State& now) const {
    const auto inverse_width = make_vec<D>([&](Axis<D> a) { return 1 / domain.dx(a); });
    return load(courant) * reduce_min(crossing_time(now, inverse_width, load(gamma)));
  }

  void store_totals(const State& now) const {
    const Number volume = product<D>([&](Axis<D> a) { return domain.dx(a); });
    store(total_mass, volume * reduce_sum(now.density));
    store(total_energy, volume * reduce_sum(now.energy));
    const Values divergence = sum<D>([&](Axis<D> a) -> Values {
      const Values& field = now.field[Axis<3>(a.index())];
      return at(field, +a) - at(field, -a);
    });
    store(largest_divergence, reduce_max(abs(divergence)));
  }

  void error() {
    const Values exact = alfven_wave(clock.time()).field[Axis<3>(1)];
    const Number cells = product<D>([&](Axis<D> a) { return cast<Real>(size(a)); });
    store(l1_error, reduce_sum(abs(load(state.field[Axis<3>(1)]) - exact)) / cells);
  }

  Cells initial(const std::string& problem) const {
    if (problem == "alfven_wave") return alfven_wave(Number(0));
    return problem == "brio_wu" ? brio_wu() : orszag_tang();
  }

  /// A circularly polarized wave along x; it moves with the field's speed, 1, and is exact at any
  /// amplitude. Toth (2000), section 6.3.1.
  Cells alfven_wave(const Number& time) const {
    const Values phase = 2 * std::numbers::pi * (domain.x(Axis<D>(0)) - time);
    const Values y = load(amplitude) * sin(phase), z = load(amplitude) * cos(phase);
    return {Values(1), {Values(0), -y, -z}, Values(0.1), {Values(1), y, z}, Values(0)};
  }

  /// Brio and Wu's (1988) shock tube along x.
  Cells brio_wu() const {
    const auto below = domain.x(Axis<D>(0)) < 0.5;
    const auto either = [&](double a, double b) { return select(below, Values(a), Values(b)); };
    const Vec<Values, 3> field{Values(0.75), either(1, -1), Values(0)};
    return {either(1, 0.125), uniform<3>(Values(0)), either(1, 0.1), field, Values(0)};
  }

  /// Orszag and Tang's (1979) vortex, in the units of Stone et al. (2008).
  Cells orszag_tang() const {
    constexpr double pi = std::numbers::pi;
    const Values x = domain.x(Axis<D>(0)), y = domain.x(Axis<D>(D > 1 ? 1 : 0));
    const Real field = Real(1 / std::sqrt(4 * pi));
    const Vec<Values, 3> velocity{-sin(2 * pi * y), sin(2 * pi * x), Values(0)};
    return {Values(25 / (36 * pi)),
            velocity,
            Values(5 / (12 * pi)),
            {-field * sin(2 * pi * y), field * sin(4 * pi * x), Values(0)},
            Values(0)};
  }

  Builder<D> om{"mhd"};
  MhdConserved<Field<Real, D>> state;
  Domain<Real, D> domain{om, uniform<D>(0.0), uniform<D>(1.0)};
  Parameter<Real, D> gamma;
  Parameter<Real, D> courant{om, "courant", Real(0.4), {0.0, 1.0}};
  Parameter<Real, D> damping{om, "damping", Real(0.1), {0.0, {}}};
  Parameter<Real, D> amplitude{om, "amplitude", Real(0.1)};
  Clock<Real, D> clock{om};
  Scalar<Real, D> total_mass{om, "total_mass"}, total_energy{om, "total_energy"};
  Scalar<Real, D> largest_divergence{om, "largest_divergence"}, l1_error{om, "l1_error"};
};

}  // namespace

App mhd() {
  const auto line = [](int dimension) {
    return std::vector<std::int64_t>(dimension, dimension == 1 ? 512 : 128);
  };
  App app;
  app.name = "mhd";
  app.summary = "ideal magnetohydrodynamics: HLL, second order, div B carried away";
  app.dimensions = {2, 1};
  app.precisions = kFloats;
  app.problems = {
      {"orszag_tang", "a vortex turns into shocks", 0.5, 0,
       [](int dimension) { return uniform_size(dimension, 256 * 256); }},
      {"alfven_wave", "a circularly polarized wave along x, exact", 1, 0, line},
      {"brio_wu", "a shock tube with a field that changes sign", 0.1, 0, line},
  };
  app.build = [](const AppOptions& options) {
    return instantiate<1, 2>(options, [&]<class Real, int D>() {
      const bool tube = options.problem == "brio_wu";
      const Boundaries<D> sides = tube ? outflow() : cyclic();
      return Mhd<Real, D>(options.problem, sides, tube ? 2 : 5.0 / 3).machine();
    });
  };
  return app;
}

}  // namespace paraiso::apps
