#include "paraiso/runtime/app.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/error.hpp"

namespace paraiso {

void require_whole(const App& app) {
  const auto lacks = [&](const char* what, const char* member) {
    throw Error(fmt::format("app `{}` has no {}: set its `{}`", app.name, what, member));
  };
  if (app.dimensions.empty()) lacks("dimension", "dimensions");
  if (app.precisions.empty()) lacks("precision", "precisions");
  if (app.problems.empty()) lacks("problem", "problems");
  for (const Option& option : app.options)
    if (option.values.empty())
      throw Error(fmt::format("option `{}` of app `{}` has no values: the first is the default",
                              option.name, app.name));
  if (!app.build) lacks("function that makes its machine", "build");
}

void require_as_asked(const App& app, const AppOptions& options, const om::Machine& machine) {
  if (machine.dimension != options.dimension)
    throw Error(fmt::format("app `{}` makes a machine of dimension {} where {} is asked for",
                            app.name, machine.dimension, options.dimension))
        .with_hint("its `build` must obey `options.dimension`, or `dimensions` not list it");
  // Of fields: times and parameters have the precision that they need.
  std::vector<om::Element> floats;
  for (const om::Static& entry : machine.statics)
    if (entry.type.is_local() && om::is_float(entry.type.element))
      floats.push_back(entry.type.element);
  if (floats.empty() || std::ranges::find(floats, options.precision) != floats.end()) return;
  throw Error(fmt::format("app `{}` makes a machine of {} where {} is asked for", app.name,
                          om::name(floats.front()), om::name(options.precision)))
      .with_hint("its `build` must obey `options.precision`, or `precisions` not list it");
}

}  // namespace paraiso
