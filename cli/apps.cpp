// `paraiso apps`: the solvers known by name.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/subcommands.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> precision_names(const App& app) {
  std::vector<std::string> names;
  for (const om::Element element : app.precisions) names.push_back(om::name(element));
  return names;
}

Json describe(const App& app) {
  Json problems = Json::array();
  for (const Problem& problem : app.problems)
    problems.push_back({{"name", problem.name}, {"summary", problem.summary}});
  return {{"name", app.name},
          {"summary", app.summary},
          {"dimensions", app.dimensions},
          {"precisions", precision_names(app)},
          {"problems", problems}};
}

void print_text(const App& app) {
  fmt::print("{:<10} {}\n", app.name, app.summary);
  fmt::print("{:<10} --dim {}   --precision {}\n", "", fmt::join(app.dimensions, "|"),
             fmt::join(precision_names(app), "|"));
  for (const Problem& problem : app.problems)
    fmt::print("{:<10} --problem {:<18} {}\n", "", problem.name, problem.summary);
}

int list_apps(const Session& session, bool json) {
  if (json) {
    Json list = Json::array();
    for (const App& app : session.apps) list.push_back(describe(app));
    fmt::print("{}\n", Json{{"apps", list}}.dump(2));
    return kSuccess;
  }
  for (const App& app : session.apps) print_text(app);
  return kSuccess;
}

}  // namespace

void declare_apps(CLI::App& command, Session& session) {
  const auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "one JSON object on standard output");
  command.callback(
      [&session, json] { session.chosen = [&, json] { return list_apps(session, *json); }; });
}

}  // namespace paraiso::cli
