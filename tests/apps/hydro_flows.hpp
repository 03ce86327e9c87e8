// Flows of the solver of gases, for its tests, compiled or interpreted.
// Gives: Setup, machine, other_choices, compiled, interpreted, run_steps, run_until, cells, least.
// Needs: apps/hydro, runtime.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "apps/hydro/hydro.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/build/compile.hpp"
#include "paraiso/runtime/fields/state.hpp"
#include "tests/support/compiled.hpp"

namespace paraiso {

using passes::Numbers;
using Size = std::vector<std::int64_t>;
using Flow = std::unique_ptr<runtime::Instance>;

struct Setup {
  std::string problem;
  int dimension = 2;
  om::Element precision = om::Element::f64;
  Numbers numbers = Numbers::fma;
  int threads = 1;                        // tests run side by side
  std::vector<std::string> choices = {};  // "option=value"
  auto operator<=>(const Setup&) const = default;
};

inline om::Machine machine(const Setup& setup) {
  const App app = apps::hydro();
  return passes::prepare(app.build({setup.dimension, setup.precision, setup.problem,
                                    choose(app, setup.problem, setup.choices)}),
                         setup.numbers);
}

/// `option=value` for each value but the default of each of these options.
inline std::vector<std::string> other_choices(const std::set<std::string>& options) {
  std::vector<std::string> assignments;
  const App app = apps::hydro();
  for (const Option& option : app.options)
    for (const OptionValue& value : option.values)
      if (options.contains(option.name) && value.name != option.values[0].name)
        assignments.push_back(option.name + "=" + value.name);
  EXPECT_GE(assignments.size(), 2 * options.size());
  return assignments;
}

/// Generated code under the default schedule; each setup is compiled once.
inline Flow compiled(const Setup& setup, const Size& size) {
  static std::map<Setup, runtime::Library> libraries;
  auto found = libraries.find(setup);
  if (found == libraries.end()) {
    const auto program = machine(setup);
    const auto schedule = plan::default_schedule(program);
    runtime::CompileOptions options;
    options.cache = PARAISO_BINARY_DIR "/test-cache";
    options.optimization = "-O1";  // the bits are those of any
    options.threads = setup.threads;
    found =
        libraries.emplace(setup, runtime::compile(plan::plan_program(program, schedule), options))
            .first;
  }
  return found->second.instance(size);
}

inline Flow interpreted(const Setup& setup, const Size& size) {
  return runtime::interpreter_instance(machine(setup), size);
}

inline void run_steps(runtime::Instance& flow, int steps) {
  for (int i = 0; i < steps; ++i) flow.run("proceed");
}

inline void run_until(runtime::Instance& flow, const std::string& problem, double until) {
  flow.set_scalar("time_limit", until);
  flow.run(problem);
  while (flow.scalar("time") < until) flow.run("proceed");
}

/// The core cells of a field, axis 0 fastest.
inline std::vector<double> cells(runtime::Instance& flow, const std::string& field) {
  std::vector<double> values;
  const auto view = flow.field(field);
  runtime::for_each_cell(flow.size(),
                         [&](const Size& cell) { values.push_back(view.get(cell).to_double()); });
  return values;
}

inline double least(runtime::Instance& flow, const std::string& field) {
  double value = INFINITY;
  for (double v : cells(flow, field)) value = v < value ? v : std::isnan(v) ? -INFINITY : value;
  return value;
}

}  // namespace paraiso
