// range: the integers that an operator's result can be, given those that its operands can be.
// Gives: Range, holds, RangeRule and a rule for each sort of operator. Needs: the C++ library.
//
// A range holds every result of such operands, computed exactly; there is none where an exact
// result may not fit 64 bits. Whether a result wraps in a narrower element is for the caller to
// check.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace paraiso::om {

/// All integers from `lowest` to `highest`; for a bool, 0 and 1.
struct Range {
  std::int64_t lowest, highest;
  friend bool operator==(const Range&, const Range&) = default;
};
[[nodiscard]] inline bool holds(const Range& outer, const Range& inner) {
  return outer.lowest <= inner.lowest && inner.highest <= outer.highest;
}

/// The range of an operator's result, from those of its operands.
using RangeRule = std::optional<Range>(std::span<const Range> operands);

namespace range_rule {
RangeRule operand, sum, difference, opposite, product, magnitude, sign, lesser, greater, complement,
    common_bits, same_bits, either;
inline constexpr RangeRule* unknown = nullptr;  // whatever the operands are
}  // namespace range_rule

}  // namespace paraiso::om
