// Tuning: everything that stays the same while `tune` searches, and how its workers are called.
// Gives: TuneCall, Tuning, set_up, limits_of, build_seconds, find_reference, named_schedule,
// space_of, command_of, keeper_of.
// Needs: prepared, tune.
#pragma once

#include "cli/prepared/prepared.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"
#include "paraiso/tune/evaluate/process_evaluator.hpp"
#include "paraiso/tune/tuning/tuned_program.hpp"

namespace paraiso::cli {

struct TuneCall {
  Execution execution;
  std::string from;  // the only start, as `--schedule` takes it; empty: all available starts
  std::string strategy = "anneal";
  bool skew = false;           // storage may lie shifted
  std::int64_t budget = 0;     // individuals; 0: until the minutes are over
  std::int64_t total = 0;      // individuals that the problem has at the end; 0: as the budget says
  bool predict = false;        // first what other tunings let expect, one by one
  double good_enough = 0;      // times the default's speed, which end it; 0: as the prediction says
  std::int64_t recipes = 0;    // so many of the common list instead of a search
  double minutes = 0;          // 0: until the budget is spent
  bool contest_alone = false;  // no search: only the contest again
  bool parts = false;          // no search: measures the champion's changes
  int rounds = 48;             // of the contest at most, if it is in doubt
  double time_limit = 300;     // seconds of checking and timing an individual
  double compile_limit = 600;  // seconds of compiling it
  std::int64_t again = 0;      // no search: measures so many of the best again
  int repeats = 30;            // timed repeats of an individual
  std::uint64_t seed = 1;
  const char* of_search = nullptr;  // an option given that only a search heeds; null: none is
  std::optional<tune::BirthShares> shares;  // of anneal's births; none: the usual ones
};

struct Tuning {
  ChosenMachine chosen;
  tune::TunedProgram tuned;
  std::vector<plan::Gene> genes;  // of the program on one rank
  double sharing = 1;             // ranks that share a last cache
  runtime::Parameters parameters;
  std::string compiler;
  std::vector<plan::Genome> only;       // a list is measured, and no more; empty: there is a search
  std::vector<plan::Genome> predicted;  // tried after the default schedule, in this order
  // For the default schedule: the steps of a repeat, and the state after them.
  std::int64_t steps = 0;
  std::string state_hash;
};

/// Throws WrongCall for a program that can't be tuned.
[[nodiscard]] Tuning set_up(const Session& session, const TuneCall& call);

/// What an individual may take.
[[nodiscard]] tune::WorkerLimits limits_of(const TuneCall& call);

/// The limit for building an individual: compiling, checking, and the rest.
[[nodiscard]] double build_seconds(const TuneCall& call);

/// Builds the default schedule, checks it and runs it once, within the limits of an individual: the
/// result that all others must equal. Throws Error if it does not run.
void find_reference(const TuneCall& call, const runtime::TemporaryFolder& scratch, Tuning& tuning);

/// The schedule that the call names; none if it names none.
[[nodiscard]] std::optional<plan::Schedule> named_schedule(const TuneCall& call,
                                                           const Tuning& tuning);

/// Starts with the schedule that the call names, the default one, those that are predicted, one
/// from the program's annotations if it has any, and `similar` ones; with `--from` with that one
/// alone.
[[nodiscard]] tune::Space space_of(const TuneCall& call, const Tuning& tuning,
                                   const std::vector<plan::Schedule>& similar);

/// Gives the command line of a worker for an order. The arguments outlive it.
[[nodiscard]] tune::WorkerCommand command_of(const TuneCall& call, const Tuning& tuning);

/// Keeps the sources of an individual next to the database, as `emit` writes them, to be built and
/// examined separately. The arguments outlive it.
[[nodiscard]] std::function<std::filesystem::path(const plan::Genome&)> keeper_of(
    const TuneCall& call, const Tuning& tuning, const std::filesystem::path& database,
    std::int64_t problem);

}  // namespace paraiso::cli
