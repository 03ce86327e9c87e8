// Session: one call of the command, and how every subcommand prints and fails.
// Gives: Session, kInterpreter, WrongCall, as_wrong_call, unknown_name, say_aside, be_silent,
// list_text, shell_word, command_text. Needs: App, Error, CLI11.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/app.hpp"

namespace CLI {
class App;
}
namespace paraiso::runtime {
class World;
}

namespace paraiso::cli {

/// The call was wrong (exit status 2), whereas any other Error means that the work failed (1).
class WrongCall : public Error {
 public:
  using Error::Error;
  explicit WrongCall(const Error& error) : Error(error) {}
};

inline constexpr const char* kInterpreter = "interpreter";  // that all backends are compared with
inline constexpr int kSuccess = 0, kFailure = 1, kWrongCall = 2;

struct Session {
  const std::vector<App>& apps;
  std::string command;              // the command line as typed
  runtime::World* world = nullptr;  // the processes that do this together; nullptr: this one alone
  std::function<int()> chosen;      // the subcommand's work; set while the command line is read
};

/// Runs `check`, which examines something that the user typed: its Error becomes a WrongCall.
template <class F>
decltype(auto) as_wrong_call(F&& check) {
  try {
    return check();
  } catch (const WrongCall&) {
    throw;
  } catch (const Error& error) {
    throw WrongCall(error);
  }
}

/// Throws WrongCall: "no `kind` `word`", the nearest of `candidates`, and a hint with all of them.
[[noreturn]] void unknown_name(std::string_view kind, std::string_view word,
                               const std::vector<std::string>& candidates);

/// Prints to standard error, for messages that are not the result: a failure to print is ignored,
/// unlike with `fmt::print`.
void say_aside(const std::string& text);

/// From now on nothing is printed, by `say_aside` or to standard output: another process does.
void be_silent();

/// "a, b, c"
[[nodiscard]] std::string list_text(const std::vector<std::string>& words);

/// As one word for a shell, quoted where it needs that.
[[nodiscard]] std::string shell_word(std::string_view word);

/// The command line as one could type it again: words are quoted where a shell needs it.
[[nodiscard]] std::string command_text(int argc, char** argv);

}  // namespace paraiso::cli
