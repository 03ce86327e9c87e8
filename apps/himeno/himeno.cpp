#include "apps/himeno/himeno.hpp"

#include "apps/solver.hpp"

namespace paraiso::apps {
namespace {

// The benchmark's indices in C, p[i][j][k]: k runs along the rows.
constexpr Axis<3> i(2), j(1), k(0);

/// Point-Jacobi relaxation of Poisson's equation for the pressure in curvilinear coordinates.
template <class Real>
class Himeno {
 public:
  Himeno() {
    p.set_boundary(om.boundary("wall", [&] { return start(); }));
    om.initial("pressure", [&] { initial(); });
    om.step("jacobi", [&] { jacobi(); });
  }
  om::Machine machine() { return om.machine(); }

 private:
  using Values = Local<Real, 3>;

  void initial() {
    store(p, start());
    for (const auto& one : {&a0, &a1, &a2, &c0, &c1, &c2, &bnd}) store(*one, 1);
    for (const auto& zero : {&b0, &b1, &b2, &wrk1}) store(*zero, 0);
    store(a3, Real(1) / 6);
  }

  /// The benchmark's loop, term by term. Its array wrk2 is the array of the new p.
  void jacobi() {
    const Values p0 = load(p);
    const auto cross = [&](Axis<3> a, Axis<3> b) {
      return at(p0, a + b) - at(p0, a - b) - at(p0, b - a) + at(p0, -a - b);
    };
    const Values s0 = load(a0) * at(p0, +i) + load(a1) * at(p0, +j) + load(a2) * at(p0, +k) +
                      load(b0) * cross(i, j) + load(b1) * cross(k, j) + load(b2) * cross(k, i) +
                      load(c0) * at(p0, -i) + load(c1) * at(p0, -j) + load(c2) * at(p0, -k) +
                      load(wrk1);
    const Values ss = (s0 * load(a3) - p0) * load(bnd);
    store(gosa, reduce_sum(ss * ss));
    store(p, p0 + load(omega) * ss);
  }

  /// (i / (imax - 1))^2, where the wall is i = 0 and the grid, without the walls, has imax - 2
  /// planes.
  Values start() const {
    const Values plane = cast<Real>(index(i) + 1);
    const Global<Real, 3> last = cast<Real>(size(i) + 1);
    return plane * plane / (last * last);
  }

  Builder<3> om{"himeno"};
  Field<Real, 3> p{om, "p", outflow()};
  Field<Real, 3> a0{om, "a0", outflow()}, a1{om, "a1", outflow()}, a2{om, "a2", outflow()};
  Field<Real, 3> a3{om, "a3", outflow()};
  Field<Real, 3> b0{om, "b0", outflow()}, b1{om, "b1", outflow()}, b2{om, "b2", outflow()};
  Field<Real, 3> c0{om, "c0", outflow()}, c1{om, "c1", outflow()}, c2{om, "c2", outflow()};
  Field<Real, 3> wrk1{om, "wrk1", outflow()}, bnd{om, "bnd", outflow()};
  Parameter<Real, 3> omega{om, "omega", Real(0.8), {0.0, 2.0}};
  Scalar<Real, 3> gosa{om, "gosa"};
};

}  // namespace

App himeno() {
  App app;
  app.name = "himeno";
  app.summary = "the Jacobi kernel of the Himeno benchmark";
  app.dimensions = {3};
  app.precisions = {om::Element::f32, om::Element::f64};
  const auto size_m = [](int) { return std::vector<std::int64_t>{254, 126, 126}; };
  app.problems = {{"pressure", "the benchmark's own, by default of size M", 0, 200, size_m}};
  app.build = [](const AppOptions& options) {
    return options.precision == om::Element::f32 ? Himeno<float>().machine()
                                                 : Himeno<double>().machine();
  };
  return app;
}

}  // namespace paraiso::apps
