// A size as it is written. Gives: extents_of. Needs: text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace paraiso {

/// Cells along each axis of a size like `512x256`, at least one; 0 for a word that is no number of
/// cells.
[[nodiscard]] std::vector<std::int64_t> extents_of(std::string_view size);

}  // namespace paraiso
