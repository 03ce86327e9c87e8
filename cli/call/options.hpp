// options: those that take a number, with exact complaints. The variables that they set must live
// as long as the command. Gives: add_count, add_positive. Needs: values.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>

#include "cli/call/values.hpp"

namespace paraiso::cli {

/// A whole number in [minimum, maximum].
template <class Number>
CLI::Option* add_count(CLI::App& command, const std::string& name, Number& value,
                       const std::string& help, std::int64_t minimum = 1,
                       std::int64_t maximum = INT64_MAX) {
  if constexpr (sizeof(Number) < sizeof maximum)  // it holds what it is given
    maximum = std::min<std::int64_t>(maximum, std::numeric_limits<Number>::max());
  return command
      .add_option_function<std::string>(
          name,
          [=, &value](const std::string& text) {
            value = static_cast<Number>(parse_count(name, text, minimum, maximum));
          },
          help)
      ->type_name("N");
}

/// A finite number above 0.
template <class Number>
CLI::Option* add_positive(CLI::App& command, const std::string& name, Number& value,
                          const std::string& help) {
  return command
      .add_option_function<std::string>(
          name, [=, &value](const std::string& text) { value = parse_positive(name, text); }, help)
      ->type_name("T");
}

}  // namespace paraiso::cli
