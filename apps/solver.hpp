// What the solvers here share: from the command line's choices to one instance of a solver's
// template.
// Gives: kFloats, instantiate, uniform_size, option_of, chosen. Needs: App, frontend, method.
#pragma once

#include "numerics/method.hpp"
#include "paraiso/frontend/frontend.hpp"
#include "paraiso/runtime/app.hpp"

namespace paraiso::apps {

inline const std::vector<om::Element> kFloats{om::Element::f64, om::Element::f32};

/// Calls `build.operator()<Real, D>()` for the precision and the dimension of `options`; `D...` are
/// the dimensions that the solver offers.
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

/// The same number of cells along each axis, about `cells` in all.
[[nodiscard]] inline std::vector<std::int64_t> uniform_size(int dimension, std::int64_t cells) {
  const auto edge = std::llround(std::pow(static_cast<double>(cells), 1.0 / dimension));
  return std::vector<std::int64_t>(dimension, edge);
}

/// An option whose values are the rows of a table of methods.
template <class F>
[[nodiscard]] Option option_of(const char* name, const char* summary,
                               const numerics::Methods<F>& methods) {
  Option option{name, summary, {}};
  for (const numerics::Method<F>& method : methods)
    option.values.push_back({method.name, method.summary});
  return option;
}

/// The row that was chosen, from a table with the names of `option_of`.
template <class F>
[[nodiscard]] F chosen(const Choices& choices, const Option& option,
                       const numerics::Methods<F>& methods) {
  const std::string& name = choices.value(option);
  for (const numerics::Method<F>& method : methods)
    if (name == method.name) return method.function;
  throw Error("option `" + option.name + "` has a value `" + name + "` without a method");
}

}  // namespace paraiso::apps
