#include "paraiso/tune/database/sqlite/same_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "paraiso/base/error.hpp"

namespace paraiso::tune {

std::optional<SameFile::Number> SameFile::number() const {
  struct stat found {};
  if (stat(path_.c_str(), &found) != 0) return std::nullopt;
  return Number(found.st_dev, found.st_ino);
}

void SameFile::require() const {
  const auto now = number();
  if (now == first_) return;
  throw Error(fmt::format("the tuning database `{}` {}: nothing more is kept", path_.string(),
                          now ? "is another file than at the start" : "was removed or moved away"));
}

}  // namespace paraiso::tune
