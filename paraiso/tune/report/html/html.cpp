#include "paraiso/tune/report/html/html.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace paraiso::tune {

namespace {

bool looks_like_number(const std::string& text) {
  return text.find_first_of("0123456789") != std::string::npos &&
         text.find_first_not_of("0123456789+-.e()\u00b1 ") == std::string::npos;
}

/// Empty cells, dashes and failures count as neither.
bool is_numeric(const HtmlTable& table, std::size_t column) {
  bool some = false;
  for (const auto& row : table.rows) {
    if (row[column].empty() || row[column] == "-" || row[column] == "failed") continue;
    if (!looks_like_number(row[column])) return false;
    some = true;
  }
  return some;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      case '\'': safe += "&#39;"; break;
      default: safe += c;
    }
  return safe;
}

std::string html(const HtmlTable& table) {
  std::vector<const char*> classes;
  for (std::size_t column = 0; column < table.head.size(); ++column)
    classes.push_back(is_numeric(table, column) ? " class=\"number\"" : "");
  std::string text = "<div class=\"wide\"><table>\n";
  if (!table.caption.empty())
    text += fmt::format("<caption>{}</caption>\n", escaped(table.caption));
  const auto add_row = [&](const std::vector<std::string>& cells, const char* tag) {
    text += "<tr>";
    for (std::size_t column = 0; column < cells.size(); ++column)
      text += fmt::format("<{0}{1}>{2}</{0}>", tag, classes[column], escaped(cells[column]));
    text += "</tr>\n";
  };
  add_row(table.head, "th");
  for (const auto& row : table.rows) add_row(row, "td");
  return text + "</table></div>\n";
}

}  // namespace paraiso::tune
