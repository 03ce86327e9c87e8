// Where complete spaces of others lie, in Kernel Tuner's formats or as recordings.
// Gives: folder_of_others. Needs: nothing.
//
// The repository has none of them: those in ../shared/spaces, or in the folder PARAISO_SPACES.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace paraiso::test {

inline std::filesystem::path folder_of_others() {
  const char* named = std::getenv("PARAISO_SPACES");
  return named ? named : std::filesystem::path(PARAISO_SOURCE_DIR) / ".." / "shared" / "spaces";
}

}  // namespace paraiso::test
