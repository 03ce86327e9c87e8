// Help: how `--help` looks: one line an option, so that it fits a screen.
// Gives: HelpFormatter. Needs: CLI11.
#pragma once

#include <CLI/CLI.hpp>

namespace paraiso::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(kOptionColumn); }
  /// The value's name alone: what excludes what is said where it is done wrong.
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? "" : " " + option->get_type_name();
  }

 private:
  static constexpr int kOptionColumn = 26;
};

}  // namespace paraiso::cli
