// What tests read in a report's page: its tables, pictures and curves. Gives: Rows, caught, table,
// picture, curves. Needs: OpenSSL.
#pragma once

#include <openssl/evp.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace paraiso::tune {

using Rows = std::vector<std::vector<std::string>>;

/// What `expression` catches, one after the other.
inline std::vector<std::string> caught(const std::string& text, const std::string& expression) {
  const std::regex compiled(expression);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), compiled), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

/// The cells below the head of the table with this caption; none where there is no such table.
inline Rows table(const std::string& text, const std::string& caption) {
  const auto begin = text.find("<caption>" + caption + "</caption>");
  if (begin == std::string::npos) return {};
  Rows rows;
  for (const std::string& row :
       caught(text.substr(begin, text.find("</table>", begin) - begin), "<tr>(<td.*)</tr>"))
    rows.push_back(caught(row, "<td[^>]*>([^<]*)</td>"));
  return rows;
}

inline std::string decoded(const std::string& base64) {
  std::string bytes(base64.size(), ' ');
  const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                     reinterpret_cast<const unsigned char*>(base64.data()),
                                     static_cast<int>(base64.size()));
  bytes.resize(static_cast<std::size_t>(std::max(0, length)));
  return bytes;
}

/// The picture with this title; empty where there is none.
inline std::string picture(const std::string& text, const std::string& title) {
  const std::string before = "<img alt=\"" + title + "\" src=\"data:image/svg+xml;base64,";
  const auto begin = text.find(before);
  if (begin == std::string::npos) return "";
  const auto from = begin + before.size();
  return decoded(text.substr(from, text.find('"', from) - from));
}

/// The names of the curves of that picture.
inline std::set<std::string> curves(const std::string& text, const std::string& title) {
  const std::string svg = picture(text, title), curve = "<title>gnuplot_plot_";
  std::set<std::string> names;
  for (auto at = svg.find(curve), next = at; at != std::string::npos; at = next) {
    next = svg.find(curve, at + 1);
    const auto texts = caught(svg.substr(at, next - at), "<text>([^<]*)</text>");
    // Behind the last curve stands the title.
    if (!texts.empty() && texts.front() != title) names.insert(texts.front());
  }
  return names;
}

}  // namespace paraiso::tune
