// What the proofs of limiter.patch and riemann_solver.patch share: the solver of gases with a
// method chosen by name, as `--choose` does. Gives: offers, entropy_wave_error. Needs: apps/hydro.
#pragma once

#include <algorithm>

#include "apps/hydro/hydro.hpp"
#include "paraiso/om/interpret/interpret.hpp"

namespace paraiso {

inline bool offers(const char* option, const char* value) {
  const App app = apps::hydro();
  const auto found = std::ranges::find(app.options, option, &Option::name);
  return found != app.options.end() &&
         std::ranges::find(found->values, value, &OptionValue::name) != found->values.end();
}

/// Of a density wave that is carried once around `cells` cells, by the interpreter.
inline double entropy_wave_error(const char* choice, std::int64_t cells) {
  const App app = apps::hydro();
  const AppOptions options{1, om::Element::f64, "entropy_wave",
                           choose(app, "entropy_wave", {choice})};
  const om::Machine program = app.build(options);
  om::State state = om::initial_state(program, {cells});
  const auto scalar = [&](const char* name) -> om::Array& {
    return state.arrays[program.find_static(name)->index];
  };
  const auto run = [&](const char* kernel) {
    om::interpret(program, *program.find_kernel(kernel), state);
  };
  scalar("time_limit").set(0, om::Constant(1.0));
  run("entropy_wave");
  while (scalar("time").at(0).to_double() < 1) run("proceed");
  run("error");
  return scalar("l1_error").at(0).to_double();
}

}  // namespace paraiso
