// value_range: the range of each integer value, and the narrowest type that holds it.
// Gives: Range, value_ranges, Lane, lane_of, storage_lane. Needs: om.
//
//   %1 = cast %0 i32      # of a bool            ->  [0, 1]
//   %2 = add %1 %1        #                      ->  [0, 2], which a byte holds
//
// A range holds every result of its operator on the operands' ranges. Where an operator may wrap,
// and for everything loaded from memory, it is the element's whole range.
#pragma once

#include "paraiso/om/graph/graph.hpp"

namespace paraiso::passes {

using om::Range;

/// Per value of `graph`; none for floats.
[[nodiscard]] std::vector<std::optional<Range>> value_ranges(const om::Graph& graph);

/// The type that a processor computes a value in: an element, or a narrower integer.
enum class Lane : std::uint8_t { boolean, i8, i16, i32, i64, f32, f64 };
[[nodiscard]] Lane lane_of(om::Element element);
[[nodiscard]] std::size_t size_of(Lane lane);
[[nodiscard]] inline bool is_integer(Lane lane) { return Lane::i8 <= lane && lane <= Lane::i64; }
/// The smallest integer that holds a range.
[[nodiscard]] Lane lane_of(const Range& range);
/// The smallest that holds a value of this element and range.
[[nodiscard]] Lane storage_lane(om::Element element, const std::optional<Range>& range);

}  // namespace paraiso::passes
