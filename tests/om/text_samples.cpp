#include "tests/om/text_samples.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace paraiso::test {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::filesystem::path> files_in(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  auto root = std::filesystem::path(PARAISO_SOURCE_DIR) / "tests" / folder;
  for (const auto& entry : std::filesystem::directory_iterator(root))
    if (entry.path().extension() == ".om") files.push_back(entry.path());
  if (files.empty()) throw std::runtime_error("no .om file in " + root.string());
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> samples() {
  std::vector<std::string> texts;
  for (const auto& file : files_in("om/samples")) texts.push_back(read_text(file));
  return texts;
}

}  // namespace paraiso::test
