#include "paraiso/base/text.hpp"

#include <algorithm>
#include <cstdio>

namespace paraiso {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

bool is_identifier(std::string_view text) {
  if (text.empty() || text.size() > 64 || !is_letter(text[0])) return false;
  if (text.find("__") != std::string_view::npos) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

std::string_view trimmed(std::string_view text, std::string_view characters) {
  const auto first = text.find_first_not_of(characters);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(characters) - first + 1);
}

bool is_dotted_name(std::string_view text) {
  for (const auto& piece : split(text, '.'))
    if (!is_identifier(piece)) return false;
  return true;
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > 64) return {};
  std::string best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 2) + 1;
  for (const auto& candidate : candidates) {
    if (std::size_t distance = edit_distance(word, candidate); distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string shown(std::string_view text) {
  std::string result = "`";
  for (unsigned char c : text.substr(0, 60)) {
    char escape[5];
    std::snprintf(escape, sizeof escape, c >= ' ' && c <= '~' ? "%c" : "\\x%02x", c);
    result += escape;
  }
  return result + (text.size() > 60 ? "...`" : "`");
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces(1);
  for (char c : text) {
    if (c == separator)
      pieces.emplace_back();
    else
      pieces.back() += c;
  }
  return pieces;
}

std::string without_comments(std::string_view source) {
  std::string code;
  for (const std::string& line : split(source, '\n'))
    code += line.substr(0, line.find("//")) + "\n";
  return code;
}

std::uint64_t fnv1a(std::string_view text, std::uint64_t seed) {
  for (unsigned char c : text) seed = (seed ^ c) * 0x100000001b3u;
  return seed;
}

std::string hex(std::uint64_t value) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value));
  return digits;
}

}  // namespace paraiso
