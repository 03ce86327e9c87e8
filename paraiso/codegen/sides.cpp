#include "paraiso/codegen/sides.hpp"

#include "paraiso/codegen/print_cpp.hpp"

namespace paraiso::codegen {

using namespace om;

std::string side_name(const Boundary& side) {
  return std::visit(Overload{
                        [](const Cyclic&) { return "support::Side::cyclic"; },
                        [](const Outflow&) { return "support::Side::outflow"; },
                        [](const Reflect& b) {
                          return b.sign < 0 ? "support::Side::reflect_negative"
                                            : "support::Side::reflect";
                        },
                        [](const Fixed&) { return "support::Side::value"; },
                        [](const UserBoundary&) { return "support::Side::value"; },
                    },
                    side);
}

std::string side_constant(const Boundary& side, Element element) {
  const auto* fixed = std::get_if<Fixed>(&side);
  return cpp_literal(fixed ? fixed->value : Constant::from_double(element, 0));
}

}  // namespace paraiso::codegen
