// FailureFolder: the sources of the individuals that failed last, for the user to look at.
// Gives: FailureFolder. Needs: error.
//
// It lies next to the database, not in the cache, which removes what is not used.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace paraiso::tune {

class FailureFolder {
 public:
  /// For a database `FILE` it is `FILE-failures`, created when it is first needed.
  explicit FailureFolder(const std::filesystem::path& database, std::size_t most = 50);

  /// Keeps what `write` puts into an empty folder under `name`, replacing what was kept under it
  /// before; of all folders only the newest stay. Returns the path; an empty one if `write` returns
  /// false or throws Error, or if nothing can be kept: that must not end a tuning.
  [[nodiscard]] std::filesystem::path keep(
      const std::string& name,
      const std::function<bool(const std::filesystem::path&)>& write) const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  void remove_oldest() const;

  std::filesystem::path path_;
  std::size_t most_;
};

}  // namespace paraiso::tune
