#include "tests/device/opened.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace paraiso {
namespace {

/// A folder for what PoCL keeps.
class PoclFolder {
 public:
  PoclFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "paraiso_pocl_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
    setenv("POCL_CACHE_DIR", name.c_str(), 1);
    setenv("POCL_MAX_PTHREAD_COUNT", "2", 1);
  }
  ~PoclFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

 private:
  std::filesystem::path path_;
};

Opened open_one() {
  try {
    return {paraiso_opencl::Device(), ""};
  } catch (const std::runtime_error& error) {
    return {std::nullopt, error.what()};
  }
}

}  // namespace

const Opened& opened() {
  static const PoclFolder folder;
  static const Opened one = open_one();
  return one;
}

}  // namespace paraiso
