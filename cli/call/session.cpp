#include "cli/call/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "paraiso/base/text.hpp"

namespace paraiso::cli {

std::string list_text(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

void unknown_name(std::string_view kind, std::string_view word,
                  const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  const std::string message = near.empty()
                                  ? fmt::format("no {} `{}`", kind, word)
                                  : fmt::format("no {} `{}`: did you mean `{}`?", kind, word, near);
  if (candidates.empty()) throw WrongCall(message);
  throw WrongCall(Error(message).with_hint(fmt::format("there is {}", list_text(candidates))));
}

namespace {

bool is_silent = false;

}  // namespace

void say_aside(const std::string& text) {
  if (!is_silent) std::fputs(text.c_str(), stderr);
}

void be_silent() {
  is_silent = true;
  if (std::freopen("/dev/null", "w", stdout) == nullptr) std::fclose(stdout);
}

std::string shell_word(std::string_view word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("-_=./:+,@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string command_text(int argc, char** argv) {
  std::string text;
  for (int i = 0; i < argc; ++i) text += (i == 0 ? "" : " ") + shell_word(argv[i]);
  return text;
}

}  // namespace paraiso::cli
