// App: a solver as the command line sees it: its problems, its options and how to build its
// machine. Gives: Problem, AppOptions, App, require_whole, require_as_asked, choose. Needs:
// Machine, choices.
#pragma once

#include <functional>

#include "paraiso/om/graph/machine.hpp"
#include "paraiso/runtime/choices.hpp"

namespace paraiso {

struct Problem {
  std::string name;     // an identifier; names the machine's initial kernel
  std::string summary;  // one line
  double until = 0;     // where `run` stops by default; 0: after `steps`
  std::int64_t steps = 100;
  std::vector<std::int64_t> (*size)(int dimension) = nullptr;  // the default
};

struct AppOptions {
  int dimension = 2;
  om::Element precision = om::Element::f64;
  std::string problem;
  Choices choices = {};
};

/// `build` throws Error for a combination that it does not have; the command line has checked
/// dimension, precision, problem and choices against the lists here before. A problem only has an
/// option if its values make different programs: results of one choice are never taken for those of
/// another.
///
/// Before each output and at the end, `run` executes the machine's diagnostics: plain kernels that
/// store only Globals that no kernel loads (totals, say). At the end it prints them, and what the
/// plain kernel named `error` stores, if there is one (`l1_error`, ...).
struct App {
  std::string name;
  std::string summary;          // one line
  std::vector<int> dimensions;  // dimensions[0] is the default
  std::vector<om::Element> precisions;
  std::vector<Problem> problems;  // problems[0] is the default
  std::vector<Option> options = {};
  std::function<om::Machine(const AppOptions&)> build;
};

/// Throws Error for an app that lacks what every command needs.
void require_whole(const App& app);

/// Throws Error where `build` did not obey: a machine of another dimension, or whose fields are all
/// of another precision, would be shown as what it is not.
void require_as_asked(const App& app, const AppOptions& options, const om::Machine& machine);

/// The values that `assignments`, each `option=value`, choose for an app's problem. Throws Error
/// for an option or a value that does not exist.
[[nodiscard]] inline Choices choose(const App& app, std::string_view problem,
                                    const std::vector<std::string>& assignments) {
  return choose(app.name, app.options, problem, assignments);
}

}  // namespace paraiso
