// algorithm_features: what a cell of a kernel costs and reads, by the program alone.
// Gives: NumberList, add_algorithm, LiveRows, live_rows, main_element. Needs: plan.
//
// As FAST counts (section 5): flop density is the number of floating-point operations of a cell,
// two for a fused multiply-add; reference density the bytes of the distinct (array, offset) pairs
// that it reads; arrays are counted as they are read and as they are written. Everything that
// shares a value is counted once, and whatever is computed once for all cells not at all.
#pragma once

#include <string>
#include <vector>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::tune {

using NumberList = std::vector<std::pair<std::string, double>>;

void add_algorithm(const om::Machine& program, const om::Kernel& kernel, NumberList& numbers);

/// Rows of arrays that are read or written while one row is computed, and their bytes a cell.
struct LiveRows {
  double rows = 0, bytes = 0;
};
[[nodiscard]] LiveRows live_rows(const om::Kernel& kernel);

/// The element that most bytes of a cell's results have.
[[nodiscard]] om::Element main_element(const om::Kernel& kernel);

}  // namespace paraiso::tune
