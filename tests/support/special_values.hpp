// Values at which arithmetic is special, of each element: signed zeros, infinities, NaN, denormals,
// the least and the greatest, and numbers whose products and sums cancel exactly.
// Gives: special_values. Needs: Constant.
#pragma once

#include <vector>

#include "paraiso/om/type.hpp"

namespace paraiso::test {

[[nodiscard]] const std::vector<om::Constant>& special_values(om::Element element);

}  // namespace paraiso::test
