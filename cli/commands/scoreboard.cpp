// `paraiso scoreboard`: search strategies compared on complete recordings.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/options.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/call/writable.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/scoreboard/tables.hpp"

namespace paraiso::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ScoreboardCall {
  std::string path;  // a folder of recordings, or one
  std::string page;  // where the page is written
  tune::ScoreboardPlan plan;
  bool json = false;
};

/// In the order of their names.
std::vector<fs::path> recordings_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".recording") files.push_back(entry.path());
  if (error) throw Error(fmt::format("`{}` can't be read: {}", folder.string(), error.message()));
  std::ranges::sort(files);
  return files;
}

tune::ScoredSpace read_space(const fs::path& file) {
  tune::ScoredSpace space{
      file.filename().string(),
      tune::parse_recording(runtime::read_file(file), file.filename().string())};
  tune::require_complete(space);
  return space;
}

/// Of a folder, trajectories are left out, and it says so.
std::vector<tune::ScoredSpace> spaces_of(const fs::path& path) {
  if (std::error_code ignored; !fs::is_directory(path, ignored)) return {read_space(path)};
  std::vector<tune::ScoredSpace> spaces;
  for (const fs::path& file : recordings_in(path)) {
    tune::ScoredSpace space{
        file.filename().string(),
        tune::parse_recording(runtime::read_file(file), file.filename().string())};
    try {
      tune::require_complete(space);
      spaces.push_back(std::move(space));
    } catch (const Error& error) {
      fmt::print(stderr, "left out: {}\n", error.diagnostics()[0].message);
    }
  }
  if (spaces.empty())
    throw Error(fmt::format("`{}` has no complete recording (`*.recording`)", path.string()));
  return spaces;
}

Json interval_json(const Interval& interval) { return {interval.low, interval.high}; }

Json intervals_json(const std::vector<Interval>& intervals) {
  Json json = Json::array();
  for (const Interval& interval : intervals) json.push_back(interval_json(interval));
  return json;
}

/// Null: never.
Json evaluations_json(double evaluations) {
  return std::isfinite(evaluations) ? Json(evaluations) : Json();
}

Json space_json(const tune::Scoreboard& board, const tune::SpaceFacts& facts) {
  Json rows = Json::array();
  for (const tune::ScoreRow& row : board.rows) {
    if (row.file != facts.file) continue;
    rows.push_back(
        {{"strategy", row.strategy},
         {"score", row.score},
         {"interval", interval_json(row.interval)},
         {"best_after", row.best_after},
         {"best_after_intervals", intervals_json(row.best_after_intervals)},
         {"evaluations_to_goal", row.evaluations_to_goal ? Json(*row.evaluations_to_goal) : Json()},
         {"evaluations_interval",
          {evaluations_json(row.evaluations_interval.low),
           evaluations_json(row.evaluations_interval.high)}},
         {"reached", row.reached},
         {"scores", row.scores}});
  }
  return {{"file", facts.file},
          {"machine", facts.machine},
          {"individuals", facts.individuals},
          {"failures", facts.failures},
          {"budgets", {facts.first, facts.last}},
          {"evaluations", facts.evaluations},
          {"start", facts.start ? Json(*facts.start) : Json()},
          {"random_after", facts.random_after},
          {"random_times", facts.random_times},
          {"random_to_goal", facts.random_to_goal},
          {"rows", std::move(rows)}};
}

Json to_json(const tune::Scoreboard& board) {
  Json standings = Json::array(), spaces = Json::array();
  for (const tune::Standing& standing : board.standings)
    standings.push_back({{"strategy", standing.strategy},
                         {"score", standing.score},
                         {"interval", interval_json(standing.interval)},
                         {"spaces_won", standing.wins}});
  for (const tune::SpaceFacts& facts : board.spaces) spaces.push_back(space_json(board, facts));
  return {{"seeds", board.plan.seeds},
          {"goal", board.plan.goal},
          {"marks", board.plan.marks},
          {"standings", std::move(standings)},
          {"spaces", std::move(spaces)}};
}

/// All that search; `exhaustive` only lists.
std::vector<std::string> searching_strategies() {
  std::vector<std::string> names;
  for (const tune::StrategyInfo& info : tune::strategies())
    if (std::string_view(info.name) != "exhaustive") names.emplace_back(info.name);
  return names;
}

/// What is being done, on one line of the terminal, or a line each in a file.
void watch(const std::string& file, const std::string& strategy) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  fmt::print(stderr, "{}{}: {}{}", terminal ? "\r\x1b[K" : "", file, strategy,
             terminal ? "" : "\n");
}

int score(ScoreboardCall call) {
  if (call.plan.strategies.empty()) call.plan.strategies = searching_strategies();
  as_wrong_call([&] { tune::require_strategies(call.plan.strategies); });
  require_writable(call.page);
  const auto spaces = spaces_of(call.path);
  call.plan.watch = watch;
  const tune::Scoreboard board = tune::scoreboard(spaces, call.plan);
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
  if (call.json)
    fmt::print("{}\n", json_text(to_json(board)));
  else
    fmt::print("{}\none row again: paraiso scoreboard FOLDER/FILE --strategy NAME --seeds {}\n",
               tune::scoreboard_text(board), call.plan.seeds);
  if (!call.page.empty()) runtime::write_file(call.page, tune::scoreboard_page(board));
  return kSuccess;
}

}  // namespace

void declare_scoreboard(CLI::App& command, Session& session) {
  const auto call = std::make_shared<ScoreboardCall>();
  command.add_option("FOLDER", call->path, "complete recordings: *.recording; or one file")
      ->required();
  command.add_option("--strategy", call->plan.strategies, "default: all; may be repeated")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_count(command, "--seeds", call->plan.seeds, "number of seeds; default 100", 1, 100000);
  command.add_flag("--json", call->json, "one JSON object on standard output");
  command.add_option("--html", call->page, "also write a page")->type_name("FILE.html");
  command.footer("Of an even number of seeds, a median is the lower of the middle two.");
  command.callback([&session, call] { session.chosen = [call] { return score(*call); }; });
}

}  // namespace paraiso::cli
