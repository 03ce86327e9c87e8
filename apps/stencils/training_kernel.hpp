// The kernels that FAST (2015, section 6) fills its database with: stars in three dimensions.
// Gives: training_kernel. Needs: frontend.
#pragma once

#include <deque>
#include <optional>

#include "paraiso/frontend/frontend.hpp"

namespace paraiso::apps {

using Star = Local<float, 3>;

/// The sum over the groups of one shell of neighbours, each times its own factor.
template <class Factor>
Star add_shell(Star sum, const Star& u, int distance, int parameters, const Factor& factor) {
  std::vector<std::optional<Star>> groups(parameters);
  for (int point = 0; point < 6; ++point) {
    const Axis<3> axis(point / 2);
    const Star value = at(u, (point % 2 == 0 ? distance : -distance) * axis);
    std::optional<Star>& group = groups[point % parameters];
    group = group ? Star(*group + value) : value;
  }
  for (int p = 0; p < parameters; ++p) sum = sum + factor(p) * *groups[p];
  return sum;
}

/// `order` shells of six neighbours in `parameters` groups; of `arrays` arrays half are read and
/// half are written. Each result adds the one before it.
inline om::Machine training_kernel(int order, int parameters, int arrays) {
  Builder<3> om("training");
  std::deque<Field<float, 3>> fields;
  for (int f = 0; f < arrays / 2; ++f) fields.emplace_back(om, "u" + std::to_string(f), cyclic());
  std::deque<Parameter<float, 3>> factors;
  for (int k = 0; k < order * parameters; ++k)
    factors.emplace_back(om, "c" + std::to_string(k), 1e-4f);
  om.initial("ramp", [&] {
    const Axis<3> x(0), z(2);
    for (const auto& field : fields)
      store(field, cast<float>(index(x) + index(z)) / cast<float>(size(x) + size(z)));
  });
  om.step("proceed", [&] {
    std::optional<Star> before;
    for (const auto& field : fields) {
      const Star u = load(field);
      Star sum = u;
      for (int shell = 0; shell < order; ++shell)
        sum = add_shell(sum, u, shell + 1, parameters,
                        [&](int p) { return load(factors[shell * parameters + p]); });
      before = before ? Star(sum + *before) : sum;
      store(field, *before);
    }
  });
  return om.machine();
}

}  // namespace paraiso::apps
