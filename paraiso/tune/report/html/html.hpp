// HTML: escaped text, and tables.
// Gives: escaped, HtmlTable, html. Needs: nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paraiso::tune {

/// As text of an element, or as an attribute's value in double quotes.
[[nodiscard]] std::string escaped(std::string_view text);

/// A table of plain texts. Columns of numbers are aligned to the right, others to the left.
struct HtmlTable {
  std::string caption;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  // each as long as the head
};
[[nodiscard]] std::string html(const HtmlTable& table);

}  // namespace paraiso::tune
