// paraiso/support/elementary in the words of device code: its functions on doubles, one after
// the other, with the same constants and the same bits. Gives: elementary_text. Needs: nothing.
//
// Whoever changes one changes both; a test compares their numbers, and another one their results.
#pragma once

#include <string_view>

namespace paraiso::codegen {

/// Definitions with an empty line between two, each calling only those before it, and functions of
/// operators (min_f64, max_f64).
[[nodiscard]] std::string_view elementary_text();

}  // namespace paraiso::codegen
