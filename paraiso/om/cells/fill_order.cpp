#include "paraiso/om/cells/fill_order.hpp"

#include <algorithm>

#include "paraiso/base/error.hpp"
#include "paraiso/om/cells/sides.hpp"

namespace paraiso::om {

bool overwrites_sides(const Machine& machine, StaticId filled, StaticId other) {
  const Static &made = machine.at(other), &read = machine.at(filled);
  if (!made.type.is_local() || !read.type.is_local()) return false;
  bool overwrites = false;  // along a later axis
  for (std::size_t a = made.boundary.size(); a-- > 0;) {
    if (overwrites && std::ranges::count(read_by_sides(machine, made.boundary[a]), filled) > 0)
      return true;
    overwrites |= is_cyclic(made.boundary[a]) && !is_cyclic(read.boundary[a]);
  }
  return false;
}

FillOrder fill_order(const Machine& machine) {
  std::vector<StaticId> left;
  for (std::size_t s = 0; s < machine.statics.size(); ++s) left.emplace_back(s);
  FillOrder order;
  while (!left.empty()) {
    auto next = std::ranges::find_if(left, [&](StaticId id) {
      return std::ranges::none_of(
          left, [&](StaticId other) { return overwrites_sides(machine, id, other); });
    });
    if (next == left.end()) {
      order.suits_parts = false;
      next = left.begin();
    }
    order.statics.push_back(*next);
    left.erase(next);
  }
  return order;
}

void check_fills_in_parts(const Machine& machine) {
  if (!fill_order(machine).suits_parts)
    throw Error(
        "the grid can't be divided: boundary kernels of two fields read the other field, and each "
        "field is cyclic along an axis where the other is not");
}

}  // namespace paraiso::om
