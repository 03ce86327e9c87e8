// How C++ spells types, constants, operators of reductions and rules of boundaries.
// Gives: cpp_type, cpp_literal, cpp_list, functor, side_name, side_constant, side_rules, wrap_line.
// Needs: om, lanes.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>

#include "paraiso/om/graph/machine.hpp"
#include "paraiso/passes/analysis/value_range.hpp"

namespace paraiso::codegen {

[[nodiscard]] const char* cpp_type(om::Element element);  // "bool", "std::int32_t", "double", ...
[[nodiscard]] const char* cpp_type(passes::Lane lane);
[[nodiscard]] std::string cpp_literal(om::Constant value);

/// `{0, 4}`
template <class Number>
[[nodiscard]] std::string cpp_list(const std::vector<Number>& numbers) {
  return fmt::format("{{{}}}", fmt::join(numbers, ", "));
}

/// `support::Sum`: what combines two items of a reduction.
[[nodiscard]] std::string functor(om::ReduceOp op);

/// `support::Side::outflow`.
[[nodiscard]] std::string side_name(const om::Boundary& side);
/// The literal of a fixed value; for other sides a zero of `element`.
[[nodiscard]] std::string side_constant(const om::Boundary& side, om::Element element);
/// The names of both, then their constants.
[[nodiscard]] std::string side_rules(const std::array<om::Boundary, 2>& sides, om::Element element);

/// Breaks a line that is too long at its last comma or operator before column 100.
[[nodiscard]] std::string wrap_line(const std::string& line);

}  // namespace paraiso::codegen
