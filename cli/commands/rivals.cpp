// `paraiso rivals`: ways to predict schedules, compared on programs held out.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/options.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/choices/database_choice.hpp"
#include "cli/prepared/building.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/report/figures_page.hpp"
#include "paraiso/tune/rivals/tables/ablations.hpp"
#include "paraiso/tune/rivals/tables/overlap_fits.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

const std::map<std::string, tune::HeldOutBy> kHeldOutBy = {{"solver", tune::HeldOutBy::solver},
                                                           {"size", tune::HeldOutBy::size},
                                                           {"machine", tune::HeldOutBy::machine}};

struct RivalsCall {
  std::string figures;
  std::vector<std::string> databases = {""}, held_out, silent;
  std::int64_t seeds = 100;
  std::string by = "solver";
  bool ablations = false;
  bool json = false;
};

/// What was compared.
struct ComparedRivals {
  std::vector<tune::SolutionSpace> spaces;
  std::string by;  // a key of kHeldOutBy
  tune::Judging judging;
  std::vector<tune::Rival> rivals;
  std::vector<tune::RivalStanding> standings;
  std::vector<tune::OverlapFit> fits;

  [[nodiscard]] tune::Spaces judges() const {
    return tune::judges_of(tune::pointers_to(spaces), judging);
  }
};

Json to_json(const tune::RivalStanding& standing) {
  Json intervals = Json::array();
  for (const auto& [low, high] : standing.interval) intervals.push_back({low, high});
  return {{"name", standing.name},
          {"median", standing.median},
          {"median_interval", intervals},
          {"worst", standing.worst},
          {"worst_against_default", standing.against_default},
          {"tries_to_95", standing.tries},
          {"most_tries_to_95", standing.most_tries},
          {"without_a_run", standing.first_tries}};
}

std::string numbers(const std::vector<double>& fractions) {
  std::string text;
  for (const double fraction : fractions) text += fmt::format(" {:>5.3f}", fraction);
  return text;
}

std::string intervals(const std::vector<Interval>& all) {
  std::string text;
  for (const auto& [low, high] : all) text += fmt::format(" {:.3f}-{:.3f}", low, high);
  return text;
}

void print_standings(const ComparedRivals& made, std::size_t width) {
  fmt::print("{:<{}} {:<23}  {:<23}  {:>9}  {}\n", "", width, "median", "worst", "/ default",
             "tries to 0.95: median, most");
  for (const tune::RivalStanding& standing : made.standings)
    fmt::print("{:<{}}{}  {}  {:>9.3f}  {:.1f} {:.1f}\n", standing.name, width,
               numbers(standing.median), numbers(standing.worst), standing.against_default,
               standing.tries, standing.most_tries);
  fmt::print("\n95 % of the medians when the programs are drawn again lie in\n");
  for (const tune::RivalStanding& standing : made.standings)
    fmt::print("{:<{}}{}\n", standing.name, width, intervals(standing.interval));
}

void print_text(const ComparedRivals& made) {
  std::size_t width = 10;
  for (const tune::Rival& rival : made.rivals) width = std::max(width, rival.name.size());
  const tune::Spaces judges = made.judges();
  fmt::print(
      "{} programs and sizes, {} recipes: the speed over the best of the list, after 1 (taken "
      "without a run), 5, 10 and 30 tries\n{} of them are predicted for: list {}\n\n",
      made.spaces.size(), made.spaces.front().speed.size(), judges.size(), tune::list_hash(judges));
  print_standings(made, width);
  if (!made.fits.empty())
    fmt::print("\nhow much of what two programs share of their best {} is predicted (R^2)\n",
               tune::kOverlapCount);
  for (const tune::OverlapFit& fit : made.fits)
    fmt::print("{:<{}} {:>6.3f}  {}\n", fit.name, width, fit.r2, fit.summary);
  fmt::print("\n");
  for (const tune::Rival& rival : made.rivals)
    fmt::print("{:<{}} {}\n", rival.name, width, rival.summary);
}

Json to_json(const ComparedRivals& made) {
  Json rows = Json::array(), names = Json::array(), fits = Json::object();
  for (const tune::RivalStanding& standing : made.standings) rows.push_back(to_json(standing));
  for (const tune::SolutionSpace* space : made.judges()) names.push_back(space->name);
  for (const tune::OverlapFit& fit : made.fits) fits[fit.name] = fit.r2;
  return {{"spaces", names},        {"list", tune::list_hash(made.judges())},
          {"held_out_by", made.by}, {"recipes", made.spaces.front().speed.size()},
          {"tries", tune::kMarks},  {"rivals", rows},
          {"overlap_r2", fits}};
}

int draw(const RivalsCall& call, const std::vector<tune::SolutionSpace>& spaces) {
  auto figures = tune::paper_figures(spaces);
  for (tune::PaperFigure& figure : tune::program_figures(spaces))
    figures.push_back(std::move(figure));
  runtime::make_folder(call.figures);
  const auto file = [&](const std::string& name) {
    return (std::filesystem::path(call.figures) / name).string();
  };
  for (const tune::PaperFigure& figure : figures) {
    runtime::write_file(file("figure-" + figure.name + ".csv"), tune::csv(figure));
    fmt::print("figure {}: {}\n  {}: {}\n", figure.name, figure.claim,
               tune::holds_text(figure.holds), figure.seen);
  }
  runtime::write_file(file("figures.html"), tune::figures_page(figures, spaces));
  return kSuccess;
}

int compare(const RivalsCall& call) {
  if (call.by != "solver" && !call.held_out.empty())
    throw WrongCall(fmt::format("`--held-out` names solvers: leave out `--by {}`", call.by));
  std::vector<tune::Database> files;
  for (const std::string& asked : call.databases)
    files.emplace_back(database_path(asked), kWaitForTuner, tune::Access::read);
  const auto spaces = tune::solution_spaces(files);
  if (!call.figures.empty()) return draw(call, spaces);
  ComparedRivals made;
  made.by = call.by;
  made.judging = {{call.held_out.begin(), call.held_out.end()},
                  {call.silent.begin(), call.silent.end()},
                  kHeldOutBy.at(call.by)};
  made.rivals = call.ablations && !spaces.empty() ? tune::ablations(spaces.front().speed.size())
                                                  : tune::rivals();
  made.standings =
      tune::compare_rivals(spaces, made.rivals, static_cast<int>(call.seeds), made.judging);
  made.fits = tune::overlap_fits(spaces, made.judging);
  made.spaces = spaces;
  if (call.json)
    fmt::print("{}\n", json_text(to_json(made)));
  else
    print_text(made);
  return kSuccess;
}

}  // namespace

void declare_rivals(CLI::App& command, Session& session) {
  const auto call = std::make_shared<RivalsCall>();
  command.add_option("--database", call->databases, "with what `tune --recipes N` measured")
      ->type_name("FILE,...")
      ->delimiter(',');
  add_count(command, "--seeds", call->seeds, "of rivals that draw; default 100", 1, 100000);
  command
      .add_option("--held-out", call->held_out, "solvers that judge: nothing is learnt from them")
      ->type_name("A,B,...")
      ->delimiter(',');
  command
      .add_option_function<std::string>(
          "--by",
          [call](const std::string& text) {
            if (!kHeldOutBy.contains(text))
              unknown_name("way to hold out", text, {"solver", "size", "machine"});
            call->by = text;
          },
          "held out in turn: each solver, size or machine")
      ->type_name("WHAT");
  command.add_option("--silent", call->silent, "solvers that others learn from, and no judges")
      ->type_name("A,B,...")
      ->delimiter(',');
  command.add_flag("--ablations", call->ablations, "instead, FAST and others without a part of it");
  command
      .add_option("--figures", call->figures, "instead, FAST's figures but 2, 3: tables, a page")
      ->type_name("FOLDER");
  command.add_flag("--json", call->json, "one JSON object on standard output");
  command.callback([&session, call] { session.chosen = [call] { return compare(*call); }; });
}

}  // namespace paraiso::cli
