#include "cli/prepared/machine_choice.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/call/values.hpp"
#include "paraiso/base/extents.hpp"
#include "paraiso/om/text/print.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::cli {
namespace {

bool names_a_file(const std::string& machine) {
  return machine.ends_with(".om") || machine.find('/') != std::string::npos;
}

std::vector<std::int64_t> usual_size(int dimension) {
  const std::int64_t cells[] = {1024, 256, 64, 16};
  return std::vector<std::int64_t>(dimension, cells[std::min(dimension, 4) - 1]);
}

template <class List, class Name>
std::vector<std::string> names(const List& list, Name name) {
  std::vector<std::string> words;
  for (const auto& item : list) words.push_back(name(item));
  return words;
}

/// As many as the size has axes; the app's first where it has no such dimension, or there is no
/// size.
int dimension_for(const App& app, const std::string& size) {
  const int axes = size.empty() ? 0 : static_cast<int>(extents_of(size).size());
  const bool has = std::ranges::find(app.dimensions, axes) != app.dimensions.end();
  return has ? axes : app.dimensions.front();
}

int chosen_dimension(const App& app, const std::string& text, const std::string& size) {
  if (text.empty()) return dimension_for(app, size);
  for (const int dimension : app.dimensions)
    if (std::to_string(dimension) == text) return dimension;
  const auto have = names(app.dimensions, [](int d) { return std::to_string(d); });
  throw WrongCall(
      fmt::format("`{}` has no `--dim {}`: there is {}", app.name, text, list_text(have)));
}

om::Element chosen_precision(const App& app, const std::string& text) {
  if (text.empty()) return app.precisions.front();
  for (const om::Element element : app.precisions)
    if (om::name(element) == text) return element;
  const auto have = names(app.precisions, [](om::Element e) { return std::string(om::name(e)); });
  throw WrongCall(
      fmt::format("`{}` has no `--precision {}`: there is {}", app.name, text, list_text(have)));
}

const Problem& chosen_problem(const App& app, const std::string& text) {
  if (text.empty()) return app.problems.front();
  for (const Problem& problem : app.problems)
    if (problem.name == text) return problem;
  unknown_name("problem", text, names(app.problems, [](const Problem& p) { return p.name; }));
}

std::vector<std::string> initial_names(const om::Machine& machine) {
  return names(machine.initial_kernels(), [](const om::Kernel* kernel) { return kernel->name; });
}

/// A state may come from fields alone, but not from another problem's kernel.
void check_initial(const App& app, const om::Machine& machine, const std::string& problem) {
  const auto initial = initial_names(machine);
  if (initial.empty() || std::ranges::find(initial, problem) != initial.end()) return;
  throw Error(fmt::format("app `{}` has a problem `{}`, and its machine no initial kernel of that "
                          "name",
                          app.name, problem))
      .with_hint("it has " + list_text(initial));
}

ChosenMachine from_app(const App& app, const MachineChoice& choice, const std::string& size) {
  const Problem& problem = chosen_problem(app, choice.problem);
  ChosenMachine chosen;
  chosen.choices = as_wrong_call([&] { return choose(app, problem.name, choice.choose); });
  const AppOptions options{chosen_dimension(app, choice.dimension, size),
                           chosen_precision(app, choice.precision), problem.name, chosen.choices};
  chosen.machine = as_wrong_call([&] { return app.build(options); });
  require_as_asked(app, options, chosen.machine);
  check_initial(app, chosen.machine, problem.name);
  chosen.name = app.name;
  chosen.problem = problem.name;
  chosen.precision = options.precision;
  chosen.until = problem.until;
  chosen.steps = problem.steps;
  chosen.size = problem.size ? problem.size(options.dimension) : usual_size(options.dimension);
  return chosen;
}

/// The element type of most of the memory: that of the first float Local, else of the first Local.
om::Element main_element(const om::Machine& machine) {
  std::optional<om::Element> first;
  for (const om::Static& entry : machine.statics) {
    if (entry.type.realm != om::Realm::local) continue;
    if (om::is_float(entry.type.element)) return entry.type.element;
    if (!first) first = entry.type.element;
  }
  return first.value_or(om::Element::f64);
}

std::string chosen_initial(const om::Machine& machine, const std::string& text) {
  const auto initial = initial_names(machine);
  if (text.empty()) return initial.empty() ? "" : initial.front();
  if (std::find(initial.begin(), initial.end(), text) == initial.end())
    unknown_name("problem", text, initial);
  return text;
}

/// A `.om` file is a program with its dimension and types: nothing is left to choose.
void refuse_other(const std::string& option, const std::string& asked, const std::string& has,
                  const std::string& file) {
  if (!asked.empty() && asked != has)
    throw WrongCall(fmt::format("`{} {}`: `{}` is written for {}, and only an app has the choice",
                                option, asked, file, has));
}

ChosenMachine from_file(const MachineChoice& choice) {
  std::error_code ignored;
  if (!std::filesystem::exists(choice.machine, ignored))
    throw WrongCall(fmt::format("no file `{}`", choice.machine));
  ChosenMachine chosen;
  chosen.machine = om::parse(runtime::read_file(choice.machine), choice.machine);
  chosen.name = chosen.machine.name;
  chosen.precision = main_element(chosen.machine);
  refuse_other("--dim", choice.dimension, std::to_string(chosen.machine.dimension), choice.machine);
  refuse_other("--precision", choice.precision, om::name(chosen.precision), choice.machine);
  if (!choice.choose.empty())
    throw WrongCall(
        fmt::format("`--choose {}`: `{}` is a program as it is, and only an app has "
                    "options",
                    choice.choose.front(), choice.machine));
  chosen.problem = chosen_initial(chosen.machine, choice.problem);
  chosen.size = usual_size(chosen.machine.dimension);
  return chosen;
}

}  // namespace

void declare_machine(CLI::App& command, MachineChoice& choice) {
  command.add_option("MACHINE", choice.machine, "an app's name (see `apps`) or a .om file")
      ->required()
      ->type_name("");
  command.add_option("--dim", choice.dimension, "dimensions, where the app has the choice")
      ->type_name("D");
  command.add_option("--precision", choice.precision, "f32 or f64, where the app has the choice")
      ->type_name("T");
  command.add_option("--problem", choice.problem, "initial and boundary conditions")
      ->type_name("P");
  command
      .add_option("--choose", choice.choose, "an app's option (see `apps NAME`): limiter=mc,...")
      ->type_name("O=V")
      ->expected(1)
      ->delimiter(',')
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

ChosenMachine choose_machine(const Session& session, const MachineChoice& choice,
                             const std::string& size) {
  for (const App& app : session.apps)
    if (app.name == choice.machine) return from_app(app, choice, size);
  if (names_a_file(choice.machine)) return from_file(choice);
  unknown_name("app", choice.machine, names(session.apps, [](const App& app) { return app.name; }));
}

nlohmann::ordered_json choices_json(const Choices& choices) {
  auto object = nlohmann::ordered_json::object();
  for (const Choice& choice : choices.all()) object[choice.option] = choice.value;
  return object;
}

}  // namespace paraiso::cli
