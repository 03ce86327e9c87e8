#include "paraiso/runtime/system/control_group.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

namespace paraiso::runtime {
namespace {

/// Where a version of control groups writes what it knows about memory.
struct Hierarchy {
  const char* folder;  // below the root
  const char* limit;
  const char* use;
  const char* statistics_prefix;  // of sums over a group and its descendants
  bool unified;
};
constexpr Hierarchy kHierarchies[] = {
    {"", "memory.max", "memory.current", "", true},
    {"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_", false},
};

/// A file that holds one number; none for "max".
std::optional<double> number_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  double value;
  if (file >> value) return value;
  return std::nullopt;
}

/// This process's group in a hierarchy.
std::string group_in(const std::filesystem::path& groups, const Hierarchy& hierarchy) {
  std::ifstream file(groups);
  for (std::string line; std::getline(file, line);) {
    const auto second = line.find(':', line.find(':') + 1);
    if (second == std::string::npos) continue;
    const bool memory = line.find(":memory:") != std::string::npos;
    if (hierarchy.unified ? line.rfind("0::", 0) == 0 : memory) return line.substr(second + 1);
  }
  return "/";
}

/// The bytes of cached files.
double cached_files(const std::filesystem::path& group, const Hierarchy& hierarchy) {
  const std::string prefix = hierarchy.statistics_prefix;
  std::ifstream file(group / "memory.stat");
  double sum = 0, bytes;
  for (std::string name; file >> name >> bytes;)
    if (name == prefix + "active_file" || name == prefix + "inactive_file") sum += bytes;
  return sum;
}

}  // namespace

std::optional<double> control_group_room(const std::filesystem::path& root,
                                         const std::filesystem::path& groups) {
  std::optional<double> room;
  for (const auto& hierarchy : kHierarchies) {
    auto folder = root / hierarchy.folder;
    const auto visit = [&] {
      const auto limit = number_in(folder / hierarchy.limit);
      const auto use = number_in(folder / hierarchy.use);
      if (!limit || !use) return;
      const auto kept = std::max(0.0, *use - cached_files(folder, hierarchy));
      room = std::min(room.value_or(INFINITY), std::max(0.0, *limit - kept));
    };
    visit();
    for (const auto& part : std::filesystem::path(group_in(groups, hierarchy)).relative_path()) {
      folder /= part;
      visit();
    }
  }
  return room;
}

}  // namespace paraiso::runtime
