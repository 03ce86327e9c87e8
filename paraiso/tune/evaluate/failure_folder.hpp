// FailureFolder: the sources of the individuals that failed last, for the user to look at.
// Gives: FailureFolder. Needs: error.
//
// It lies beside the database, and not in the cache, which throws away what is not used.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace paraiso::tune {

class FailureFolder {
 public:
  /// Of `FILE` it is `FILE-failures`, made when it is needed first.
  explicit FailureFolder(const std::filesystem::path& database, std::size_t most = 50);

  /// Keeps what `write` puts into an empty folder under `name`, in the place of what was kept under
  /// it before, and only the newest ones of all. Returns where it is; an empty path where `write`
  /// says false or throws Error, or where it can't be kept: no tuning ends for that.
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
