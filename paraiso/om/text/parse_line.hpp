// LineCursor: one line of `.om` text, read from left to right.
// Gives: LineCursor. Needs: Error.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "paraiso/base/error.hpp"

namespace paraiso::om {

/// Words are separated by blanks; the marks `= : , ( ) "` stand for themselves; `#` starts a
/// comment. Every reader throws Error at the line when it does not find what it expects.
class LineCursor {
 public:
  LineCursor(std::string_view line, Location location);

  [[nodiscard]] Location location() const { return location_; }
  /// True if nothing but a comment is left.
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  /// The next word without taking it; empty at a mark or at the end.
  [[nodiscard]] std::string_view peek() const;

  /// Takes the next word; `expected` describes it: "a static's name".
  std::string_view word(std::string_view expected);
  /// Takes the next word, which is an identifier.
  std::string_view identifier(std::string_view expected);
  /// Takes the next word, which is an integer in [low, high].
  int integer(std::string_view expected, int low, int high);
  /// Takes `"text"`.
  std::string_view quoted(std::string_view expected);
  /// Takes `mark` or `expected_word` if it comes next.
  bool accept(char mark);
  bool accept(std::string_view expected_word);
  void expect(char mark);
  void expect_end() const;

  /// Passes over one word or mark.
  void skip_one() { skip(peek().empty() ? 1 : peek().size()); }

  [[noreturn]] void fail(const std::string& message) const { throw Error(location_, message); }
  /// Fails with `expected EXPECTED, got GOT`, GOT being what comes next.
  [[noreturn]] void fail_expected(std::string_view expected) const;
  /// Fails with `message` and a hint at the candidate nearest to `word`, if one is near.
  [[noreturn]] void fail_near(const std::string& message, std::string_view word,
                              const std::vector<std::string>& candidates) const;

 private:
  void skip(std::size_t count);

  std::string_view rest_;  // starts with no blank; empty from a comment on
  Location location_;
};

}  // namespace paraiso::om
