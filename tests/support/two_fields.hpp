// Programs of two fields, for the tests that need no more than a kernel's body.
// Gives: two_fields. Needs: om's text form, prepare.
#pragma once

#include <string>

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::test {

/// Fields `f` and `g` of f64 with `sides` along each axis; `body` is the text of the step kernel
/// `proceed`. Prepared for generated code, strict.
[[nodiscard]] om::Machine two_fields(int dimension, const std::string& body,
                                     const std::string& sides = "cyclic cyclic");

}  // namespace paraiso::test
