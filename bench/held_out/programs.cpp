#include "bench/held_out/programs.hpp"

#include "paraiso/frontend/frontend.hpp"

namespace paraiso::bench {

namespace {

using Real = float;
template <int D>
using Values = Local<Real, D>;

constexpr Axis<2> kX(0), kY(1);

/// 1 in the middle of the grid, falling to 0 towards its sides; less along the last axis.
template <int D>
Values<D> hill() {
  Values<D> height = Real(1);
  for (const Axis<D> a : axes<D>()) {
    const Values<D> place = (cast<Real>(index(a)) + Real(0.5)) / cast<Real>(size(a));
    height = height * (4 * place * (1 - place));
  }
  return height * (1 - cast<Real>(index(Axis<D>(D - 1))) / cast<Real>(3 * size(Axis<D>(D - 1))));
}

template <int D>
Values<D> laplacian(const Values<D>& u) {
  return sum<D>([&](Axis<D> a) { return at(u, +a) + at(u, -a) - 2 * u; });
}

/// Conserved: depth and the momenta along x and y.
struct Water {
  Values<2> depth, along, across;  // seen from one axis
};

/// Rusanov's flux of the upper side of each cell.
Water flux_along(const Water& w, const Values<2>& speed, const Global<Real, 2>& g, Axis<2> a) {
  const Values<2> velocity = w.along / w.depth;
  const Values<2> fastest = max(speed, at(speed, +a));
  const auto side = [&](const Values<2>& flow, const Values<2>& u) {
    return Values<2>(Real(0.5) * (flow + at(flow, +a)) - Real(0.5) * fastest * (at(u, +a) - u));
  };
  return {side(w.along, w.depth),
          side(w.along * velocity + Real(0.5) * g * w.depth * w.depth, w.along),
          side(w.across * velocity, w.across)};
}

}  // namespace

om::Machine shallow_water() {
  Builder<2> om("shallow_water");
  Field<Real, 2> depth{om, "depth", cyclic()}, mx{om, "mx", cyclic()}, my{om, "my", cyclic()};
  Parameter<Real, 2> gravity{om, "gravity", Real(9.81), {0.0, {}}};
  Parameter<Real, 2> courant{om, "courant", Real(0.4), {0.0, 0.5}};
  Scalar<Real, 2> fastest{om, "fastest"};
  om.initial("hill", [&] {
    const Values<2> h = 1 + Real(0.5) * hill<2>();
    store(depth, h);
    store(mx, 0);
    store(my, 0);
    store(fastest, sqrt(load(gravity) * reduce_max(h)));
  });
  om.step("proceed", [&] {
    const auto g = load(gravity);
    const Values<2> h = load(depth), u = load(mx), v = load(my);
    const Values<2> speed = max(abs(u), abs(v)) / h + sqrt(g * h);
    const auto dt = load(courant) / load(fastest);
    const Water x = flux_along({h, u, v}, speed, g, kX), y = flux_along({h, v, u}, speed, g, kY);
    const auto change = [&](const Values<2>& fx, const Values<2>& fy) {
      return Values<2>(dt * (fx - at(fx, -kX) + fy - at(fy, -kY)));
    };
    store(depth, h - change(x.depth, y.depth));
    store(mx, u - change(x.along, y.across));
    store(my, v - change(x.across, y.along));
    store(fastest, reduce_max(speed));
  });
  return om.machine();
}

om::Machine burgers() {
  Builder<2> om("burgers");
  Field<Real, 2> u{om, "u", cyclic()};
  Parameter<Real, 2> courant{om, "courant", Real(0.2), {0.0, 0.5}};
  Parameter<Real, 2> viscosity{om, "viscosity", Real(0.05), {0.0, 0.2}};
  om.initial("hill", [&] { store(u, hill<2>() - Real(0.25)); });
  om.step("proceed", [&] {
    const Values<2> u0 = load(u);
    const Values<2> left = (2 * at(u0, +kX) + 5 * u0 - at(u0, -kX)) / 6;
    const Values<2> right = (2 * u0 + 5 * at(u0, +kX) - at(u0, 2 * kX)) / 6;
    const Values<2> x_side = select(left + right > 0, left, right);
    const Values<2> y_side = select(u0 + at(u0, +kY) > 0, u0, at(u0, +kY));
    const Values<2> x = Real(0.5) * x_side * x_side, y = Real(0.5) * y_side * y_side;
    store(u,
          u0 - load(courant) * (x - at(x, -kX) + y - at(y, -kY)) + load(viscosity) * laplacian(u0));
  });
  return om.machine();
}

om::Machine gray_scott() {
  Builder<3> om("gray_scott");
  Field<Real, 3> u{om, "u", cyclic()}, v{om, "v", cyclic()};
  Parameter<Real, 3> feed{om, "feed", Real(0.04)}, kill{om, "kill", Real(0.06)};
  om.initial("hill", [&] {
    store(u, 1 - Real(0.5) * hill<3>());
    store(v, Real(0.25) * hill<3>());
  });
  om.step("proceed", [&] {
    const Values<3> u0 = load(u), v0 = load(v);
    const Values<3> reaction = u0 * v0 * v0;
    store(u, u0 + Real(0.1) * laplacian(u0) - reaction + load(feed) * (1 - u0));
    store(v, v0 + Real(0.05) * laplacian(v0) + reaction - (load(feed) + load(kill)) * v0);
  });
  return om.machine();
}

om::Machine elastic() {
  Builder<2> om("elastic");
  Field<Real, 2> vx{om, "vx", cyclic()}, vy{om, "vy", cyclic()};
  Field<Real, 2> sxx{om, "sxx", cyclic()}, syy{om, "syy", cyclic()}, sxy{om, "sxy", cyclic()};
  Field<Real, 2> light{om, "light", cyclic()};  // dt over the density
  Field<Real, 2> lambda{om, "lambda", cyclic()}, mu{om, "mu", cyclic()};
  om.initial("hill", [&] {
    for (const auto& zero : {&vx, &vy, &sxy}) store(*zero, 0);
    store(sxx, hill<2>());
    store(syy, hill<2>());
    store(light, Real(0.3) / (1 + hill<2>()));
    store(lambda, Real(0.3) * (1 + hill<2>()));
    store(mu, Real(0.2) * (1 + hill<2>()));
  });
  om.step("proceed", [&] {
    // Between a cell and the next one, and between it and the one before.
    const auto rise = [](const Values<2>& f, Axis<2> a) {
      return Values<2>(Real(9.0 / 8) * (at(f, +a) - f) -
                       Real(1.0 / 24) * (at(f, 2 * a) - at(f, -a)));
    };
    const auto fall = [&](const Values<2>& f, Axis<2> a) { return at(rise(f, a), -a); };
    const Values<2> xx = load(sxx), yy = load(syy), xy = load(sxy), l = load(light);
    const Values<2> u = load(vx) + l * (rise(xx, kX) + fall(xy, kY));
    const Values<2> v = load(vy) + l * (fall(xy, kX) + rise(yy, kY));
    const Values<2> ux = fall(u, kX), vy1 = fall(v, kY);
    store(vx, u);
    store(vy, v);
    store(sxx, xx + load(lambda) * (ux + vy1) + 2 * load(mu) * ux);
    store(syy, yy + load(lambda) * (ux + vy1) + 2 * load(mu) * vy1);
    store(sxy, xy + load(mu) * (rise(u, kY) + rise(v, kX)));
  });
  return om.machine();
}

om::Machine anisotropic() {
  Builder<3> om("anisotropic");
  Field<Real, 3> temperature{om, "temperature", cyclic()};
  Field<Real, 3> bx{om, "bx", cyclic()}, by{om, "by", cyclic()}, bz{om, "bz", cyclic()};
  Parameter<Real, 3> courant{om, "courant", Real(0.1), {0.0, 0.5}};
  om.initial("hill", [&] {
    store(temperature, 1 + hill<3>());
    store(bx, 1);
    store(by, hill<3>());
    store(bz, Real(0.5) - hill<3>());
  });
  om.step("proceed", [&] {
    const Values<3> t = load(temperature), x = load(bx), y = load(by), z = load(bz);
    const auto slope = [](const Values<3>& f, Axis<3> a) {
      return Values<3>(Real(0.5) * (at(f, +a) - at(f, -a)));
    };
    const Axis<3> ax(0), ay(1), az(2);
    const Values<3> along = x * slope(t, ax) + y * slope(t, ay) + z * slope(t, az);
    // Spitzer's t^(5/2) over the square of the direction's length.
    const Values<3> flow = along * t * t * sqrt(t) / (x * x + y * y + z * z);
    store(temperature,
          t + load(courant) * (slope(flow * x, ax) + slope(flow * y, ay) + slope(flow * z, az)));
  });
  return om.machine();
}

}  // namespace paraiso::bench
