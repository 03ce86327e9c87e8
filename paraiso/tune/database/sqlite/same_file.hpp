// SameFile: whether a path still names the file that it named first. Gives: SameFile. Needs: Error.
//
// Who has a file open can write on after it is removed, and all that is lost. Its number tells.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <utility>

namespace paraiso::tune {

class SameFile {
 public:
  /// To be made after the file is opened for writing: some file systems copy it then.
  explicit SameFile(const std::filesystem::path& path) : path_(path), first_(number()) {}

  /// Throws Error if the path names nothing now, or another file.
  void require() const;

 private:
  using Number = std::pair<dev_t, ino_t>;
  [[nodiscard]] std::optional<Number> number() const;

  std::filesystem::path path_;
  std::optional<Number> first_;
};

}  // namespace paraiso::tune
