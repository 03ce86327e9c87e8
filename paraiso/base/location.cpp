#include "paraiso/base/location.hpp"

#include <mutex>
#include <set>

namespace paraiso {

std::string Location::text() const {
  if (!known()) return {};
  std::string_view name = file;
  if (auto slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
  return std::string(name) + ":" + std::to_string(line);
}

const char* intern_file(std::string_view file) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> files;
  std::lock_guard lock(mutex);
  auto found = files.find(file);
  if (found == files.end()) found = files.emplace(file).first;
  return found->c_str();
}

}  // namespace paraiso
