#include "paraiso/om/graph/range.hpp"

#include <algorithm>
#include <array>

namespace paraiso::om::range_rule {

namespace {

using OperandRanges = std::span<const Range>;
using Exact = std::optional<Range>;

Exact subtracted(const Range& a, const Range& b) {
  Range r{};
  if (__builtin_sub_overflow(a.lowest, b.highest, &r.lowest) ||
      __builtin_sub_overflow(a.highest, b.lowest, &r.highest))
    return {};
  return r;
}

/// The upper end of the range without negative values; of two such ranges, the lesser end.
std::int64_t least_positive(const Range& a, const Range& b) {
  if (a.lowest < 0) return b.highest;
  return b.lowest < 0 ? a.highest : std::min(a.highest, b.highest);
}

std::int64_t sign_of(std::int64_t value) { return (value > 0) - (value < 0); }

}  // namespace

Exact operand(OperandRanges x) { return x[0]; }

Exact sum(OperandRanges x) {
  Range r{};
  if (__builtin_add_overflow(x[0].lowest, x[1].lowest, &r.lowest) ||
      __builtin_add_overflow(x[0].highest, x[1].highest, &r.highest))
    return {};
  return r;
}

Exact difference(OperandRanges x) { return subtracted(x[0], x[1]); }

Exact opposite(OperandRanges x) { return subtracted({0, 0}, x[0]); }

Exact product(OperandRanges x) {
  const Range &a = x[0], &b = x[1];
  std::array<std::int64_t, 4> corners{};
  if (__builtin_mul_overflow(a.lowest, b.lowest, &corners[0]) ||
      __builtin_mul_overflow(a.lowest, b.highest, &corners[1]) ||
      __builtin_mul_overflow(a.highest, b.lowest, &corners[2]) ||
      __builtin_mul_overflow(a.highest, b.highest, &corners[3]))
    return {};
  return Range{*std::ranges::min_element(corners), *std::ranges::max_element(corners)};
}

Exact magnitude(OperandRanges x) {
  if (x[0].lowest >= 0) return x[0];
  const Exact mirrored = opposite(x);
  if (!mirrored) return {};
  return Range{0, std::max(x[0].highest, mirrored->highest)};
}

Exact sign(OperandRanges x) { return Range{sign_of(x[0].lowest), sign_of(x[0].highest)}; }

Exact lesser(OperandRanges x) {
  return Range{std::min(x[0].lowest, x[1].lowest), std::min(x[0].highest, x[1].highest)};
}

Exact greater(OperandRanges x) {
  return Range{std::max(x[0].lowest, x[1].lowest), std::max(x[0].highest, x[1].highest)};
}

Exact complement(OperandRanges x) { return Range{~x[0].highest, ~x[0].lowest}; }

Exact common_bits(OperandRanges x) {
  if (x[0].lowest >= 0 || x[1].lowest >= 0) return Range{0, least_positive(x[0], x[1])};
  return same_bits(x);
}

/// All integers with at most as many bits as the longest end of two ranges; negative ones only if a
/// range has them.
Exact same_bits(OperandRanges x) {
  std::uint64_t bits = 0;
  for (const std::int64_t end : {x[0].lowest, x[0].highest, x[1].lowest, x[1].highest})
    bits |= static_cast<std::uint64_t>(end < 0 ? ~end : end);
  for (int shift = 1; shift < 64; shift *= 2) bits |= bits >> shift;
  const auto highest = static_cast<std::int64_t>(bits);
  return Range{std::min(x[0].lowest, x[1].lowest) < 0 ? ~highest : 0, highest};
}

Exact either(OperandRanges x) {
  return Range{std::min(x[1].lowest, x[2].lowest), std::max(x[1].highest, x[2].highest)};
}

}  // namespace paraiso::om::range_rule
