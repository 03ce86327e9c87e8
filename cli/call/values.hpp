// values: the values of options, read with exact complaints.
// Gives: kMostCells, parse_size, parse_count, finite_number, parse_positive. Needs: WrongCall.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paraiso::cli {

/// No machine has memory for more cells, and products of sizes stay within 64 bits.
inline constexpr double kMostCells = 0x1p56;

/// `1024x512`: the number of cells along each axis; what `before` says is named before it. Throws
/// WrongCall for an invalid size: zero, negative, not a number, more than 64 bits can count, or not
/// `dimension` axes.
[[nodiscard]] std::vector<std::int64_t> parse_size(std::string_view text, int dimension,
                                                   std::string_view before = "--size ");

/// A whole number in [minimum, maximum]. Throws WrongCall, naming the option.
[[nodiscard]] std::int64_t parse_count(std::string_view option, std::string_view text,
                                       std::int64_t minimum = 1, std::int64_t maximum = INT64_MAX);

/// None if it is not a finite number.
[[nodiscard]] std::optional<double> finite_number(std::string_view text);

/// A finite number above zero. Throws WrongCall, naming the option.
[[nodiscard]] double parse_positive(std::string_view option, std::string_view text);

}  // namespace paraiso::cli
