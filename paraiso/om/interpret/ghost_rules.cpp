#include "paraiso/om/interpret/ghost_rules.hpp"

namespace paraiso::om {

bool bring_inside(const Boundary& side, bool upper, std::int64_t n, std::int64_t& index,
                  bool& negative) {
  if (std::holds_alternative<Cyclic>(side)) {
    index += upper ? -n : n;
  } else if (std::holds_alternative<Outflow>(side)) {
    index = upper ? n - 1 : 0;
  } else if (const auto* reflect = std::get_if<Reflect>(&side)) {
    index = upper ? 2 * n - 1 - index : -1 - index;
    negative ^= reflect->sign < 0;
  } else {
    return false;
  }
  return true;
}

std::int64_t without_periods(const std::array<Boundary, 2>& sides, std::int64_t n,
                             std::int64_t index, bool& negative) {
  if (std::holds_alternative<Cyclic>(sides[0]) && std::holds_alternative<Cyclic>(sides[1]))
    return index % n;
  const auto *lower = std::get_if<Reflect>(&sides[0]), *upper = std::get_if<Reflect>(&sides[1]);
  if (lower == nullptr || upper == nullptr) return index;
  if (lower->sign != upper->sign && index / (2 * n) % 2 != 0) negative = !negative;
  return index % (2 * n);
}

Constant negated_if(bool negative, Constant x) {
  Constant result = x;
  if (negative) evaluate(Op::neg, std::span(&x, 1), x.element(), std::span(&result, 1));
  return result;
}

}  // namespace paraiso::om
