#include "paraiso/runtime/system/user_folder.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace paraiso::runtime {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::optional<fs::path> user_folder(const char* variable, const fs::path& below) {
  if (fs::path named = environment(variable); named.is_absolute()) return named;
  fs::path home = environment("HOME");
  if (home.empty())
    if (const passwd* entry = getpwuid(geteuid())) home = entry->pw_dir;
  if (home.empty()) return std::nullopt;
  return home / below;
}

}  // namespace paraiso::runtime
