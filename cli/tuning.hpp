// Tuning: all that stays the same while `tune` searches, and how its workers are called.
// Gives: TuneCall, Tuning, set_up, build_seconds, outcome_text, find_reference, space_of,
// command_of, keeper_of. Needs: execution, tune.
#pragma once

#include "cli/execution.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"
#include "paraiso/tune/evaluate/process_evaluator.hpp"

namespace paraiso::cli {

struct TuneCall {
  Execution execution;
  std::string from;  // the only start, as `--schedule` takes it; empty: all starts that there are
  std::string strategy = "anneal";
  std::int64_t budget = 0;     // individuals; 0: until the minutes are over
  std::int64_t total = 0;      // individuals that the problem has then; 0: as the budget says
  double minutes = 0;          // 0: until the budget is spent
  bool contest_alone = false;  // no search: only the champion once more
  bool parts = false;          // no search: what the champion's changes are worth
  int rounds = 48;             // of the contest at most, where it is in doubt
  double time_limit = 300;     // seconds of checking and timing an individual
  double compile_limit = 600;  // seconds of compiling it
  std::int64_t again = 0;      // no search: so many of the best are measured once more
  int repeats = 30;            // timed ones of an individual
  std::uint64_t seed = 1;
  std::optional<tune::BirthShares> shares;  // of anneal's births; none: the usual ones
};

struct Tuning {
  ChosenMachine chosen;
  om::Machine program;
  passes::Fusion fusion;
  tune::Problem problem;  // its genes are those of the timed kernel, and so are all genomes
  std::vector<std::int64_t> size;
  std::string compiler;
  plan::MachineModel machine;                                  // that plans and forecasts are for
  std::function<plan::Genome(const plan::Genome&)> canonical;  // plan::Canonical of that kernel
  plan::Schedule untuned;  // the default one of the whole program
  plan::Genome default_genome;
  plan::Genome first;  // where the search begins: `--from`, or the default one
  // Of the default schedule: how many steps a repeat takes, and the state after them.
  std::int64_t steps = 0;
  std::string state_hash;

  [[nodiscard]] const om::Kernel& kernel() const;
  /// A schedule of the whole program: kernels that are not timed stay as they are untuned.
  [[nodiscard]] plan::Schedule schedule(const plan::Genome& genome) const;
  /// The other way: the canonical genome of the timed kernel.
  [[nodiscard]] plan::Genome genome(const plan::Schedule& schedule) const;
  /// What `--schedule` takes for it.
  [[nodiscard]] std::string schedule_option(const plan::Genome& genome) const;
};

/// Throws WrongCall for a program that can't be tuned.
[[nodiscard]] Tuning set_up(const Session& session, const TuneCall& call);

/// That a worker may take to build an individual: to compile it, to check it, and the rest.
[[nodiscard]] double build_seconds(const TuneCall& call);
/// The speed, or the reason of the failure.
[[nodiscard]] std::string outcome_text(const tune::Measurement& measurement);

/// Builds the default schedule, checks it and runs it once, within the limits of an individual:
/// what all others have to equal. Throws Error where it does not run.
void find_reference(const TuneCall& call, const runtime::TemporaryFolder& scratch, Tuning& tuning);

/// Starts with the schedule that the call names, the default one, the program's annotations alone
/// if it has any, and `similar` ones; with `--from` there alone.
[[nodiscard]] tune::Space space_of(const TuneCall& call, const Tuning& tuning,
                                   const std::vector<plan::Schedule>& similar);

/// How to call a worker for an order. The arguments outlive it.
[[nodiscard]] tune::WorkerCommand command_of(const TuneCall& call, const Tuning& tuning);

/// Keeps the sources of an individual beside the database, as `emit` writes them: they can be built
/// and looked into by themselves. The arguments outlive it.
[[nodiscard]] std::function<std::filesystem::path(const plan::Genome&)> keeper_of(
    const TuneCall& call, const Tuning& tuning, const std::filesystem::path& database,
    std::int64_t problem);

}  // namespace paraiso::cli
