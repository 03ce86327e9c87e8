// App: a solver as the command line sees it: its choices, its problems and how to build its
// machine. Gives: Problem, AppOptions, App. Needs: Machine.
#pragma once

#include <functional>

#include "paraiso/om/machine.hpp"

namespace paraiso {

struct Problem {
  std::string name;     // an identifier; names the machine's initial kernel
  std::string summary;  // one line
  double until = 0;     // where `run` stops unless told otherwise; 0: after `steps`
  std::int64_t steps = 100;
  std::vector<std::int64_t> (*size)(int dimension) = nullptr;  // unless told otherwise
};

struct AppOptions {
  int dimension = 2;
  om::Element precision = om::Element::f64;
  std::string problem;
};

/// `build` throws Error for a choice it does not have; the command line has checked dimension,
/// precision and problem against the lists here before. Before each output and at the end, `run`
/// executes the machine's diagnostics: plain kernels that store Globals alone, which no kernel
/// loads (totals, say). It prints them in the end, and what the plain kernel named `error` stores,
/// if there is one (`l1_error`, ...).
struct App {
  std::string name;
  std::string summary;          // one line
  std::vector<int> dimensions;  // dimensions[0] is the default
  std::vector<om::Element> precisions;
  std::vector<Problem> problems;  // problems[0] is the default
  std::function<om::Machine(const AppOptions&)> build;
};

}  // namespace paraiso
