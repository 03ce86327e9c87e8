// Programs that reduce what they make. Gives: Reduced, kOfFourKinds, kSumsAlone, kReductions,
// reducing. Needs: om, passes.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "paraiso/om/text/print.hpp"
#include "paraiso/passes/passes.hpp"

namespace paraiso {

/// A reduction: its name, operator, element, and which value of the program it reduces.
struct Reduced {
  const char *name, *op, *element, *value;
};
using Reductions = std::vector<Reduced>;

/// A sum and a product of floats, whose bits depend on the order, and two without an order.
inline const Reductions kOfFourKinds = {{"total", "sum", "f64", "d"},
                                        {"scale", "product", "f64", "factor"},
                                        {"first", "min", "f64", "next"},
                                        {"count", "sum", "i64", "whole"}};

/// The same without a minimum: what no cell can miss unnoticed.
inline const Reductions kSumsAlone = {
    kOfFourKinds[0], kOfFourKinds[1], {"first", "sum", "i64", "other"}, kOfFourKinds[3]};

/// Each operator with each element that it has, but those of kOfFourKinds; four at a time, as many
/// as blocks of one group reduce. Of the truths, one cell decides.
inline const std::vector<Reductions> kReductions = {{{"total", "sum", "f32", "d32"},
                                                     {"scale", "product", "f32", "factor32"},
                                                     {"least", "min", "f32", "d32"},
                                                     {"count", "sum", "i32", "short"}},
                                                    {{"most", "max", "f64", "d"},
                                                     {"found", "any", "bool", "most"},
                                                     {"none", "all", "bool", "less"}},
                                                    {{"most", "max", "f32", "d32"},
                                                     {"least", "min", "i32", "short"},
                                                     {"last", "max", "i64", "whole"},
                                                     {"odd", "product", "i64", "odd"}},
                                                    {{"last", "max", "i32", "short"},
                                                     {"least", "min", "i64", "whole"},
                                                     {"odd", "product", "i32", "odd32"}}};

/// Each step stores a field of doubles, and reduces it and what follows from it.
inline om::Machine reducing(int dimension, const Reductions& reductions = kOfFourKinds) {
  std::string text =
      fmt::format("paraiso 1\nmachine reducing dimension {}\nstatic u local f64\n", dimension);
  for (int axis = 0; axis < dimension; ++axis)
    text +=
        fmt::format("  boundary {} {}\n", axis, axis == 0 ? "outflow outflow" : "cyclic cyclic");
  for (const Reduced& one : reductions)
    text += fmt::format("static {} global {}\n", one.name, one.element);
  text += "kernel proceed step\n  %u = load u\n  %l = shift %u (1";
  for (int axis = 1; axis < dimension; ++axis) text += ", 0";
  text +=
      ")\n"
      "  %d = sub %u %l\n"
      "  %next = neg %d\n"
      "  %unit = imm f64 1\n"
      "  %one = broadcast %unit\n"
      "  %speck = imm f64 0.0001\n"
      "  %tiny = broadcast %speck\n"
      "  %small = mul %d %tiny\n"
      "  %factor = add %one %small\n"
      "  %many = imm f64 1000\n"
      "  %times = broadcast %many\n"
      "  %large = mul %d %times\n"
      "  %whole = cast %large i64\n"
      "  %larger = mul %next %large\n"
      "  %other = cast %larger i64\n"
      "  %d32 = cast %d f32\n"
      "  %factor32 = cast %factor f32\n"
      "  %short = cast %large i32\n"
      "  %twice = add %whole %whole\n"
      "  %lone = imm i64 1\n"
      "  %ones = broadcast %lone\n"
      "  %odd = add %twice %ones\n"
      "  %odd32 = cast %odd i32\n"
      "  %top = reduce max %d\n"
      "  %limit = broadcast %top\n"
      "  %most = eq %d %limit\n"
      "  %less = lt %d %limit\n"
      "  store u %next\n";
  for (const Reduced& one : reductions)
    text += fmt::format("  %made_{} = reduce {} %{}\n  store {} %made_{}\n", one.name, one.op,
                        one.value, one.name, one.name);
  text += "end\nend machine\n";
  return passes::prepare(om::parse(text, "reducing.om"), passes::Numbers::fma);
}

}  // namespace paraiso
