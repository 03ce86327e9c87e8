// `paraiso replay`: strategies against the recording of a tuning, without compiler and clock.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/options.hpp"
#include "cli/call/shares.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/choices/recording_choice.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/replay/import.hpp"
#include "paraiso/tune/replay/replay.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ReplayCall {
  std::string file;             // a recording, or a tuning database
  std::int64_t problem = 0;     // of a database; 0: the one with most individuals
  std::string output;           // where the recording is written
  bool import = false;          // the file is Kernel Tuner's
  bool complete = false;        // no search chose the individuals
  std::string source, licence;  // of data of others
  tune::ReplayPlan plan{.strategies = {}};
  std::optional<tune::BirthShares> shares;  // of anneal's births; none: the usual ones
  bool json = false;
};

Json to_json(const ReplayCall& call, const std::string& machine, std::size_t individuals,
             const std::vector<tune::Comparison>& results) {
  Json rows = Json::array();
  for (const tune::Comparison& result : results) {
    Json best = Json::object();
    for (std::size_t m = 0; m < call.plan.marks.size(); ++m)
      best[std::to_string(call.plan.marks[m])] = result.best_at_marks[m];
    rows.push_back({{"strategy", result.strategy},
                    {"evaluations_to_goal",
                     result.evaluations_to_goal ? Json(*result.evaluations_to_goal) : Json()},
                    {"best_after", std::move(best)}});
  }
  return {{"machine", machine},       {"individuals", individuals},
          {"seeds", call.plan.seeds}, {"evaluations", call.plan.evaluations},
          {"goal", call.plan.goal},   {"strategies", std::move(rows)}};
}

void print_table(const ReplayCall& call, const std::string& machine, std::size_t individuals,
                 const std::vector<tune::Comparison>& results) {
  fmt::print("{}: {} individuals, medians over {} seeds\n", machine, individuals, call.plan.seeds);
  fmt::print("{:<12} {:>18}", "strategy", fmt::format("{:.0f} % of best at", 100 * call.plan.goal));
  for (const std::size_t mark : call.plan.marks)
    fmt::print(" {:>10}", fmt::format("after {}", mark));
  fmt::print("\n");
  for (const tune::Comparison& result : results) {
    fmt::print(
        "{:<12} {:>18}", result.strategy,
        result.evaluations_to_goal ? fmt::format("{:.0f}", *result.evaluations_to_goal) : "never");
    for (const double best : result.best_at_marks) fmt::print(" {:>10.4f}", best);
    fmt::print("\n");
  }
}

/// No search can ask for more than there are; its last evaluation is a mark too.
void limit(tune::ReplayPlan& plan, std::size_t individuals) {
  plan.evaluations = std::min(plan.evaluations, individuals);
  std::erase_if(plan.marks, [&](std::size_t mark) { return mark >= plan.evaluations; });
  plan.marks.push_back(plan.evaluations);
}

tune::Recording read_chosen(const ReplayCall& call) {
  if (!call.import)
    return call.complete ? read_complete(call.file, call.problem)
                         : read_recorded(call.file, call.problem).recording;
  tune::Recording imported = tune::import_kernel_tuner(runtime::read_file(call.file), call.file);
  return call.complete ? tune::complete(std::move(imported)) : imported;
}

tune::Recording read(const ReplayCall& call) {
  tune::Recording recording = read_chosen(call);
  if (!call.source.empty()) recording.source = call.source;
  if (!call.licence.empty()) recording.licence = call.licence;
  return recording;
}

void check(const ReplayCall& call) {
  if (call.output.empty() && !(call.source.empty() && call.licence.empty()))
    throw WrongCall(fmt::format("`{}` is written into a recording: it needs `--output FILE`",
                                call.source.empty() ? "--licence" : "--source"));
  if (!call.output.empty() && !call.plan.strategies.empty())
    throw WrongCall("`--output` only writes the recording: no `--strategy` searches in it");
  if (call.import && call.problem != 0)
    throw WrongCall("`--problem` is for a tuning database, and `--import` reads none");
}

int write(const ReplayCall& call, const tune::Recording& recording) {
  runtime::write_file(call.output, tune::print(recording));
  if (call.json)
    fmt::print("{}\n", json_text(Json{{"machine", recording.problem.machine},
                                      {"individuals", recording.entries.size()},
                                      {"recording", call.output}}));
  return kSuccess;
}

int replay(ReplayCall call) {
  check(call);
  const tune::Recording recording = read(call);
  if (!call.output.empty()) return write(call, recording);
  if (call.plan.strategies.empty()) call.plan.strategies = {"anneal", "random"};
  if (call.shares) call.plan.shares = *call.shares;
  as_wrong_call([&] { tune::require_strategies(call.plan.strategies); });
  if (std::ranges::find(call.plan.strategies, "anneal") == call.plan.strategies.end())
    require_anneal(call.shares, call.plan.strategies[0]);
  if (recording.recorded == tune::Recorded::trajectory)
    say_aside("note: a search chose these individuals, so that they compare no searches\n");
  const std::size_t individuals = tune::Pool(recording).size();
  limit(call.plan, individuals);
  const auto results = tune::compare(recording, call.plan);
  const std::string& machine = recording.problem.machine;
  if (call.json)
    fmt::print("{}\n", json_text(to_json(call, machine, individuals, results)));
  else
    print_table(call, machine, individuals, results);
  return kSuccess;
}

}  // namespace

void declare_replay(CLI::App& command, Session& session) {
  const auto call = std::make_shared<ReplayCall>();
  command.add_option("FILE", call->file, "a recording, or a tuning database")->required();
  command
      .add_option("--strategy", call->plan.strategies,
                  "default: anneal and random; may be repeated")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_count(command, "--seeds", call->plan.seeds, "number of seeds; default 20", 1, 100000);
  add_count(command, "--evaluations", call->plan.evaluations, "of each search; default 300");
  declare_shares(command, call->shares);
  add_count(command, "--problem", call->problem, "in a database; default: with most individuals");
  command.add_option("--output", call->output, "only write the recording there")->type_name("FILE");
  command.add_flag("--import", call->import, "FILE is a cache or T4 file of Kernel Tuner");
  command.add_flag("--complete", call->complete,
                   "all there is, or drawn at random: no search chose");
  command.add_option("--source", call->source, "where the data are from")->type_name("TEXT");
  command.add_option("--licence", call->licence, "under which they are")->type_name("TEXT");
  command.add_flag("--json", call->json, "one JSON object on standard output");
  command.footer("Of an even number of seeds, a median is the lower of the middle two.");
  command.callback([&session, call] { session.chosen = [call] { return replay(*call); }; });
}

}  // namespace paraiso::cli
