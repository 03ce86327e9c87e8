// require_writable: whether a result can be written, asked before the work for it.
// Gives: require_writable. Needs: runtime's files.
#pragma once

#include "paraiso/runtime/system/file.hpp"

namespace paraiso::cli {

/// Throws Error as writing there would, and leaves nothing behind; an empty path needs nothing.
inline void require_writable(const std::string& path) {
  if (!path.empty()) const runtime::AtomicFile tried(path);
}

}  // namespace paraiso::cli
