// Three of the five programs that FAST (2015, section 6) predicts for: the others are `heat` in
// three dimensions and `himeno`. The paper names points and radius only; the equations are the
// usual ones.
#include "apps/solver.hpp"
#include "apps/stencils/stencils.hpp"

namespace paraiso::apps {
namespace {

constexpr Axis<3> kX(0), kY(1), kZ(2);

template <class Real>
using CellValues = Local<Real, 3>;

/// Rises along x and falls along z.
template <class Real>
CellValues<Real> ramp() {
  return cast<Real>(index(kX) - index(kZ)) / cast<Real>(size(kX) + size(kZ));
}

/// With n factors of order 2 (n - 1) in space; the first one is the centre's.
template <class Real>
CellValues<Real> laplacian(const CellValues<Real>& u, const std::vector<Real>& factors) {
  return sum<3>([&](Axis<3> a) {
    CellValues<Real> along = factors[0] * u;
    for (int d = 1; d < static_cast<int>(factors.size()); ++d)
      along = along + factors[d] * (at(u, d * a) + at(u, -d * a));
    return along;
  });
}

/// Maxwell's equations on Yee's grid (1966): each of six fields reads itself and four neighbours.
template <class Real>
om::Machine fdtd() {
  Builder<3> om("fdtd");
  Field<Real, 3> ex{om, "ex", cyclic()}, ey{om, "ey", cyclic()}, ez{om, "ez", cyclic()};
  Field<Real, 3> hx{om, "hx", cyclic()}, hy{om, "hy", cyclic()}, hz{om, "hz", cyclic()};
  Parameter<Real, 3> courant{om, "courant", Real(0.5), {0.0, 0.57}};  // 1 / sqrt(3) is the limit
  om.initial("ramp", [&] {
    store(ex, ramp<Real>());
    for (const auto& zero : {&ey, &ez, &hx, &hy, &hz}) store(*zero, 0);
  });
  om.step("proceed", [&] {
    const auto c = load(courant);
    const CellValues<Real> ex0 = load(ex), ey0 = load(ey), ez0 = load(ez);
    const auto rise = [](const CellValues<Real>& u, Axis<3> a) { return at(u, +a) - u; };
    const auto fall = [](const CellValues<Real>& u, Axis<3> a) { return u - at(u, -a); };
    const CellValues<Real> hx1 = load(hx) - c * (rise(ez0, kY) - rise(ey0, kZ));
    const CellValues<Real> hy1 = load(hy) - c * (rise(ex0, kZ) - rise(ez0, kX));
    const CellValues<Real> hz1 = load(hz) - c * (rise(ey0, kX) - rise(ex0, kY));
    store(hx, hx1);
    store(hy, hy1);
    store(hz, hz1);
    store(ex, ex0 + c * (fall(hz1, kY) - fall(hy1, kZ)));
    store(ey, ey0 + c * (fall(hx1, kZ) - fall(hz1, kX)));
    store(ez, ez0 + c * (fall(hy1, kX) - fall(hx1, kY)));
  });
  return om.machine();
}

/// Jacobi's iteration with the compact Laplacian of 19 points, (2 faces + edges - 24 u) / (6 dx^2).
template <class Real>
om::Machine poisson() {
  Builder<3> om("poisson");
  Field<Real, 3> u{om, "u", cyclic()}, source{om, "source", cyclic()};
  om.initial("ramp", [&] {
    store(u, 0);
    store(source, ramp<Real>());
  });
  om.step("proceed", [&] {
    const CellValues<Real> u0 = load(u);
    const CellValues<Real> faces = sum<3>([&](Axis<3> a) { return at(u0, +a) + at(u0, -a); });
    const auto edges = [&](Axis<3> a, Axis<3> b) {
      return at(u0, a + b) + at(u0, a - b) + at(u0, b - a) + at(u0, -a - b);
    };
    const CellValues<Real> around = 2 * faces + (edges(kX, kY) + edges(kY, kZ) + edges(kZ, kX));
    store(u, (around - 6 * load(source)) * Real(1.0 / 24));
  });
  return om.machine();
}

/// The wave equation, second order in time and eighth in space: 25 points.
template <class Real>
om::Machine wave25() {
  Builder<3> om("wave25");
  Field<Real, 3> u{om, "u", cyclic()}, before{om, "before", cyclic()};
  Parameter<Real, 3> courant{om, "courant", Real(0.4), {0.0, 0.45}};
  const std::vector<Real> factors = {Real(-205.0 / 72), Real(8.0 / 5), Real(-1.0 / 5),
                                     Real(8.0 / 315), Real(-1.0 / 560)};
  om.initial("ramp", [&] {
    store(u, ramp<Real>());
    store(before, ramp<Real>());
  });
  om.step("proceed", [&] {
    const CellValues<Real> u0 = load(u);
    const auto c = load(courant);
    store(u, 2 * u0 - load(before) + c * c * laplacian<Real>(u0, factors));
    store(before, u0);
  });
  return om.machine();
}

const Option kProgram{"program",
                      "what is solved",
                      {{"poisson", "Jacobi's iteration, 19 points"},
                       {"wave25", "the wave equation of eighth order, 25 points"},
                       {"fdtd", "Maxwell's equations on Yee's grid, 5 points of each field"}}};

template <class Real>
om::Machine machine(const std::string& program) {
  if (program == "fdtd") return fdtd<Real>();
  return program == "poisson" ? poisson<Real>() : wave25<Real>();
}

}  // namespace

App stencil() {
  App app;
  app.name = "stencil";
  app.summary = "three of the programs that FAST (2015) predicts for";
  app.dimensions = {3};
  app.precisions = {om::Element::f32, om::Element::f64};
  app.problems = {{"ramp", "rises along x and falls along z", 0, 100, [](int) {
                     return std::vector<std::int64_t>{128, 64, 64};
                   }}};
  app.options = {kProgram};
  app.build = [](const AppOptions& options) {
    const std::string& program = options.choices.value(kProgram);
    return options.precision == om::Element::f32 ? machine<float>(program)
                                                 : machine<double>(program);
  };
  return app;
}

}  // namespace paraiso::apps
