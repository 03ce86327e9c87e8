// What the folders here share: from the command line's choices to one instance of a solver's
// template. Gives: kFloats, instantiate, uniform_size. Needs: App, frontend.
#pragma once

#include "paraiso/frontend/frontend.hpp"
#include "paraiso/runtime/app.hpp"

namespace paraiso::apps {

inline const std::vector<om::Element> kFloats{om::Element::f64, om::Element::f32};

/// Calls `build.operator()<Real, D>()` for the precision and the dimension of `options`; `D...` are
/// the dimensions that there are.
template <int... D, class Build>
om::Machine instantiate(const AppOptions& options, Build build) {
  om::Machine machine;
  const auto in_dimension = [&]<class Real>() {
    return ((options.dimension == D && (machine = build.template operator()<Real, D>(), true)) ||
            ...);
  };
  const bool found = options.precision == om::Element::f32
                         ? in_dimension.template operator()<float>()
                         : in_dimension.template operator()<double>();
  if (!found) throw Error("no such solver in " + std::to_string(options.dimension) + " dimensions");
  return machine;
}

/// As many cells along each axis as make about `cells` in all.
[[nodiscard]] inline std::vector<std::int64_t> uniform_size(int dimension, std::int64_t cells) {
  const auto edge = std::llround(std::pow(static_cast<double>(cells), 1.0 / dimension));
  return std::vector<std::int64_t>(dimension, edge);
}

}  // namespace paraiso::apps
