// A built-in solver's program by its name, with all options at their defaults. Gives: built_app.
// Needs: apps.
#pragma once

#include "apps/apps.hpp"
#include "paraiso/passes/passes.hpp"

namespace paraiso::tune {

/// As written: of the first problem, in f64.
inline om::Machine built_app(const std::string& name, int dimension) {
  for (const App& app : apps::built_in())
    if (app.name == name)
      return app.build({dimension, app.precisions.front(), app.problems.front().name});
  throw std::logic_error("no app " + name);
}

inline om::Machine prepared(const om::Machine& machine) {
  return passes::prepare(machine, passes::Numbers::fma);
}

}  // namespace paraiso::tune
