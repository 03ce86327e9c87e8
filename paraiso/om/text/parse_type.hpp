// The words of types and constants in `.om` text.
// Gives: parse_element_word, parse_type, parse_constant. Needs: LineCursor, Type.
#pragma once

#include "paraiso/om/graph/type.hpp"
#include "paraiso/om/text/parse_line.hpp"

namespace paraiso::om {

/// Takes `f64`.
[[nodiscard]] Element parse_element_word(LineCursor& line);

/// Takes `local f64`.
[[nodiscard]] Type parse_type(LineCursor& line);

/// Takes a number of `element`, or `true` or `false`.
[[nodiscard]] Constant parse_constant(LineCursor& line, Element element);

}  // namespace paraiso::om
