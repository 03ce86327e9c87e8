#include "cli/choices/schedule_choice.hpp"

#include <fmt/format.h>

#include "cli/choices/database_choice.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/plan/schedule/exchange_gene.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/plan/schedule/skew_genes.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/database/champion.hpp"

namespace paraiso::cli {

namespace {

constexpr std::string_view kGenome = "genome:";

/// `LETTERS`, or `HASH:LETTERS` with the hash of their gene table: that of the program, that of
/// its ranks, which begins alike, or one of these with shifted storage.
plan::Schedule decode_genome(const ScheduledProgram& scheduled, const std::string& text) {
  const auto on_ranks = plan::genes_on_ranks(scheduled.program, scheduled.genes);
  const auto decode = [&](const std::vector<plan::Gene>& table, std::string_view letters) {
    return plan::schedule_of(table, plan::genome_from(table, letters));
  };
  const auto colon = text.find(':');
  if (colon == std::string::npos) return decode(on_ranks, text);
  const std::string given = text.substr(0, colon);
  for (const auto& table :
       {scheduled.genes, on_ranks, plan::with_skew_genes(scheduled.program, scheduled.genes),
        plan::with_skew_genes(scheduled.program, on_ranks)})
    if (given == plan::gene_table_hash(table))
      return decode(table, std::string_view(text).substr(colon + 1));
  throw Error(
      fmt::format("the genome does not fit `{}`: it was made for gene table {}, and `{}` has `{}` "
                  "(it is another program, or another version of it)",
                  scheduled.program.name, shown(given), scheduled.program.name,
                  plan::gene_table_hash(scheduled.genes)));
}

plan::Schedule read_schedule(const ScheduledProgram& scheduled, const std::string& file,
                             std::string_view before) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw WrongCall(fmt::format("`{}{}`: no such file; or say `default`", before, file));
  return plan::parse(runtime::read_file(file), file, scheduled.program, scheduled.genes);
}

/// What is known of a program near its size.
struct Tuned {
  std::optional<tune::Champion> champion;
  bool unbeaten = false;  // at this very size the default was as fast as all others
};

Tuned find_tuned(const std::vector<MakeProblem>& problems, const std::filesystem::path& file) {
  Tuned found;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return found;  // before anything is generated
  tune::Database database(file, kWaitForTuner, tune::Access::read);
  for (const MakeProblem& make : problems) {
    const tune::TuningProblem problem = make();
    found.champion = tune::nearest_champion(database, problem);
    const bool won_here = found.champion && found.champion->is_own(problem);
    found.unbeaten = !won_here && tune::is_unbeaten(database, problem);
    if (found.champion || found.unbeaten) return found;
  }
  return found;
}

ScheduleChoice tuned(const ScheduledProgram& scheduled, const tune::Champion& champion,
                     const std::filesystem::path& database) {
  return {plan::overlaid(untuned_schedule(scheduled), champion.schedule()), "tuned",
          fmt::format("{:.2f} times the default at {}, from `{}`",
                      champion.contest.best.score / champion.contest.start.score,
                      champion.problem.size, database.string())};
}

ScheduleChoice untuned(const ScheduledProgram& scheduled, const std::string& why) {
  return {untuned_schedule(scheduled), "default", why};
}

ScheduleChoice predicted(const tune::Predicted& found, const std::filesystem::path& database) {
  const tune::Candidate& best = found.candidates.front();
  const tune::CloseInstance& nearest = found.near[best.nearest];
  return {best.schedule, "predicted",
          fmt::format("{:.2f} times the default expected, like {} {} by {:.2f} of 1, from `{}`",
                      best.gain, nearest.instance.problem.machine, nearest.instance.problem.size,
                      best.confidence, database.string())};
}

/// The default where it was not beaten at this size; else the champion, what is predicted, or the
/// default.
ScheduleChoice best_known(const ScheduledProgram& scheduled,
                          const std::vector<MakeProblem>& problems,
                          const std::function<tune::Untuned()>& program,
                          const std::filesystem::path& database) {
  const Tuned known = find_tuned(problems, database);
  if (known.unbeaten)
    return untuned(scheduled, "tuned at this size, where the default was not beaten");
  if (known.champion) return tuned(scheduled, *known.champion, database);
  const tune::Predicted found = prediction_from(database, program);
  if (found.sure) return predicted(found, database);
  const std::string why = "nothing is tuned near this size";
  return untuned(scheduled, found.nothing_known
                                ? why
                                : fmt::format("{}; not predicted: {}", why, found.why_not));
}

ScheduleChoice require_tuned(const ScheduledProgram& scheduled,
                             const std::vector<MakeProblem>& problems,
                             const std::filesystem::path& database) {
  if (const auto champion = find_tuned(problems, database).champion)
    return tuned(scheduled, *champion, database);
  const tune::TuningProblem asked = problems.front()();
  throw Error(fmt::format("no champion of `{}` near {} in `{}`", asked.machine, asked.size,
                          database.string()))
      .with_hint(
          "`paraiso tune` finds one for this machine, compiler, target and number of threads");
}

ScheduleChoice predicted_or_default(const ScheduledProgram& scheduled,
                                    const std::function<tune::Untuned()>& program,
                                    const std::filesystem::path& database) {
  const tune::Predicted found = prediction_from(database, program);
  return found.sure ? predicted(found, database)
                    : untuned(scheduled, fmt::format("not predicted: {}", found.why_not));
}

}  // namespace

bool names_schedule(const std::string& text) {
  return !text.empty() && text != "default" && text != "tuned" && text != "predicted";
}

plan::Setting planned_setting(const std::vector<std::int64_t>& size, const MachineLookup& machine) {
  return {size, size.empty() ? plan::cautious(machine()) : machine()};
}

plan::Schedule untuned_schedule(const ScheduledProgram& scheduled) {
  plan::Setting setting = planned_setting(scheduled.size, scheduled.machine);
  setting.sharing = scheduled.sharing;
  return scheduled.backend.default_schedule(scheduled.program, setting);
}

plan::Schedule choose_schedule(const ScheduledProgram& scheduled, const std::string& schedule,
                               std::string_view before) {
  if (schedule.empty() || schedule == "default") return untuned_schedule(scheduled);
  if (schedule == "tuned" || schedule == "predicted")
    throw WrongCall(Error(fmt::format("`{}{}` is for `run` and `bench`: only they look for one",
                                      before, schedule))
                        .with_hint(schedule == "tuned"
                                       ? "`tune` prints its champion as `genome:LETTERS`"
                                       : "`predict` prints what it finds as `genome:LETTERS`"));
  if (schedule.starts_with(kGenome))
    return as_wrong_call([&] { return decode_genome(scheduled, schedule.substr(kGenome.size())); });
  return read_schedule(scheduled, schedule, before);
}

std::string genome_text(const std::vector<plan::Gene>& genes, const plan::Schedule& schedule) {
  return fmt::format("{}{}:{}", kGenome, plan::gene_table_hash(genes),
                     plan::letters_of(genes, plan::genome_of(genes, schedule)));
}

ScheduleChoice choose_for_grid(const ScheduledProgram& scheduled, const std::string& schedule,
                               const std::vector<MakeProblem>& problems,
                               const std::function<tune::Untuned()>& untuned_program,
                               const std::string& database) {
  if (schedule == "predicted")
    return predicted_or_default(scheduled, untuned_program, database_path(database));
  if (schedule == "default") return untuned(scheduled, "chosen by the cost model");
  if (schedule.starts_with(kGenome))
    return {choose_schedule(scheduled, schedule), "genome", "as given"};
  if (!schedule.empty() && schedule != "tuned")
    return {choose_schedule(scheduled, schedule), "file", fmt::format("`{}`", schedule)};
  if (schedule == "tuned") return require_tuned(scheduled, problems, database_path(database));
  try {
    return best_known(scheduled, problems, untuned_program, database_path(database));
  } catch (const Error& error) {
    return untuned(scheduled, fmt::format("since the tuned ones can't be read: {}",
                                          error.diagnostics()[0].message));
  }
}

}  // namespace paraiso::cli
