// Contest: the best individuals of a tuning and the default schedule, measured again side by side.
// Gives: ContestResult, hold_contest, missing_text, finalists. Needs: database, rating, rounds.
//
// The highest score of many was partly luck. So the best few are measured again to choose one of
// them, and that one is measured against the default schedule in new rounds, which play no part in
// the choice. The two take turns at being first, and anything that slows the machine down for a
// while slows all of a round: the lead in a round is the logarithm of the ratio of the speeds.
//
// The winner must be faster in the mean over the rounds by more than chance gives to one side or
// the other once in twenty times (Student's t). If that is in doubt, and a gain of 5 % is not
// excluded either, the number of rounds is doubled, as often as needed. Each such additional look
// has its own chance of an error to this side, one in a thousand, so that all together stay near
// the error of the first look.
#pragma once

#include "paraiso/tune/contest/rounds.hpp"
#include "paraiso/tune/database/database.hpp"

namespace paraiso::tune {

struct ContestRounds {
  int choice = 3;    // among the finalists
  int decision = 6;  // between the chosen one and the start; at least 2, and even for fair turns
  int most = 48;     // limit of the decision's rounds, if it is in doubt; even too
  int alone = 2;     // of the start where there is nobody else: its speed and how that varies
};

/// A gain worth further rounds, as a ratio of speeds.
inline constexpr double kWorthwhile = 1.05;

struct ContestResult {
  Contestant best, start;           // in the rounds of the decision
  bool won = false;                 // the best is faster by more than the uncertainty
  std::int64_t missing_rounds = 0;  // to decide, judging by the leads; even in all; 0: decided
  double round_seconds = 0;         // what a round of the decision takes
  std::vector<Contestant> dropped;  // finalists that failed
  std::vector<Contestant> beside;   // in the order given; measured, or failed
};

/// The best is the fastest of the finalists that never fail, or the start if there is none. Those
/// `beside` are measured and can't win. Throws Error if the start fails.
[[nodiscard]] ContestResult hold_contest(const MeasureGenome& time, const plan::Genome& start,
                                         const std::vector<plan::Genome>& finalists,
                                         const std::vector<plan::Genome>& beside = {},
                                         const ContestRounds& rounds = {});

/// "undecided after 48 rounds: it may be 3.60 times as fast; 20 more, 1.5 minutes, would tell";
/// "it may be slower, 0.97 times as fast; 20 more, 1.5 minutes, would exclude a gain of 5 %";
/// empty if it is decided.
[[nodiscard]] std::string missing_text(const ContestResult& result);

/// The genomes with the highest ratings, the highest first; one for each generated code, without
/// the code of the start.
[[nodiscard]] std::vector<plan::Genome> finalists(Database& database, std::int64_t problem,
                                                  const std::vector<plan::Gene>& genes,
                                                  const plan::Genome& start, std::size_t count);

}  // namespace paraiso::tune
