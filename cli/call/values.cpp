#include "cli/call/values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

#include "cli/call/session.hpp"
#include "paraiso/base/axis_name.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/runtime/fields/parameters.hpp"

namespace paraiso::cli {
namespace {

bool is_whole_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// None if 64 bits can't hold it.
std::optional<std::int64_t> whole_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const bool fits =
      std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{};
  return fits ? std::optional(value) : std::nullopt;
}

/// Of a size, whose cells are counted before it is used.
std::int64_t saturated(std::string_view text) {
  return whole_number(text).value_or(text.starts_with('-') ? INT64_MIN : INT64_MAX);
}

std::string example_size(int dimension) {
  return fmt::format("{}", fmt::join(std::vector<int>(dimension, 64), "x"));
}

}  // namespace

std::vector<std::int64_t> parse_size(std::string_view text, int dimension,
                                     std::string_view before) {
  const std::string named = fmt::format("`{}{}`", before, text);
  std::vector<std::int64_t> size;
  double cells = 1;
  const auto pieces = split(text, 'x');
  for (const std::string& piece : pieces) {
    if (!is_whole_number(piece))
      throw WrongCall(fmt::format("{}: `{}` is no whole number", named, piece) +
                      fmt::format("; a size is written like `{}`", example_size(dimension)));
    size.push_back(saturated(piece));
    if (size.back() < 1 && static_cast<int>(pieces.size()) == dimension)
      throw WrongCall(fmt::format("{}: axis {} has {} cells and needs at least 1", named,
                                  axis_name(static_cast<int>(size.size()) - 1), piece));
    cells *= static_cast<double>(size.back());
  }
  if (static_cast<int>(size.size()) != dimension)
    throw WrongCall(fmt::format("{} has {} {} and the machine has {}: write it like `{}`", named,
                                size.size(), size.size() == 1 ? "axis" : "axes", dimension,
                                example_size(dimension)));
  if (cells > kMostCells)
    throw WrongCall(fmt::format("{}: {:.2g} cells are more than any memory holds", named, cells));
  return size;
}

std::int64_t parse_count(std::string_view option, std::string_view text, std::int64_t minimum,
                         std::int64_t maximum) {
  const bool whole = is_whole_number(text);
  const auto value = whole ? whole_number(text) : std::nullopt;
  if (value && *value >= minimum && *value <= maximum) return *value;
  const bool unlimited = maximum == INT64_MAX && (value || !whole || text.starts_with('-'));
  const std::string upper = unlimited ? "" : fmt::format(" and at most {}", maximum);
  throw WrongCall(fmt::format("`{}` needs a whole number of at least {}{}, got {}", option, minimum,
                              upper, shown(text)));
}

std::optional<double> finite_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

double parse_positive(std::string_view option, std::string_view text) {
  if (const auto value = finite_number(text); value && *value > 0) return *value;
  throw WrongCall(fmt::format("`{}` needs a number above 0, got `{}`", option, text));
}

}  // namespace paraiso::cli
