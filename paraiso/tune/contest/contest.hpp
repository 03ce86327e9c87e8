// Contest: the best individuals of a tuning and the default schedule, measured once more side by
// side. Gives: ContestResult, hold_contest, missing_text, finalists. Needs: database, rating,
// rounds.
//
// The highest score of many is a lucky one. So the best few are measured again to pick one of them,
// and that one is measured beside the default schedule in fresh rounds, which have no part in the
// choice. Both take turns at being first, and what slows the machine down for a while slows all of
// a round: its lead is the logarithm of the ratio of their speeds.
//
// Whoever wins is faster in the mean over the rounds by more than chance gives one in twenty times
// to one side or the other (Student's t). Where that is in doubt, and so is whether a gain of a
// twentieth is excluded, rounds go on: there are then twice as many, and again. Each such look has
// its own chance of an error to this side, one in a thousand, so that all together stay near the
// first one's.
#pragma once

#include "paraiso/tune/contest/rounds.hpp"
#include "paraiso/tune/database/database.hpp"

namespace paraiso::tune {

struct ContestRounds {
  int choice = 3;    // among the finalists
  int decision = 6;  // of the chosen one and the start; at least 2, and even for fair turns
  int most = 48;     // of the decision, where it is in doubt; even, too
};

/// A gain that is worth further rounds: speeds to 1.
inline constexpr double kWorthwhile = 1.05;

struct ContestResult {
  Contestant best, start;           // in the rounds of the decision
  bool won = false;                 // the best is faster by more than the doubt
  std::int64_t missing_rounds = 0;  // that would decide, as leads are so far; 0: it is decided
  double round_seconds = 0;         // what a round of the decision takes
  std::vector<Contestant> dropped;  // finalists that failed
  std::vector<Contestant> beside;   // in the order asked for; measured, or failed
};

/// The best is the fastest of the finalists that never fail; where there is none such, it is the
/// start. Those `beside` are measured and can't win. Throws Error where the start fails.
[[nodiscard]] ContestResult hold_contest(const Time& time, const plan::Genome& start,
                                         const std::vector<plan::Genome>& finalists,
                                         const std::vector<plan::Genome>& beside = {},
                                         const ContestRounds& rounds = {});

/// "undecided after 48 rounds: it may be 3.60 times as fast; 20 more, 1.5 minutes, would tell";
/// empty where it is decided.
[[nodiscard]] std::string missing_text(const ContestResult& result);

/// The genomes with the highest ratings, the highest first, of each generated code one, and none of
/// the start's.
[[nodiscard]] std::vector<plan::Genome> finalists(Database& database, std::int64_t problem,
                                                  const std::vector<plan::Gene>& genes,
                                                  const plan::Genome& start, std::size_t count);

}  // namespace paraiso::tune
