// inflate: a gzip file's content.
// Gives: inflated. Needs: zlib.
#pragma once

#include <string>
#include <string_view>

namespace paraiso::tune {

/// Of gzip data what was compressed; other data as they are. Throws Error if they are damaged,
/// truncated, or more than `most` bytes.
[[nodiscard]] std::string inflated(std::string data, std::size_t most = std::size_t{1} << 29);

}  // namespace paraiso::tune
