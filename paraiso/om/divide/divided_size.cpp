#include "paraiso/om/divide/divided_size.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <numeric>
#include <sstream>

namespace paraiso::om {

namespace {

constexpr std::string_view kOn = " on ";

std::string shape_of(const Cell& size, const Orthotree& tree) {
  const auto leaves = static_cast<std::int64_t>(tree.leaf_count());
  const auto parts = parts_along_axes(tree, size.size());
  const auto product = std::accumulate(parts.begin(), parts.end(), 1.0, std::multiplies<>());
  if (product == static_cast<double>(leaves) && tree == regular_division(size, parts))
    return fmt::format("{}", fmt::join(parts, "x"));
  if (tree == even_division(size, leaves)) return "even";
  std::istringstream text(print(tree));
  return fmt::format("{}", fmt::join(std::istream_iterator<std::string>(text),
                                     std::istream_iterator<std::string>(), " "));
}

}  // namespace

std::string divided_size(const Cell& size, const std::optional<Orthotree>& tree) {
  const std::string grid = fmt::format("{}", fmt::join(size, "x"));
  if (!tree || tree->leaf_count() == 1) return grid;
  return fmt::format("{}{}{} ranks ({})", grid, kOn, tree->leaf_count(), shape_of(size, *tree));
}

std::string grid_of(const std::string& size) { return size.substr(0, size.find(kOn)); }

std::string division_of(const std::string& size) {
  const auto on = size.find(kOn);
  return on == std::string::npos ? "" : size.substr(on + kOn.size());
}

int ranks_of(const std::string& size) {
  const std::string division = division_of(size);
  int ranks = 1;
  std::from_chars(division.data(), division.data() + division.size(), ranks);
  return std::max(1, ranks);
}

}  // namespace paraiso::om
