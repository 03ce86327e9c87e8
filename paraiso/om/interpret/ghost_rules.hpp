// What the rule of a side makes of a cell beyond it, one cell at a time.
// Gives: bring_inside, without_periods, negated_if. Needs: Boundary, evaluate.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::om {

/// Applies the rule of a side once to an index beyond it, of an axis of `n` cells; `negative`
/// changes where values come back with the other sign. False, and nothing changes, if the side
/// fills the cell.
[[nodiscard]] bool bring_inside(const Boundary& side, bool upper, std::int64_t n,
                                std::int64_t& index, bool& negative);

/// Takes whole periods of an axis's two rules from an index outside, so that few steps of
/// `bring_inside` are left however far it is.
[[nodiscard]] std::int64_t without_periods(const std::array<Boundary, 2>& sides, std::int64_t n,
                                           std::int64_t index, bool& negative);

[[nodiscard]] Constant negated_if(bool negative, Constant x);

}  // namespace paraiso::om
