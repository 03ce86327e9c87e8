#include "apps/heat/heat.hpp"

#include <numbers>

#include "apps/solver.hpp"

namespace paraiso::apps {
namespace {

/// A decaying eigenfunction: sin(k x) sin(k y) ..., with k such that `half_waves` of them fit an
/// axis.
struct Mode {
  const char* problem;
  Boundary boundary;
  int half_waves;
};
Mode mode(const std::string& problem) {
  if (problem == "walls") return {"walls", reflect(-1), 1};  // zero on the walls
  return {"decay", cyclic(), 2};
}

/// du/dt = kappa laplacian(u), forward in time, centred in space.
template <class Real, int D>
om::Machine machine(const Mode& mode) {
  Builder<D> om("heat");
  Field<Real, D> u{om, "u", mode.boundary};
  Domain<Real, D> domain{om, uniform<D>(0.0), uniform<D>(1.0)};
  Parameter<Real, D> kappa{om, "kappa", 1, {0.0, {}}};
  Parameter<Real, D> courant{om, "courant", Real(0.5), {0.0, 1.0}};  // 1 is the stability limit
  Clock<Real, D> clock{om};
  Scalar<Real, D> l1_error{om, "l1_error"};

  const auto inverse_square = [&](Axis<D> a) { return inv(domain.dx(a) * domain.dx(a)); };
  const auto exact = [&](const Global<Real, D>& time) {
    const auto k = make_vec<D>(
        [&](Axis<D> a) { return Real(mode.half_waves * std::numbers::pi) / domain.length(a); });
    const auto shape =
        product<D>([&](Axis<D> a) { return sin(k[a] * (domain.x(a) - domain.lower(a))); });
    return shape * exp(-load(kappa) * dot(k, k) * time);
  };

  om.initial(mode.problem, [&] {
    store(u, exact(0));
    clock.start(load(courant) / (2 * load(kappa) * sum<D>(inverse_square)));
  });
  om.step("proceed", [&] {
    const auto u0 = load(u);
    const auto conductance = load(kappa) * clock.advance();
    const auto change = sum<D>([&](Axis<D> a) {
      return conductance * inverse_square(a) * (at(u0, +a) + at(u0, -a) - 2 * u0);
    });
    store(u, u0 + change);
  });
  om.kernel("error", [&] {
    const auto cells = product<D>([&](Axis<D> a) { return cast<Real>(size(a)); });
    store(l1_error, reduce_sum(abs(load(u) - exact(clock.time()))) / cells);
  });
  return om.machine();
}

std::vector<std::int64_t> heat_size(int dimension) {
  return uniform_size(dimension, dimension == 1 ? 4096 : 1 << 20);
}

}  // namespace

App heat() {
  App app;
  app.name = "heat";
  app.summary = "diffusion by the stencil of 2 D + 1 points";
  app.dimensions = {3, 1, 2, 4};
  app.precisions = kFloats;
  app.problems = {{"decay", "a wave fading on a cyclic grid", 0, 100, heat_size},
                  {"walls", "half a wave fading between walls at zero", 0, 100, heat_size}};
  app.build = [](const AppOptions& options) {
    return instantiate<1, 2, 3, 4>(
        options, [&]<class Real, int D>() { return machine<Real, D>(mode(options.problem)); });
  };
  return app;
}

}  // namespace paraiso::apps
