// An extremum of an extremum with the same bound, in each way to write both: the lesser or the
// greater, by an operator or a comparison, strict or not, with the bound on either side. A bound is
// a constant, which compilers know to be no NaN. Gives: nested_extrema. Needs: om.
#pragma once

#include <fmt/format.h>

#include "paraiso/om/text/print.hpp"

namespace paraiso::test {

/// How `%NAME` is chosen of x and the bound b: form 0 to 15.
inline std::string extremum_text(int form, bool greater, const std::string& name,
                                 const std::string& x, const std::string& b) {
  const auto& [first, second] = form & 1 ? std::pair(b, x) : std::pair(x, b);
  const bool equal = form & 2, swapped = form & 4;
  if (form == 0 || form == 1)
    return fmt::format("{} = {} {} {}\n", name, greater ? "max" : "min", first, second);
  const bool above = greater != swapped;
  return fmt::format("{0}_c = {1} {2} {3}\n{0} = select {0}_c {4} {5}\n", name,
                     above ? (equal ? "ge" : "gt") : (equal ? "le" : "lt"), first, second,
                     swapped ? second : first, swapped ? first : second);
}

/// A kernel for each inner form, which stores what each outer form makes of it, or of a
/// neighbour's.
inline om::Machine nested_extrema() {
  constexpr int kForms = 8;
  const std::string sides = "  boundary 0 cyclic cyclic\n  boundary 1 cyclic cyclic\n";
  std::string text = "paraiso 1\nmachine nested_extrema dimension 2\nstatic a local f64\n" + sides;
  for (int outer = 0; outer < kForms; ++outer)
    text += fmt::format("static r{} local f64\n{}", outer, sides);
  for (const bool greater : {false, true})
    for (const char* bound : {"0", "1.5"})
      for (int inner = 0; inner < kForms; ++inner)
        for (const bool neighbour : {false, true}) {
          text += fmt::format(
              "kernel {}_{}_{}{}\n%x = load a\n%i = imm f64 {}\n%b = broadcast %i\n{}%s = shift %y "
              "(1, 0)\n",
              greater ? "max" : "min", *bound == '0' ? "zero" : "one", inner,
              neighbour ? "_of_neighbour" : "", bound,
              extremum_text(inner, greater, "%y", "%x", "%b"));
          for (int outer = 0; outer < kForms; ++outer)
            text += extremum_text(outer, greater, fmt::format("%z{}", outer),
                                  neighbour ? "%s" : "%y", "%b") +
                    fmt::format("store r{0} %z{0}\n", outer);
          text += "end\n";
        }
  return om::parse(text + "end machine\n");
}

}  // namespace paraiso::test
