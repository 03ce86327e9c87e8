#include "apps/wave/wave.hpp"

#include <numbers>

#include "apps/solver.hpp"

namespace paraiso::apps {
namespace {

/// d^2 f / dt^2 = c^2 laplacian(f), as df/dt = g and dg/dt = c^2 laplacian(f) with g half a step
/// ahead.
template <class Real, int D>
class Wave {
 public:
  om::Machine machine(const std::string& problem) {
    if (problem == "standing")
      solve(problem, &Wave::standing, Real(0));
    else
      solve("paper", &Wave::paper, Real(1));
    om.step("proceed", [&] { proceed(); });
    return om.machine();
  }

 private:
  using Scalars = Global<Real, D>;
  using Values = Local<Real, D>;
  using Exact = Values (Wave::*)(const Scalars& time) const;

  /// Equations 6 to 8; the energy has the factor 1/2 of the paper's Table 2.
  void proceed() {
    const auto f0 = load(f), g0 = load(g);
    const auto dt = clock.advance();
    const auto f1 = f0 + dt * g0;
    const auto g1 = g0 + dt * acceleration(f1);
    store(f, f1);
    store(g, g1);
    store(energy, energy_of(f1, g0, g1));
    store(staggered_energy, staggered_energy_of(f0, f1, g0));
  }

  /// The initial kernel of a problem with the solution `exact`, and the kernel that compares with
  /// it. g begins as `slope` cos(3 phase); if `slope` is 0, from rest: advanced by half a step with
  /// the equation.
  void solve(const std::string& problem, Exact exact, Real slope) {
    om.initial(problem, [&] {
      const auto dt = load(courant) / (load(c) * frequency_scale());
      const auto f0 = (this->*exact)(0);
      const auto half_kick = Real(0.5) * dt * acceleration(f0);
      const auto g0 = slope == 0 ? half_kick : slope * cos(3 * phase());
      const auto g_before = g0 - dt * acceleration(f0);
      clock.start(dt);
      store(f, f0);
      store(g, g0);
      store(energy, energy_of(f0, g_before, g0));
      store(staggered_energy, staggered_energy_of(f0, f0 + dt * g0, g0));
    });
    om.kernel("error", [&] {
      const auto difference = abs(load(f) - (this->*exact)(clock.time()));
      store(l1_error, reduce_sum(difference) / cell_count());
    });
  }

  /// f(0) = sin(phase), df/dt(0) = cos(3 phase).
  Values paper(const Scalars& time) const {
    const auto omega = load(c) * wave_number();
    return sin(phase()) * cos(omega * time) +
           cos(3 * phase()) * sin(3 * omega * time) / (3 * omega);
  }
  /// f(0) = sin(phase) at rest.
  Values standing(const Scalars& time) const {
    return sin(phase()) * cos(load(c) * wave_number() * time);
  }

  Values acceleration(const Values& f) const {
    Scope scope("acceleration");
    return sum<D>([&](Axis<D> a) { return stiffness(a) * (at(f, +a) + at(f, -a) - 2 * f); });
  }
  Scalars energy_of(const Values& f, const Values& g_before, const Values& g_after) const {
    Scope scope("energy");
    const auto gradient_squared = sum<D>([&](Axis<D> a) {
      const auto twice_the_rise = at(f, +a) - at(f, -a);
      return stiffness(a) / 4 * (twice_the_rise * twice_the_rise);
    });
    const auto speed = (g_before + g_after) / 2;
    return total(gradient_squared + speed * speed);
  }
  Scalars staggered_energy_of(const Values& f, const Values& f_next, const Values& g) const {
    Scope scope("staggered_energy");
    const auto slopes = sum<D>(
        [&](Axis<D> a) { return stiffness(a) * ((at(f, +a) - f) * (at(f_next, +a) - f_next)); });
    return total(g * g + slopes);
  }
  /// c^2 over the square of the width: a scalar, so that cells need a product and no division.
  Scalars stiffness(Axis<D> a) const { return load(c) * load(c) / (domain.dx(a) * domain.dx(a)); }
  /// Half the integral of a density.
  Scalars total(const Values& density) const {
    const auto cell = product<D>([&](Axis<D> a) { return domain.dx(a); });
    return cell / 2 * reduce_sum(density);
  }

  /// Increases by 2 pi along each axis.
  Values phase() const {
    return sum<D>([&](Axis<D> a) { return k(a) * (domain.x(a) - domain.lower(a)); });
  }
  Scalars k(Axis<D> a) const { return Real(2 * std::numbers::pi) / domain.length(a); }
  Scalars wave_number() const {
    return sqrt(sum<D>([&](Axis<D> a) { return k(a) * k(a); }));
  }
  /// 1 / dx in one dimension; a step of 1 / (c frequency_scale) is at the stability limit.
  Scalars frequency_scale() const {
    return sqrt(sum<D>([&](Axis<D> a) { return inv(domain.dx(a) * domain.dx(a)); }));
  }
  Scalars cell_count() const {
    return product<D>([&](Axis<D> a) { return cast<Real>(size(a)); });
  }

  Builder<D> om{"wave"};
  Field<Real, D> f{om, "f", cyclic()}, g{om, "g", cyclic()};
  Domain<Real, D> domain{om, uniform<D>(0.0), uniform<D>(2 * std::numbers::pi)};
  Parameter<Real, D> c{om, "c", Real(3.43), {0.0, {}}};
  Parameter<Real, D> courant{om, "courant", 1, {0.0, 1.0}};
  Clock<Real, D> clock{om};
  Scalar<Real, D> energy{om, "energy"}, staggered_energy{om, "staggered_energy"};
  Scalar<Real, D> l1_error{om, "l1_error"};
};

std::vector<std::int64_t> wave_grid(int dimension) {
  return std::vector<std::int64_t>(dimension, dimension == 1 ? 3072 : dimension == 2 ? 512 : 64);
}

}  // namespace

App wave() {
  App app;
  app.name = "wave";
  app.summary = "the linear wave equation, and how well it keeps its energy";
  app.dimensions = {1, 2, 3};
  app.precisions = kFloats;
  app.problems = {{"paper", "f = sin x, g = cos 3x", 0, 1000, wave_grid},
                  {"standing", "f = sin x, g = 0", 0, 1000, wave_grid}};
  app.build = [](const AppOptions& options) {
    return instantiate<1, 2, 3>(
        options, [&]<class Real, int D>() { return Wave<Real, D>().machine(options.problem); });
  };
  return app;
}

}  // namespace paraiso::apps
