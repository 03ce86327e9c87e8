// Help: the layout of `--help`: one line per option, so that it fits a screen.
// Gives: HelpFormatter. Needs: CLI11.
#pragma once

#include <CLI/CLI.hpp>

namespace paraiso::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(kOptionColumn); }
  std::string make_help(const CLI::App* command, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string text = Formatter::make_help(command, std::move(name), mode);
    while (text.ends_with("\n\n")) text.pop_back();
    // What must be said and what may be said stand together: a line more for the options.
    if (const auto gap = text.find("\n\nOptions:"); gap != std::string::npos) text.erase(gap, 1);
    return text;
  }
  /// The value's name alone: which options exclude each other is said when they are combined.
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? "" : " " + option->get_type_name();
  }

 private:
  static constexpr int kOptionColumn = 26;
};

}  // namespace paraiso::cli
