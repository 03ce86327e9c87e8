// A square plate: hot on the left, cold on the right, insulated above, and a flame below.
#include <numbers>

#include "cli/command_line.hpp"
#include "paraiso/frontend/frontend.hpp"

using namespace paraiso;

om::Machine plate() {
  constexpr Axis<2> x(0);
  Builder<2> om("plate");
  Field<double, 2> u{om, "u", reflect(1)};
  Domain<double, 2> box{om, uniform<2>(0.0), uniform<2>(1.0)};
  Parameter<double, 2> kappa{om, "kappa", 1, {0.0, {}}};
  Clock<double, 2> clock{om};

  // The flame flickers once in 0.1 units of time, and is hottest in the middle of its side.
  const Boundary flame = om.boundary("flame", [&] {
    const auto distance = box.x(x) - 0.5;
    const auto flicker = 1 + sin(20 * std::numbers::pi * clock.time());
    return flicker * exp(-50 * distance * distance);
  });
  u.set_boundary(Boundaries<2>({fixed(1), fixed(0)}, {flame, reflect(1)}));

  const auto inverse_square = [&](Axis<2> a) { return 1 / (box.dx(a) * box.dx(a)); };
  om.initial("cold", [&] {
    clock.start(0.25 / (load(kappa) * sum<2>(inverse_square)));  // half of the longest stable step
  });
  om.step("proceed", [&] {
    const auto now = load(u);
    const auto laplacian = sum<2>(
        [&](Axis<2> a) { return inverse_square(a) * (at(now, +a) - 2 * now + at(now, -a)); });
    store(u, now + clock.advance() * load(kappa) * laplacian);
  });
  return om.machine();
}

int main(int argc, char** argv) {
  App app;
  app.name = "plate";
  app.summary = "a plate with four different sides";
  app.dimensions = {2};
  app.precisions = {om::Element::f64};
  app.problems = {{"cold", "cold at first", 0.2, 0}};
  app.build = [](const AppOptions&) { return plate(); };
  return command_line(argc, argv, {app});
}
