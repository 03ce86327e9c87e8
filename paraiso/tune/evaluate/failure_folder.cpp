#include "paraiso/tune/evaluate/failure_folder.hpp"

#include <stdlib.h>

#include <algorithm>
#include <vector>

#include "paraiso/base/error.hpp"

namespace paraiso::tune {

namespace fs = std::filesystem;

namespace {

bool has_written(const std::function<bool(const fs::path&)>& write, const fs::path& folder) {
  try {
    return write(folder);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

FailureFolder::FailureFolder(const fs::path& database, std::size_t most)
    : path_(database.string() + "-failures"), most_(most) {}

fs::path FailureFolder::keep(const std::string& name,
                             const std::function<bool(const fs::path&)>& write) const {
  std::error_code error;
  fs::create_directories(path_, error);
  std::string making = (path_ / "making-XXXXXX").string();
  if (mkdtemp(making.data()) == nullptr) return {};
  const fs::path kept = path_ / name;
  bool done = has_written(write, making);
  if (done) {
    fs::remove_all(kept, error);
    fs::rename(making, kept, error);
    done = !error;
  }
  if (!done) fs::remove_all(making, error);
  remove_oldest();
  return done ? kept : fs::path();
}

void FailureFolder::remove_oldest() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error))
    if (const auto time = fs::last_write_time(entry.path(), error); !error)
      found.emplace_back(time, entry.path());
  std::ranges::sort(found, std::greater());
  for (std::size_t i = most_; i < found.size(); ++i) fs::remove_all(found[i].second, error);
}

}  // namespace paraiso::tune
