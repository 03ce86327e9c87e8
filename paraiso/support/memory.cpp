#include "paraiso/support/memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace paraiso_support {
namespace {

/// The first line of a file, empty where there is none.
std::string line_of(const char* path) {
  char line[4096] = "";
  if (std::FILE* const file = std::fopen(path, "r")) {
    if (std::fgets(line, sizeof line, file) == nullptr) line[0] = 0;
    std::fclose(file);
  }
  return line;
}

}  // namespace

[[gnu::weak]] double cached_bytes(const char* size) {
  return kept_bytes(1024 * std::strtod(size, nullptr));
}

[[gnu::weak]] double last_level_bytes() {
  static const double bytes =
      cached_bytes(line_of("/sys/devices/system/cpu/cpu0/cache/index3/size").c_str());
  return bytes;
}

[[gnu::weak]] int count_processors(const char* list) {
  long count = 0;
  while (*list >= '0' && *list <= '9') {
    char* end = nullptr;
    const long first = std::strtol(list, &end, 10);
    count += (*end == '-' ? std::strtol(end + 1, &end, 10) : first) - first + 1;
    list = *end == ',' ? end + 1 : end;
  }
  return static_cast<int>(count);
}

[[gnu::weak]] double sharing_a_cache(int parts) {
  static const double share = [] {  // of all processors, those with one such cache
    const int processors = count_processors(line_of("/sys/devices/system/cpu/online").c_str());
    const int sharing = count_processors(
        line_of("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list").c_str());
    return sharing == 0 || sharing > processors ? 1.0 : static_cast<double>(sharing) / processors;
  }();
  const double count = parts * share;
  return count > 1 ? count : 1;
}

}  // namespace paraiso_support
