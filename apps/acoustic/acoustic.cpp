#include "apps/acoustic/acoustic.hpp"

#include <numbers>
#include <optional>

#include "apps/acoustic/absorbing_layer.hpp"
#include "apps/acoustic/point_source.hpp"
#include "apps/solver.hpp"
#include "numerics/finite_difference.hpp"

namespace paraiso::apps {
namespace {

/// d^2 p / dt^2 = c^2 laplacian(p) in a medium with the speed c, from the pressure p at two times.
template <class Real, int D>
class Acoustic {
 public:
  Acoustic(const std::string& problem, int order)
      : order(order), outside(problem == "shot" ? fixed(0) : cyclic()) {
    if (problem == "shot") shot.emplace(om, domain);
    om.initial(problem, [&] { shot ? silence() : standing_wave(); });
    om.step("proceed", [&] { proceed(); });
    om.kernel("totals", [&] { totals(); });
    if (!shot) om.kernel("error", [&] { error(); });
  }
  om::Machine machine() { return om.machine(); }

 private:
  using Number = Global<Real, D>;
  using Values = Local<Real, D>;

  /// What a shot adds to the wave equation: a medium of two layers, a source, sides that absorb.
  struct Shot {
    Shot(Builder<D>& om, const Domain<Real, D>& domain)
        : contrast(om, "contrast", Real(1.5), {0.0, {}}), source(om, domain), layer(om, domain) {}
    Parameter<Real, D> contrast;  // of the speeds beyond and before the middle of the last axis
    PointSource<Real, D> source;
    AbsorbingLayer<Real, D> layer;
  };

  void silence() {
    const Axis<D> last(D - 1);
    const Values speed_there = select(index(last) < size(last) / 2, 1, load(shot->contrast));
    start(load(speed) * speed_there);
    store(now, 0);
    store(before, 0);
  }
  void standing_wave() {
    const Number dt = start(load(speed));
    store(now, exact(0));
    store(before, exact(-dt));
  }
  /// Stores the medium and returns the time step.
  Number start(const Values& c) {
    const Number dt = reach() / reduce_max(c);
    store(medium, c * c);
    store(last_step, dt);
    clock.start(dt);
    return dt;
  }

  /// Leapfrog, correct also for steps of different lengths: the time limit cuts the last one.
  void proceed() {
    const Values p = load(now);
    const Number time = clock.time(), last = load(last_step), dt = clock.advance();
    const Number square = dt * (dt + last) / 2;
    Values kept = dt / last, pull = laplacian(p, square);
    if (shot) {
      kept = kept - shot->layer.loss(reach(), load(courant));
      pull = pull + shot->source.at_time(time, square);
    }
    store(now, p + kept * (p - load(before)) + load(medium) * pull);
    store(before, p);
    store(last_step, dt);
  }

  /// The energy half a step ago, half the integral of (dp/dt / c)^2 + |grad p|^2, in the form that
  /// steps of equal length conserve to round-off in every medium, without source and layer.
  void totals() {
    const Values p = load(now), p_before = load(before);
    const Values rate = (p - p_before) / load(last_step);
    const Values density = rate * rate / load(medium) - p_before * laplacian(p, 1);
    const Number volume = product<D>([&](Axis<D> a) { return domain.dx(a); });
    store(energy, volume / 2 * reduce_sum(density));
  }

  void error() {
    const Number cells = product<D>([&](Axis<D> a) { return cast<Real>(size(a)); });
    store(l1_error, reduce_sum(abs(load(now) - exact(clock.time()))) / cells);
  }

  /// sin(k_x x) sin(k_y y) ... cos(omega time), one wave along each axis.
  Values exact(const Number& time) const {
    const auto k =
        make_vec<D>([&](Axis<D> a) { return Real(2 * std::numbers::pi) / domain.length(a); });
    const Values shape =
        product<D>([&](Axis<D> a) { return sin(k[a] * (domain.x(a) - domain.lower(a))); });
    return shape * cos(load(speed) * sqrt(dot(k, k)) * time);
  }

  Values laplacian(const Values& f, const Number& factor) const {
    const auto scale = make_vec<D>([&](Axis<D> a) { return factor * inverse_square(a); });
    return numerics::scaled_laplacian(f, scale, order);
  }
  Number inverse_square(Axis<D> a) const { return inv(domain.dx(a) * domain.dx(a)); }

  /// The distance that the fastest wave travels in a step: `courant` times the stability limit.
  Number reach() const {
    const Number squares = sum<D>([&](Axis<D> a) { return inverse_square(a); });
    return 2 * load(courant) / sqrt(Real(numerics::steepest_symbol(order)) * squares);
  }

  int order;
  Boundary outside;
  Builder<D> om{"acoustic"};
  Field<Real, D> now{om, "now", outside}, before{om, "before", outside};
  Field<Real, D> medium{om, "medium", outside};  // the square of the speed
  Domain<Real, D> domain{om, uniform<D>(0.0), uniform<D>(1.0)};
  Parameter<Real, D> speed{om, "speed", 1, {0.0, {}}};
  Parameter<Real, D> courant{om, "courant", Real(0.7), {0.0, 1.0}};  // 1 is the stability limit
  Clock<Real, D> clock{om};
  Scalar<Real, D> last_step{om, "last_step"}, energy{om, "energy"}, l1_error{om, "l1_error"};
  std::optional<Shot> shot;
};

std::vector<std::int64_t> acoustic_size(int dimension) {
  return std::vector<std::int64_t>(dimension, dimension == 1 ? 1024 : dimension == 2 ? 384 : 128);
}

const Option& order_option() {
  static const Option order{"order",
                            "of the differences in space",
                            {{"8", "25 points in three dimensions"}, {"2"}, {"4"}, {"6"}}};
  return order;
}

}  // namespace

App acoustic() {
  App app;
  app.name = "acoustic";
  app.summary = "sound in a given medium, second to eighth order in space";
  app.dimensions = {3, 1, 2};
  app.precisions = {om::Element::f32, om::Element::f64};
  app.problems = {{"shot", "a source, two media, sides that absorb", 0.7, 0, acoustic_size},
                  {"standing", "a standing wave on a cyclic grid, exact", 1, 0, acoustic_size}};
  app.options = {order_option()};
  app.build = [](const AppOptions& options) {
    const int order = options.choices.whole_number(order_option());
    return instantiate<1, 2, 3>(options, [&]<class Real, int D>() {
      return Acoustic<Real, D>(options.problem, order).machine();
    });
  };
  return app;
}

}  // namespace paraiso::apps
