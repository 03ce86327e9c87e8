// field_cells: an interpreter's array as the fields of generated code have it in memory.
// Gives: in_memory, in_memory_at. Needs: om.
#pragma once

#include <vector>

#include "paraiso/om/interpret.hpp"

namespace paraiso::verify {

/// All cells, axis 0 fastest.
[[nodiscard]] std::vector<char> in_memory(const om::Array& array);

/// Cell number `i` of those.
[[nodiscard]] om::Constant in_memory_at(om::Element element, const std::vector<char>& cells,
                                        std::size_t i);

}  // namespace paraiso::verify
