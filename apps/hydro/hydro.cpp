#include "apps/hydro/hydro.hpp"

#include "apps/hydro/open_flows.hpp"
#include "apps/hydro/plane_flows.hpp"
#include "apps/solver.hpp"
#include "numerics/cfl.hpp"
#include "numerics/finite_volume.hpp"
#include "numerics/hllc.hpp"
#include "numerics/interpolation.hpp"
#include "numerics/time_marching.hpp"

namespace paraiso::apps {
namespace {

using namespace numerics;

template <class Real, int D>
std::unique_ptr<Flow<Real, D>> make_flow(const std::string& problem, Builder<D>& om) {
  const bool turned = problem.ends_with("_turned");
  if (D == 1 && (turned || problem == "kelvin_helmholtz"))
    throw Error("problem `" + problem + "` needs 2 or 3 dimensions");
  if (problem.starts_with("sod")) return std::make_unique<Sod<Real, D>>(om, turned);
  if (problem.starts_with("entropy_wave")) return std::make_unique<EntropyWave<Real, D>>(turned);
  if (problem.starts_with("sound_wave")) return std::make_unique<SoundWave<Real, D>>(om, turned);
  if (problem == "kelvin_helmholtz") return std::make_unique<KelvinHelmholtz<Real, D>>(om);
  if (problem == "blast") return std::make_unique<Blast<Real, D>>(om);
  return std::make_unique<Jet<Real, D>>(om);
}

/// Second order in space and time: interpolated primitive variables, HLLC, two stages, and a time
/// step for the next step from the new state.
template <class Real, int D>
class Hydro {
 public:
  explicit Hydro(const std::string& problem) : flow(make_flow<Real, D>(problem, om)) {
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
  using State = Conserved<Values, D>;

  void initial() {
    flow->prepare(gas());
    const State start = conserved(flow->initial(position(), gas()), gas());
    store(state, start);
    store_totals(start);
    clock.start(next_step(start));
  }

  void proceed() {
    const Number dt = clock.advance();
    const State next = two_stage(
        load(state), dt, [&](const State& now, const Number& time, const std::string& stage) {
          return change(now, time, stage);
        });
    store(state, next);
    clock.set_step(next_step(next));
  }

  /// What the fluxes at the state `now` change within `time`: eq. 19 to 23.
  State change(const State& now, const Number& time, const std::string& stage) const {
    const auto cells = primitive(now, gas());
    named(stage + "_primitive.velocity", cells.velocity);
    named(stage + "_primitive.pressure", cells.pressure);
    const auto fluxes = make_vec<D>([&](Axis<D> a) {
      const auto [left, right] = face_states(cells, a, minmod);
      return named(stage + "_flux_" + a.name(), hllc(left, right, a, gas()));
    });
    return flux_difference(fluxes, make_vec<D>([&](Axis<D> a) { return time / domain.dx(a); }));
  }

  Number next_step(const State& now) const {
    const auto inverse_width = make_vec<D>([&](Axis<D> a) { return 1 / domain.dx(a); });
    const Number inside = reduce_min(crossing_time(now, inverse_width, gas()));
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

  IdealGas<Number> gas() const { return {load(gamma)}; }
  Vec<Values, D> position() const {
    return make_vec<D>([&](Axis<D> a) { return domain.x(a); });
  }

  Builder<D> om{"hydro"};
  std::unique_ptr<Flow<Real, D>> flow;
  Conserved<Field<Real, D>, D> state = fields<Conserved<Field<Real, D>, D>>(om, "", flow->boundary);
  Domain<Real, D> domain{om, flow->lower, flow->upper};
  Parameter<Real, D> gamma{om, "gamma", Real(flow->gamma), {1.001, 100.0}};
  Parameter<Real, D> courant{om, "courant", Real(0.5), {0.0, 1.0}};
  Parameter<Real, D> fixed_time_step{om, "fixed_time_step", 0, {0.0, {}}};  // 0: by `courant`
  Clock<Real, D> clock{om};
  Scalar<Real, D> total_mass{om, "total_mass"}, total_energy{om, "total_energy"};
  Scalar<Real, D> l1_error{om, "l1_error"};
};

std::vector<std::int64_t> square(int dimension) {
  return uniform_size(dimension, dimension == 3 ? 128 * 128 * 128 : 512 * 512);
}
std::vector<std::int64_t> wave_size(int dimension) {
  return std::vector<std::int64_t>(dimension, dimension == 1 ? 512 : dimension == 2 ? 256 : 64);
}
std::vector<std::int64_t> jet_size(int dimension) {
  auto size = std::vector<std::int64_t>(dimension, dimension == 3 ? 96 : 256);
  size[0] *= 2;
  return size;
}

}  // namespace

App hydro() {
  App app;
  app.name = "hydro";
  app.summary = "compressible gas flow: HLLC, second order";
  app.dimensions = {2, 1, 3};
  app.precisions = kFloats;
  app.problems = {
      {"jet", "a light supersonic jet enters a medium at rest", 0.25, 0, jet_size},
      {"kelvin_helmholtz", "two shear layers roll up", 2, 0, square},
      {"blast", "a ball of high pressure between walls", 0.2, 0, square},
      {"sod", "Sod's shock tube along x, with its exact solution", 0.125, 0, wave_size},
      {"sod_turned", "the same, turned by 60 degrees", 0.125, 0, wave_size},
      {"entropy_wave", "a density wave carried along x, exact", 1, 0, wave_size},
      {"entropy_wave_turned", "the same, turned by 60 degrees", 1, 0, wave_size},
      {"sound_wave", "a linear sound wave along x, exact", 1, 0, wave_size},
      {"sound_wave_turned", "the same, turned by 60 degrees", 1, 0, wave_size},
  };
  app.build = [](const AppOptions& options) {
    return instantiate<1, 2, 3>(
        options, [&]<class Real, int D>() { return Hydro<Real, D>(options.problem).machine(); });
  };
  return app;
}

}  // namespace paraiso::apps
