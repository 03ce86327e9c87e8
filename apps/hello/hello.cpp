#include "apps/hello/hello.hpp"

#include "apps/solver.hpp"

namespace paraiso::apps {
namespace {

template <class Real, int D>
om::Machine machine() {
  Builder<D> om("hello");
  Field<Real, D> density{om, "density", cyclic()};

  om.initial("ramp", [&] {  // from 0 to 1/2 along x, where 2 x x leads to 0
    const Axis<D> x(0);
    store(density, (cast<Real>(index(x)) + 0.5) / (2 * cast<Real>(size(x))));
  });
  // Table 3 of Muranushi (2012)
  om.step("proceed", [&] {
    const auto x = load(density);
    const auto y = x * x;
    const auto z = y + y;
    store(density, z);
  });
  return om.machine();
}

}  // namespace

App hello() {
  App app;
  app.name = "hello";
  app.summary = "the smallest kernel: density becomes twice its square";
  app.dimensions = {1, 2, 3};
  app.precisions = kFloats;
  app.problems = {{"ramp", "from 0 to 1/2 along x", 0, 3,
                   [](int dimension) { return uniform_size(dimension, 4096); }}};
  app.build = [](const AppOptions& options) {
    return instantiate<1, 2, 3>(options, []<class Real, int D>() { return machine<Real, D>(); });
  };
  return app;
}

}  // namespace paraiso::apps
