// Values at which arithmetic is special, of each element: signed zeros, infinities, NaN, denormals,
// the least and the greatest, and numbers whose products and sums cancel exactly.
// Gives: special_values, kSpecialValues, special_state. Needs: interpret, and an Rng.
#pragma once

#include <vector>

#include "paraiso/base/rng.hpp"
#include "paraiso/om/interpret/interpret.hpp"

namespace paraiso::test {

[[nodiscard]] const std::vector<om::Constant>& special_values(om::Element element);

/// Rounds 0 and 1 have all pairs of special values in the cells of `a` and `b` of one element, the
/// others any; in round n the globals of these have pair n. What else there is has any value.
[[nodiscard]] om::State special_state(const om::Machine& machine, std::vector<std::int64_t> size,
                                      int round, Rng& rng);

/// How many special values an element has at most: a grid of the square of so many cells has all
/// pairs, and so have so many rounds.
inline constexpr std::int64_t kSpecialValues = 33;

}  // namespace paraiso::test
