#include "paraiso/runtime/choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"

namespace paraiso {
namespace {

template <class List>
std::vector<std::string> option_names(const List& list) {
  std::vector<std::string> names;
  for (const auto& item : list) names.push_back(item.name);
  return names;
}

/// "MESSAGE: did you mean `x`?", followed by a list of all.
Error unknown_choice(const std::string& message, std::string_view word,
                     const std::vector<std::string>& have) {
  const std::string near = nearest(word, have);
  return Error(message + (near.empty() ? "" : fmt::format(": did you mean `{}`?", near)))
      .with_hint(fmt::format("there is {}", fmt::join(have, ", ")));
}

const OptionValue& find_value(const Option& option, std::string_view name) {
  const auto found = std::ranges::find(option.values, name, &OptionValue::name);
  if (found == option.values.end())
    throw unknown_choice(fmt::format("option `{}` has no value `{}`", option.name, name), name,
                         option_names(option.values));
  return *found;
}

const Option& find_option(std::string_view app, const std::vector<Option>& options,
                          std::string_view problem, std::string_view name) {
  if (options.empty()) throw Error(fmt::format("`{}` has no options to choose", app));
  const auto found = std::ranges::find(options, name, &Option::name);
  if (found == options.end())
    throw unknown_choice(fmt::format("`{}` has no option `{}`", app, name), name,
                         option_names(options));
  if (!found->is_of(problem))
    throw Error(fmt::format("problem `{}` has no option `{}`", problem, name))
        .with_hint(fmt::format("it is one of {}", fmt::join(found->problems, ", ")));
  return *found;
}

std::string pairs_text(const std::vector<Choice>& choices) {
  std::vector<std::string> pairs;
  for (const Choice& choice : choices) pairs.push_back(choice.option + "=" + choice.value);
  return fmt::format("{}", fmt::join(pairs, ", "));
}

}  // namespace

bool Option::is_of(std::string_view problem) const {
  return problems.empty() || std::ranges::find(problems, problem) != problems.end();
}

const std::string& Choices::value(const Option& option) const {
  const auto chosen = std::ranges::find(all_, option.name, &Choice::option);
  return chosen == all_.end() ? option.values.front().name : find_value(option, chosen->value).name;
}

int Choices::whole_number(const Option& option) const {
  const std::string& text = value(option);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    throw Error(fmt::format("option `{}`: its value `{}` is no whole number", option.name, text));
  return number;
}

std::string Choices::text() const { return pairs_text(all_); }

std::string Choices::changes() const {
  std::vector<Choice> changed;
  std::ranges::remove_copy_if(all_, std::back_inserter(changed), &Choice::is_default);
  return pairs_text(changed);
}

Choices choose(std::string_view app, const std::vector<Option>& options, std::string_view problem,
               const std::vector<std::string>& assignments) {
  Choices choices;
  for (const Option& option : options)
    if (option.is_of(problem)) choices.all_.push_back({option.name, option.values.front().name});
  for (const std::string& assignment : assignments) {
    const auto equals = assignment.find('=');
    const Option& option = find_option(app, options, problem, assignment.substr(0, equals));
    if (equals == std::string::npos)
      throw Error(fmt::format("option `{0}` needs a value: write `{0}={1}`", option.name,
                              option.values.front().name))
          .with_hint(fmt::format("there is {}", fmt::join(option_names(option.values), ", ")));
    const OptionValue& value = find_value(option, assignment.substr(equals + 1));
    *std::ranges::find(choices.all_, option.name, &Choice::option) = {
        option.name, value.name, &value == &option.values.front()};
  }
  return choices;
}

}  // namespace paraiso
