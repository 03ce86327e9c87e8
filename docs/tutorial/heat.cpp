// Heat that spreads from a spot, du/dt = laplacian(u), in two dimensions or three.
#include "cli/command_line.hpp"
#include "paraiso/frontend/frontend.hpp"

using namespace paraiso;

template <int D>
om::Machine heat() {
  Builder<D> om("heat");
  Field<double, D> u{om, "u", cyclic()};
  Domain<double, D> box{om, uniform<D>(-1.0), uniform<D>(1.0)};
  auto square = [&](Axis<D> a) { return box.x(a) * box.x(a); };
  om.initial("spot", [&] { store(u, exp(-20 * sum<D>(square))); });
  om.step("proceed", [&] {
    auto now = load(u);
    store(u, now + 0.1 * sum<D>([&](Axis<D> a) { return at(now, +a) - 2 * now + at(now, -a); }));
  });
  return om.machine();
}

int main(int argc, char** argv) {
  App app;
  app.name = "heat";
  app.summary = "a hot spot spreads";
  app.dimensions = {2, 3};
  app.precisions = {om::Element::f64};
  app.problems = {{"spot", "hot in the middle", 0, 1000}};
  app.build = [](const AppOptions& options) {
    return options.dimension == 3 ? heat<3>() : heat<2>();
  };
  return command_line(argc, argv, {app});
}
