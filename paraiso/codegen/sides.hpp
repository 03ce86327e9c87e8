// sides: how generated code names the rule of one side of an axis.
// Gives: side_name, side_constant. Needs: om.
#pragma once

#include <string>

#include "paraiso/om/machine.hpp"

namespace paraiso::codegen {

/// `support::Side::outflow`.
[[nodiscard]] std::string side_name(const om::Boundary& side);
/// The literal of a fixed value; of other sides a zero of `element`.
[[nodiscard]] std::string side_constant(const om::Boundary& side, om::Element element);

}  // namespace paraiso::codegen
