// Gray and Scott's model: two chemicals that react, diffuse and draw a labyrinth; any dimension.
#pragma once

#include "paraiso/frontend/frontend.hpp"

template <class Real, int D>
paraiso::om::Machine gray_scott() {
  using namespace paraiso;
  Builder<D> om("gray_scott");
  Field<Real, D> u{om, "u", cyclic()}, v{om, "v", cyclic()};
  Parameter<Real, D> feed{om, "feed", Real(0.0545)}, kill{om, "kill", Real(0.062)};

  om.initial("square", [&] {  // a square (or cube) of v in the middle of u
    auto inside = product<D>(
        [&](Axis<D> a) { return cast<Real>(abs(2 * index(a) + 1 - size(a)) < size(a) / 8); });
    store(u, 1 - 0.5 * inside);
    store(v, 0.25 * inside);
  });

  om.step("proceed", [&] {
    auto laplacian = [](const auto& f) {
      return sum<D>([&](Axis<D> a) { return at(f, +a) + at(f, -a) - 2 * f; });
    };
    auto u0 = load(u), v0 = load(v);
    auto reaction = u0 * v0 * v0;
    store(u, u0 + 0.16 * laplacian(u0) - reaction + load(feed) * (1 - u0));
    store(v, v0 + 0.08 * laplacian(v0) + reaction - (load(feed) + load(kill)) * v0);
  });
  return om.machine();
}
