// `paraiso predict`: a schedule for a program that was not tuned, from what tuning others has
// shown.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/call/json_text.hpp"
#include "cli/call/subcommands.hpp"
#include "cli/choices/database_choice.hpp"
#include "cli/prepared/tuning_problem.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/tune/predict/features.hpp"

namespace paraiso::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The schedule that `run` takes of a program that was not tuned.
const plan::Schedule& chosen(const tune::Predicted& found, const tune::Untuned& untuned) {
  return found.sure ? found.candidates.front().schedule : untuned.schedule;
}

Json candidate_json(const Prepared& prepared, const tune::Candidate& candidate) {
  return {{"schedule", genome_text(prepared.genes, candidate.schedule)},
          {"expected_gain", candidate.gain},
          {"confidence", candidate.confidence},
          {"model_ratio", candidate.model_ratio},
          {"nearest", candidate.nearest}};
}

Json to_json(const Prepared& prepared, const tune::Untuned& untuned, const tune::Predicted& found) {
  Json near = Json::array(), candidates = Json::array();
  for (const tune::CloseInstance& one : found.near)
    near.push_back({{"machine", one.instance.problem.machine},
                    {"size", one.instance.problem.size},
                    {"element", one.instance.problem.element},
                    {"threads", one.instance.problem.threads},
                    {"likeness", one.likeness},
                    {"gain", one.instance.gain}});
  for (const tune::Candidate& candidate : found.candidates)
    candidates.push_back(candidate_json(prepared, candidate));
  return {{"machine", prepared.chosen.name},
          {"size", prepared.size},
          {"predicted", found.sure},
          {"why_not", found.why_not},
          {"schedule", genome_text(prepared.genes, chosen(found, untuned))},
          {"near", near},
          {"candidates", candidates},
          {"features", tune::features_json(untuned.features)}};
}

void print_text(const Prepared& prepared, const tune::Untuned& untuned,
                const tune::Predicted& found) {
  if (found.sure) {
    const tune::Candidate& best = found.candidates.front();
    fmt::print("predicted: {:.2f} times the speed of the default, confidence {:.2f} of 1\n",
               best.gain, best.confidence);
  } else {
    fmt::print("default: {}\n", found.why_not);
  }
  for (const tune::CloseInstance& one : found.near)
    fmt::print("  like {} {} ({}, threads: {}) by {:.2f}: there {}\n", one.instance.problem.machine,
               one.instance.problem.size, one.instance.problem.element,
               one.instance.problem.threads, one.likeness,
               one.instance.gain > 1 ? fmt::format("{:.2f} times the default", one.instance.gain)
                                     : "the default was best");
  fmt::print("--schedule {}\n", genome_text(prepared.genes, chosen(found, untuned)));
}

int predict(const Session& session, const Execution& execution) {
  if (!execution.building.schedule.empty())
    throw WrongCall("`predict` looks for a schedule: leave out `--schedule`");
  (void)backend_of(execution.building);
  const Prepared prepared = read_names(session, execution, "predict for");
  const tune::Untuned untuned = untuned_of(prepared, execution.building);
  const auto found = prediction_from(database_path(execution.database), [&] { return untuned; });
  if (execution.json)
    fmt::print("{}\n", json_text(to_json(prepared, untuned, found)));
  else
    print_text(prepared, untuned, found);
  return kSuccess;
}

}  // namespace

void declare_predict(CLI::App& command, Session& session) {
  const auto execution = std::make_shared<Execution>();
  declare_execution(command, *execution, false);
  declare_database(command, *execution);
  command.footer("It runs nothing. `run` of an untuned program takes what it finds.");
  command.callback([&session, execution] {
    session.chosen = [&session, execution] { return predict(session, *execution); };
  });
}

}  // namespace paraiso::cli
