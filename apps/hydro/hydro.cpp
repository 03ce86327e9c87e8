#include "apps/hydro/hydro.hpp"

#include "apps/hydro/solver.hpp"
#include "apps/solver.hpp"

namespace paraiso::apps {
namespace {

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

struct HydroOptions {
  Option riemann, limiter, integrator, turned;
};
const HydroOptions& hydro_options() {
  static const HydroOptions options{
      option_of("riemann", "the flux between two cells",
                numerics::riemann_solvers<double, 1, numerics::IdealGas<double>>()),
      option_of("limiter", "the slopes within cells", numerics::limiters<double>()),
      option_of("integrator", "how a step is made of rates",
                numerics::integrators<double, double>()),
      {"turned",
       "the angle between flow and x axis",
       {{"0", "along x"}, {"60", "degrees in the x-y plane about (1/2, 1/2)"}},
       {"sod", "entropy_wave", "sound_wave"}}};
  return options;
}

template <class Real, int D>
HydroScheme<Real, D> scheme(const Choices& choices) {
  using Number = Global<Real, D>;
  using Values = Local<Real, D>;
  using State = numerics::Conserved<Values, D>;
  const HydroOptions& options = hydro_options();
  return {chosen(choices, options.limiter, numerics::limiters<Values>()),
          chosen(choices, options.riemann,
                 numerics::riemann_solvers<Values, D, numerics::IdealGas<Number>>()),
          chosen(choices, options.integrator, numerics::integrators<State, Number>())};
}

}  // namespace

App hydro() {
  App app;
  app.name = "hydro";
  app.summary = "compressible gas flow: a Riemann solver, second order";
  app.dimensions = {2, 1, 3};
  app.precisions = kFloats;
  app.problems = {
      {"jet", "a light supersonic jet enters a medium at rest", 0.25, 0, jet_size},
      {"kelvin_helmholtz", "two shear layers roll up", 2, 0, square},
      {"blast", "a ball of high pressure between walls", 0.2, 0, square},
      {"sod", "Sod's shock tube along x, with its exact solution", 0.125, 0, wave_size},
      {"entropy_wave", "a density wave carried along x, exact", 1, 0, wave_size},
      {"sound_wave", "a linear sound wave along x, exact", 1, 0, wave_size},
  };
  const HydroOptions& o = hydro_options();
  app.options = {o.riemann, o.limiter, o.integrator, o.turned};
  app.build = [](const AppOptions& options) {
    return instantiate<1, 2, 3>(options, [&]<class Real, int D>() {
      const bool turned = options.choices.value(hydro_options().turned) == "60";
      return Hydro<Real, D>(options.problem, turned, scheme<Real, D>(options.choices)).machine();
    });
  };
  return app;
}

}  // namespace paraiso::apps
