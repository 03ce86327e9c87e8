// The machines that the runtime's tests run.
// Gives: drift, counter, box. Needs: the front end.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::test {

/// Two dimensions and everything that a run looks at: fields `u` (real), `count` (i32), `warm`
/// (bool); time, domain bounds, parameters `rate` in [0, 1], `level` (i32, at least 1) and
/// `poison`, the time from which cell (3, 1) of `u` is NaN; problems `bump` and `flat`, step
/// `proceed`, kernel `double_u`.
template <class Real>
[[nodiscard]] om::Machine drift();
extern template om::Machine drift<double>();
extern template om::Machine drift<float>();

/// One dimension without time: `n` counts up from the cell's index; problem `zero`.
[[nodiscard]] om::Machine counter();

/// Three dimensions or four, field `f` is x + 10 y + 100 z + ... of the cell's index after `ramp`;
/// no step.
template <int D = 3>
[[nodiscard]] om::Machine box();
extern template om::Machine box<3>();
extern template om::Machine box<4>();

}  // namespace paraiso::test
