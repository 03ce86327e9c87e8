#include "machines.hpp"

#include <limits>

#include "paraiso/frontend/frontend.hpp"

namespace paraiso::test {

template <class Real>
om::Machine drift() {
  Builder<2> om("drift");
  Field<Real, 2> u{om, "u", cyclic()};
  Field<std::int32_t, 2> count{om, "count", outflow()};
  Field<bool, 2> warm{om, "warm", outflow()};
  Domain<Real, 2> domain{om, uniform<2>(0.0), uniform<2>(2.0)};
  Parameter<Real, 2> rate{om, "rate", Real(0.5), {0.0, 1.0}};
  Parameter<std::int32_t, 2> level{om, "level", 3, {1.0, {}}};
  Parameter<Real, 2> poison{om, "poison", std::numeric_limits<Real>::infinity()};
  Clock<Real, 2> clock{om};
  Scalar<Real, 2> total{om, "total"};
  const Axis<2> x(0), y(1);

  om.initial("bump", [&] {
    store(u, inv(1 + domain.x(x) * domain.x(x) + domain.x(y)));
    store(count, cast<std::int32_t>(index(x)) * load(level));
    clock.start(Real(0.125));
  });
  om.initial("flat", [&] {
    store(u, Real(0) * domain.x(x) + 1);
    clock.start(Real(0.125));
  });
  om.step("proceed", [&] {
    const auto u0 = load(u);
    const auto now = clock.time();
    const auto next = u0 + load(rate) * clock.advance() * (at(u0, +x) + at(u0, -y) - 2 * u0);
    const auto here = (index(x) == 3) && (index(y) == 1) && (now >= load(poison));
    store(u, select(here, sqrt(-abs(next) - 1), next));
    store(count, load(count) + 1);
    store(warm, next > Real(0.5));
    store(total, reduce_sum(next));
  });
  om.kernel("double_u", [&] { store(u, 2 * load(u)); });
  return om.machine();
}

template om::Machine drift<double>();
template om::Machine drift<float>();

om::Machine counter() {
  Builder<1> om("counter");
  Field<std::int64_t, 1> n{om, "n", outflow()};
  const Axis<1> x(0);
  om.initial("zero", [&] { store(n, index(x)); });
  om.step("proceed", [&] { store(n, load(n) + 1); });
  return om.machine();
}

template <int D>
om::Machine box() {
  Builder<D> om("box");
  Field<float, D> f{om, "f", outflow()};
  om.initial("ramp", [&] {
    std::int64_t weight = 1;
    auto sum = index(Axis<D>(0));
    for (int a = 1; a < D; ++a) sum = sum + (weight *= 10) * index(Axis<D>(a));
    store(f, cast<float>(sum));
  });
  return om.machine();
}

template om::Machine box<3>();
template om::Machine box<4>();

}  // namespace paraiso::test
