#include "cli/tuning/tune_contest.hpp"
#include "cli/call/json_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "paraiso/om/divide/divided_size.hpp"
#include "paraiso/runtime/run/progress.hpp"

namespace paraiso::cli {

namespace {

using Json = nlohmann::ordered_json;

/// For a search that began only from another schedule than the default.
std::string start_text(const tune::FinalContest& held) {
  if (!held.first) return "";
  if (!held.first->ok()) return "; the start failed: " + held.first->reason;
  return fmt::format("; start {}: {:.3f} times", runtime::speed_text(held.first->score),
                     held.contest.best.score / held.first->score);
}

Json to_json(const TuneCall& call, const Tuning& tuning, const TuneSummary& summary,
             const tune::FinalContest& held, const std::string& schedule) {
  const tune::Contest& contest = held.contest;
  const tune::TunedProgram& tuned = tuning.tuned;
  Json result = {{"app", tuning.chosen.name},
                 {"problem", tuning.chosen.problem},
                 {"choices", choices_json(tuning.chosen.choices)},
                 {"dim", tuned.program.dimension},
                 {"size", tuned.size},
                 {"ranks", om::ranks_of(tuned.problem.size)},
                 {"threads", tuned.problem.threads},
                 {"fuse", tuned.fusion.steps},
                 {"compiler", tuning.compiler},
                 {"target", tuned.problem.target},
                 {"strategy", call.strategy},
                 {"seed", call.seed},
                 {"measured", summary.measured},
                 {"individuals", summary.individuals},
                 {"genome", contest.best.genome},
                 {"gene_table_hash", plan::gene_table_hash(tuned.problem.genes)},
                 {"schedule", schedule},
                 {"champion_cell_updates_per_second", contest.best.score},
                 {"default_cell_updates_per_second", contest.start.score},
                 {"faster", contest.won},
                 {"rounds", held.rounds},
                 {"missing_rounds", held.missing_rounds},
                 {"database", summary.database}};
  if (call.predict) result["predicted"] = summary.predicted;
  if (summary.enough > 0) {
    result["good_enough_at"] = summary.enough;
    result["good_enough"] = summary.good_enough;
  }
  if (held.first) result["start_cell_updates_per_second"] = held.first->score;
  return result;
}

}  // namespace

void tell_contest(const TuneCall& call, const Tuning& tuning, const TuneSummary& summary,
                  const tune::FinalContest& held) {
  const tune::Contest& contest = held.contest;
  const tune::TunedProgram& tuned = tuning.tuned;
  const auto schedule = tuned.schedule_text(tuned.genome_from(contest.best.genome));
  if (call.execution.json) {
    fmt::print("{}\n", json_text(to_json(call, tuning, summary, held, schedule)));
    return;
  }
  fmt::print("side by side: best {}, default {}: {:.3f} times{}\n",
             runtime::speed_text(contest.best.score), runtime::speed_text(contest.start.score),
             contest.best.score / contest.start.score, start_text(held));
  if (held.missing_rounds > 0) {
    fmt::print("{}, `--contest --rounds {}`: until then `run` takes the default schedule\n",
               held.missing, held.rounds + held.missing_rounds);
    return;
  }
  if (!contest.won) {
    fmt::print("it is {}: `run` uses the default schedule\n",
               contest.best.score < contest.start.score
                   ? "slower"
                   : "not faster by more than the uncertainty");
    return;
  }
  fmt::print("`run` takes it from now on: {} near {}, {} thread{}{}, {} for {}; kept in `{}`\n",
             tuning.chosen.name, tuned.problem.size, tuned.problem.threads,
             tuned.problem.threads == 1 ? "" : "s",
             om::ranks_of(tuned.problem.size) > 1 ? " each" : "", tuning.compiler,
             tuned.problem.target, summary.database);
  fmt::print("anywhere else: --schedule {}\n", schedule);
}

}  // namespace paraiso::cli
