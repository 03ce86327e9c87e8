// A folder of our own in the system's temporary folder, removed at the end.
// Gives: TemporaryFolder. Needs: error.
#pragma once

#include <cstdlib>
#include <filesystem>

#include "paraiso/base/error.hpp"

namespace paraiso::runtime {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code none;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(none);
    if (none) throw Error("there is no folder for temporary files: set TMPDIR to one");
    auto pattern = (folder / "paraiso-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw Error("can't make the temporary folder `" + pattern + "`");
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace paraiso::runtime
