// A program that reduces what it makes by four operators. Gives: WithoutOrder, reducing. Needs: om,
// passes.
#pragma once

#include <fmt/format.h>

#include <string>

#include "paraiso/om/print.hpp"
#include "paraiso/passes/passes.hpp"

namespace paraiso {

/// What is reduced in any order besides a sum of integers: a minimum, or another such sum, which no
/// cell can miss unnoticed.
enum class WithoutOrder : std::uint8_t { minimum, sum };

/// Each step stores a field of doubles, and reduces it and what follows from it: a sum and a
/// product of floats, whose bits depend on the order, and two without an order.
inline om::Machine reducing(int dimension, WithoutOrder first = WithoutOrder::minimum) {
  const bool minimum = first == WithoutOrder::minimum;
  std::string text =
      fmt::format("paraiso 1\nmachine reducing dimension {}\nstatic u local f64\n", dimension);
  for (int axis = 0; axis < dimension; ++axis)
    text +=
        fmt::format("  boundary {} {}\n", axis, axis == 0 ? "outflow outflow" : "cyclic cyclic");
  text += fmt::format("static total global f64\nstatic scale global f64\nstatic first global {}\n",
                      minimum ? "f64" : "i64") +
          "static count global i64\n"
          "kernel proceed step\n"
          "  %u = load u\n"
          "  %l = shift %u (1";
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
      "  %total = reduce sum %d\n"
      "  %scale = reduce product %factor\n"
      "  %first = reduce ";
  text += minimum ? "min %next\n" : "sum %other\n";
  text +=
      "  %count = reduce sum %whole\n"
      "  store u %next\n  store total %total\n  store scale %scale\n  store first %first\n"
      "  store count %count\nend\nend machine\n";
  return passes::prepare(om::parse(text, "reducing.om"), passes::Numbers::fma);
}

}  // namespace paraiso
