#include "cli/schedule_choice.hpp"

#include <fmt/format.h>

#include "cli/tuning_problem.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/plan/search/default_schedule.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/database/champion.hpp"

namespace paraiso::cli {

namespace {

constexpr std::string_view kGenome = "genome:";
// A run does not wait longer for a tuner that writes.
constexpr auto kWaitForChampion = std::chrono::seconds(2);

/// `LETTERS`, or `HASH:LETTERS` with the hash of the gene table that they are of.
plan::Schedule decode_genome(const om::Machine& program, const std::string& text) {
  const auto table = plan::genes(program);
  const auto decode = [&](std::string_view letters) {
    return plan::schedule_of(table, plan::genome_from(table, letters));
  };
  const auto colon = text.find(':');
  if (colon == std::string::npos) return decode(text);
  const std::string hash = plan::gene_table_hash(table);
  if (text.substr(0, colon) != hash)
    throw Error(fmt::format(
        "the genome does not fit `{}`: it was made for gene table {}, and `{}` has `{}` "
        "(it is another program, or another version of it)",
        program.name, shown(text.substr(0, colon)), program.name, hash));
  return decode(std::string_view(text).substr(colon + 1));
}

plan::Schedule read_schedule(const om::Machine& program, const std::string& file,
                             const char* option) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw WrongCall(fmt::format("`{} {}`: no such file; or say `default`", option, file));
  return plan::parse(runtime::read_file(file), file, program);
}

std::optional<tune::Champion> find_champion(const std::function<tune::Problem()>& problem,
                                            const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return std::nullopt;  // before anything is generated
  tune::Database database(file, kWaitForChampion, tune::Access::read);
  return tune::nearest_champion(database, problem());
}

ScheduleChoice tuned(const om::Machine& program, const MachineLookup& machine,
                     const tune::Champion& champion, const std::filesystem::path& database) {
  return {plan::overlaid(untuned_schedule(program, machine()), champion.schedule()), "tuned",
          fmt::format("{:.2f} times the default at {}, from `{}`",
                      champion.contest.best.score / champion.contest.start.score,
                      champion.problem.size, database.string())};
}

ScheduleChoice untuned(const om::Machine& program, const MachineLookup& machine,
                       const std::string& why) {
  return {untuned_schedule(program, machine()), "default", why};
}

ScheduleChoice tuned_or_default(const om::Machine& program, const MachineLookup& machine,
                                const std::function<tune::Problem()>& problem,
                                const std::filesystem::path& database) {
  const auto champion = find_champion(problem, database);
  return champion ? tuned(program, machine, *champion, database)
                  : untuned(program, machine, "nothing is tuned near this size");
}

ScheduleChoice require_tuned(const om::Machine& program, const MachineLookup& machine,
                             const std::function<tune::Problem()>& problem,
                             const std::filesystem::path& database) {
  if (const auto champion = find_champion(problem, database))
    return tuned(program, machine, *champion, database);
  const tune::Problem wanted = problem();
  throw Error(fmt::format("no champion of `{}` near {} in `{}`", wanted.machine, wanted.size,
                          database.string()))
      .with_hint(
          "`paraiso tune` finds one for this machine, compiler, target and number of threads");
}

}  // namespace

plan::Schedule untuned_schedule(const om::Machine& program, const plan::MachineModel& machine) {
  plan::Setting setting;
  setting.machine = plan::cautious(machine);
  return plan::default_schedule(program, setting);
}

plan::Schedule choose_schedule(const om::Machine& program, const std::string& schedule,
                               const MachineLookup& machine, const char* option) {
  if (schedule.empty() || schedule == "default") return untuned_schedule(program, machine());
  if (schedule == "tuned")
    throw WrongCall(
        Error(fmt::format("`{} tuned` is for `run` and `bench`, which have a grid", option))
            .with_hint("`tune` prints its champion as `genome:LETTERS`"));
  if (schedule.starts_with(kGenome))
    return as_wrong_call([&] { return decode_genome(program, schedule.substr(kGenome.size())); });
  return read_schedule(program, schedule, option);
}

ScheduleChoice choose_for_grid(const om::Machine& program, const std::string& schedule,
                               const MachineLookup& machine,
                               const std::function<tune::Problem()>& problem,
                               const std::string& database) {
  if (schedule == "default") return untuned(program, machine, "chosen by the cost model");
  if (schedule.starts_with(kGenome))
    return {choose_schedule(program, schedule, machine), "genome", "as given"};
  if (!schedule.empty() && schedule != "tuned")
    return {choose_schedule(program, schedule, machine), "file", fmt::format("`{}`", schedule)};
  if (schedule == "tuned") return require_tuned(program, machine, problem, database_path(database));
  try {
    return tuned_or_default(program, machine, problem, database_path(database));
  } catch (const Error& error) {
    return untuned(
        program, machine,
        fmt::format("since the tuned ones can't be read: {}", error.diagnostics()[0].message));
  }
}

}  // namespace paraiso::cli
