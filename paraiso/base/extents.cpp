#include "paraiso/base/extents.hpp"

#include <charconv>

#include "paraiso/base/text.hpp"

namespace paraiso {
namespace {

std::int64_t extent_of(std::string_view word) {
  std::int64_t extent = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), extent);
  const bool whole = error == std::errc{} && end == word.data() + word.size();
  return whole && extent > 0 ? extent : 0;
}

}  // namespace

std::vector<std::int64_t> extents_of(std::string_view size) {
  std::vector<std::int64_t> extents;
  for (const std::string& word : split(size, 'x')) extents.push_back(extent_of(word));
  return extents;
}

}  // namespace paraiso
