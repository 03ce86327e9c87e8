// `paraiso apps`: the solvers known by name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/subcommands.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> precision_names(const App& app) {
  std::vector<std::string> names;
  for (const om::Element element : app.precisions) names.push_back(om::name(element));
  return names;
}

Json describe(const Option& option) {
  Json values = Json::array();
  for (const OptionValue& value : option.values)
    values.push_back({{"name", value.name}, {"summary", value.summary}});
  return {{"name", option.name},
          {"summary", option.summary},
          {"default", option.values.front().name},
          {"values", values},
          {"problems", option.problems}};
}

Json describe(const App& app) {
  Json problems = Json::array();
  for (const Problem& problem : app.problems)
    problems.push_back({{"name", problem.name}, {"summary", problem.summary}});
  Json options = Json::array();
  for (const Option& option : app.options) options.push_back(describe(option));
  return {{"name", app.name},
          {"summary", app.summary},
          {"dimensions", app.dimensions},
          {"precisions", precision_names(app)},
          {"problems", problems},
          {"options", options}};
}

std::vector<std::string> value_names(const Option& option) {
  std::vector<std::string> names;
  for (const OptionValue& value : option.values) names.push_back(value.name);
  return names;
}

void print_text(const App& app) {
  fmt::print("{:<10} {}\n", app.name, app.summary);
  fmt::print("{:<10} --dim {}   --precision {}\n", "", fmt::join(app.dimensions, "|"),
             fmt::join(precision_names(app), "|"));
  for (const Problem& problem : app.problems)
    fmt::print("{:<10} --problem {:<18} {}\n", "", problem.name, problem.summary);
  for (const Option& option : app.options)
    fmt::print("{:<10} --choose {}={}\n", "", option.name, fmt::join(value_names(option), "|"));
}

/// One line per value; the first is the default.
void print_options(const App& app) {
  for (const Option& option : app.options) {
    fmt::print("\n--choose {}=...: {}\n", option.name, option.summary);
    if (!option.problems.empty())
      fmt::print("  with --problem {}\n", fmt::join(option.problems, ", "));
    for (std::size_t i = 0; i < option.values.size(); ++i) {
      const OptionValue& value = option.values[i];
      const std::string note = i > 0                   ? value.summary
                               : value.summary.empty() ? "(default)"
                                                       : value.summary + " (default)";
      fmt::print("{}\n",
                 note.empty() ? "  " + value.name : fmt::format("  {:<12} {}", value.name, note));
    }
  }
}

const App& find_app(const std::vector<App>& apps, const std::string& name) {
  std::vector<std::string> names;
  for (const App& app : apps) {
    if (app.name == name) return app;
    names.push_back(app.name);
  }
  unknown_name("app", name, names);
}

struct AppsCall {
  std::string name;  // empty: all
  bool json = false;
};

int list_apps(const Session& session, const AppsCall& call) {
  const std::vector<App> one =
      call.name.empty() ? std::vector<App>{} : std::vector{find_app(session.apps, call.name)};
  const std::vector<App>& apps = call.name.empty() ? session.apps : one;
  if (call.json) {
    Json list = Json::array();
    for (const App& app : apps) list.push_back(describe(app));
    fmt::print("{}\n", json_text(Json{{"apps", list}}));
    return kSuccess;
  }
  for (const App& app : apps) print_text(app);
  if (!call.name.empty()) print_options(apps.front());
  return kSuccess;
}

}  // namespace

void declare_apps(CLI::App& command, Session& session) {
  const auto call = std::make_shared<AppsCall>();
  command.add_option("NAME", call->name, "one solver, with its options; default: all")
      ->type_name("");
  command.add_flag("--json", call->json, "one JSON object on standard output");
  command.callback(
      [&session, call] { session.chosen = [&, call] { return list_apps(session, *call); }; });
}

}  // namespace paraiso::cli
