#include "paraiso/om/text/parse_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "paraiso/base/text.hpp"

namespace paraiso::om {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_mark(char c) { return std::string_view("=:,()\"").find(c) != std::string_view::npos; }

}  // namespace

LineCursor::LineCursor(std::string_view line, Location location)
    : rest_(line), location_(location) {
  skip(0);
}

void LineCursor::skip(std::size_t count) {
  rest_.remove_prefix(count);
  while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  if (!rest_.empty() && rest_.front() == '#') rest_ = {};
}

std::string_view LineCursor::peek() const {
  auto end =
      std::ranges::find_if(rest_, [](char c) { return is_blank(c) || is_mark(c) || c == '#'; });
  return rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
}

std::string_view LineCursor::word(std::string_view expected) {
  auto found = peek();
  if (found.empty()) fail_expected(expected);
  skip(found.size());
  return found;
}

std::string_view LineCursor::identifier(std::string_view expected) {
  auto found = word(expected);
  if (!is_identifier(found))
    fail(
        fmt::format("{} is no identifier: expected {} in letters, digits and single underscores, "
                    "at most 64, not starting with a digit",
                    shown(found), expected));
  return found;
}

int LineCursor::integer(std::string_view expected, int low, int high) {
  auto found = word(expected);
  int value = 0;
  auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
  if (error != std::errc{} || end != found.data() + found.size() || value < low || value > high)
    fail(fmt::format("expected {} from {} to {}, got {}", expected, low, high, shown(found)));
  return value;
}

std::string_view LineCursor::quoted(std::string_view expected) {
  if (rest_.empty() || rest_.front() != '"') fail_expected(expected);
  auto close = rest_.find('"', 1);
  if (close == std::string_view::npos) fail(fmt::format("{} has no closing `\"`", shown(rest_)));
  auto found = rest_.substr(1, close - 1);
  skip(close + 1);
  return found;
}

bool LineCursor::accept(char mark) {
  if (rest_.empty() || rest_.front() != mark) return false;
  skip(1);
  return true;
}

bool LineCursor::accept(std::string_view expected_word) {
  if (peek() != expected_word) return false;
  skip(expected_word.size());
  return true;
}

void LineCursor::expect(char mark) {
  if (!accept(mark)) fail_expected(fmt::format("`{}`", mark));
}

void LineCursor::expect_end() const {
  if (!at_end()) fail_expected("the end of the line");
}

void LineCursor::fail_expected(std::string_view expected) const {
  auto next = peek().empty() ? rest_.substr(0, 1) : peek();
  fail(fmt::format("expected {}, got {}", expected,
                   next.empty() ? "the end of the line" : shown(next)));
}

void LineCursor::fail_near(const std::string& message, std::string_view word,
                           const std::vector<std::string>& candidates) const {
  Error error(location_, message);
  auto near = nearest(word, candidates);
  throw near.empty() ? error : error.with_hint(fmt::format("did you mean `{}`?", near));
}

}  // namespace paraiso::om
