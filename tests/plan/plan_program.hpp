// Small programs for tests of plans. Gives: program, with, only, two_fluxes. Needs: plan.
#pragma once

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"
#include "paraiso/plan/plan.hpp"

namespace paraiso::plan {

inline om::Machine program(const std::string& body, int dimension = 1) {
  std::string text = "paraiso 1\nmachine test dimension " + std::to_string(dimension) + "\n";
  for (const char* name : {"f", "g"}) {
    text += std::string("static ") + name + " local f64\n";
    for (int a = 0; a < dimension; ++a)
      text += "  boundary " + std::to_string(a) + " outflow outflow\n";
  }
  text += "static s global f64\nkernel proceed step\n" + body + "end\nend machine\n";
  return passes::prepare(om::parse(text), passes::Numbers::strict);
}

inline Schedule with(std::map<std::string, std::string> choices) { return {std::move(choices)}; }

inline const KernelPlan& only(const Plan& plan) { return plan.kernels[0]; }

/// Quotients at the faces along x and along y, and what they change.
inline om::Machine two_fluxes() {
  return program(
      "%0 = load f\n%1 = shift %0 (-1, 0)\n%2 flux_x = div %0 %1\n%3 = shift %0 (0, -1)\n"
      "%4 flux_y = div %0 %3\n%5 = shift %2 (1, 0)\n%6 = sub %5 %2\n%7 = shift %4 (0, 1)\n"
      "%8 = sub %7 %4\n%9 = add %6 %8\nstore f %9\n",
      2);
}

}  // namespace paraiso::plan
