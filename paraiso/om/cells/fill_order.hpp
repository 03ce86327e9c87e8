// fill_order: which halo is filled before which, where parts of a grid fill their own.
// Gives: FillOrder, fill_order, check_fills_in_parts, overwrites_sides. Needs: Machine.
//
// Beyond the end of an axis along which `a` is cyclic, a part keeps what it needs of the other end.
// There it makes ghost cells of `a` along earlier axes by boundary kernels, from cells of other
// statics that it keeps at the same places. If such a static is not cyclic along that axis, the
// filling of its own halo overwrites them: so `a` comes first.
#pragma once

#include <vector>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::om {

struct FillOrder {
  std::vector<StaticId> statics;  // all; in their own order where either will do
  /// Two halos would each have to be filled before the other, along different axes.
  bool suits_parts = true;
};
[[nodiscard]] FillOrder fill_order(const Machine& machine);
/// Throws Error if no order suits parts.
void check_fills_in_parts(const Machine& machine);
/// Filling the halo of `filled` overwrites what boundary kernels of `other` read in a part.
[[nodiscard]] bool overwrites_sides(const Machine& machine, StaticId filled, StaticId other);

}  // namespace paraiso::om
