// What a mistake in a kernel is told as. Gives: LINE, message, without_rule, at_lines.
// Needs: the front end.
#pragma once

#include <string>

#include "program.hpp"

namespace paraiso {

/// Remembers the line after it.
#define LINE(name) const int name = __LINE__ + 1

template <class Body>
std::string message(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Without the verifier's note on its rule, whose words are tested in tests/om.
inline std::string without_rule(const std::string& text) {
  return text.substr(0, text.find("\nnote: rule"));
}

/// `text` with each `@line` behind it, in order, as `FILE:line` of the caller's file.
/// (clang++ 14 has no std::source_location.)
inline std::string at_lines(std::string text, std::initializer_list<int> lines,
                            const char* caller = __builtin_FILE()) {
  std::string file = caller;
  file.erase(0, file.rfind('/') + 1);
  for (int line : lines) text.replace(text.find('@'), 1, file + ":" + std::to_string(line));
  return text;
}

}  // namespace paraiso
