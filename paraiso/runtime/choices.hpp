// Choices: the options that an app declares (its limiter, its order, ...), and the value of each
// that a user has chosen. Gives: OptionValue, Option, Choice, Choices, choose. Needs: Error.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace paraiso {

struct OptionValue {
  std::string name;          // no space, comma or `=`
  std::string summary = {};  // one line, or none
};

struct Option {
  std::string name;                        // an identifier
  std::string summary;                     // one line
  std::vector<OptionValue> values;         // values[0] is the default
  std::vector<std::string> problems = {};  // those that have the option; empty: all

  [[nodiscard]] bool is_of(std::string_view problem) const;
};

struct Choice {
  std::string option, value;
  bool is_default = true;
  auto operator<=>(const Choice&) const = default;
};

/// One value of each option that a problem has, in the order of declaration. Only `choose` makes
/// values other than the defaults, so every value belongs to its option.
class Choices {
 public:
  /// All options at their defaults.
  Choices() = default;

  /// What an app reads. Throws Error if `option` lacks the value that was chosen.
  [[nodiscard]] const std::string& value(const Option& option) const;
  /// The same for an option whose values are whole numbers.
  [[nodiscard]] int whole_number(const Option& option) const;

  [[nodiscard]] const std::vector<Choice>& all() const { return all_; }
  /// "limiter=minmod, riemann=hllc"; empty without any.
  [[nodiscard]] std::string text() const;
  /// The same, but only those that differ from the default.
  [[nodiscard]] std::string changes() const;

  auto operator<=>(const Choices&) const = default;

 private:
  friend Choices choose(std::string_view app, const std::vector<Option>& options,
                        std::string_view problem, const std::vector<std::string>& assignments);
  std::vector<Choice> all_;
};

/// The values that `assignments`, each `option=value`, choose among those options of the app named
/// `app` that `problem` has; if one option is assigned several times, the last counts. Throws Error
/// for an unknown option or value, with the nearest and a list of all.
[[nodiscard]] Choices choose(std::string_view app, const std::vector<Option>& options,
                             std::string_view problem, const std::vector<std::string>& assignments);

}  // namespace paraiso
