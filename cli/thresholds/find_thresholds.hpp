// FoundThresholds: what timing the versions of a kernel on two ladders of sizes shows: those that
// `--versions` names, or some that are proposed. Gives: ThresholdsCall, LadderComparison,
// FoundThresholds, find_thresholds. Needs: ladder_times, proposed_versions, tune/versions.
#pragma once

#include "cli/thresholds/ladder_times.hpp"
#include "cli/thresholds/proposed_versions.hpp"
#include "paraiso/tune/versions/narrow.hpp"
#include "paraiso/tune/versions/paying_versions.hpp"
#include "paraiso/tune/versions/take_in.hpp"

namespace paraiso::cli {

struct ThresholdsCall {
  Execution execution;
  int sizes = 16, rounds = 31;
  int a_halving = 1;    // sizes of the ladder
  bool shapes = false;  // grids of as many cells, with shorter and shorter rows
  std::string output;   // a file for thresholds,
  std::string list;     // and one for the versions that are proposed
  std::string tuners;   // the file of an earlier call, to compare tuners on
};

/// On one ladder, beside the fastest at each size of all versions that were timed: what runs, the
/// best of them alone, and the usual one alone.
struct LadderComparison {
  tune::BesideFastest runs, single, usual;
  std::string best_single;
};

struct FoundThresholds {
  plan::Dispatch dispatch;             // of the versions that are kept
  std::size_t usual = 0;               // the version that runs untuned
  tune::VersionTimes tuned, judged;    // no size is in both
  std::vector<std::string> taken_in;   // sizes that were to judge, and were tuned on
  std::vector<tune::Between> between;  // where each threshold lies, by what was added to `tuned`
  tune::ChosenThresholds chosen;
  std::vector<std::size_t> runs;  // the version that runs at each size of `judged`
  // Beside all versions that were timed, kept or not.
  tune::Verdict verdict;
  std::string best_single;
  LadderComparison on_tuned, on_judged;
  // Where versions were proposed: all of them, what became of each, and the list of those kept.
  std::vector<ProposedVersion> proposed;
  std::vector<tune::Fate> fates;
  std::vector<plan::VersionLine> kept;

  [[nodiscard]] plan::Thresholds thresholds() const;
};

/// Throws Error where all versions have one schedule, or no size is left to judge by.
[[nodiscard]] FoundThresholds find_thresholds(const Session& session, const ThresholdsCall& call);

}  // namespace paraiso::cli
