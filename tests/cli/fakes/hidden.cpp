// Loaded before everything else, hides files whose path ends with a word of $HIDDEN_FILES, wherever
// they lie: so a program that is installed here seems not to be.
#include <dlfcn.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <string>

namespace {

bool hidden(const char* path) {
  const char* const all = std::getenv("HIDDEN_FILES");
  std::istringstream words(all ? all : "");
  const std::string file = path;
  for (std::string end; words >> end;)
    if (file.size() >= end.size() && file.compare(file.size() - end.size(), end.size(), end) == 0)
      return errno = ENOENT, true;
  return false;
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int access(const char* path, int mode) noexcept {
  static const auto next = real<int(const char*, int)>("access");
  return hidden(path) ? -1 : next(path, mode);
}
int stat(const char* path, struct stat* found) noexcept {
  static const auto next = real<int(const char*, struct stat*)>("stat");
  return hidden(path) ? -1 : next(path, found);
}
}
