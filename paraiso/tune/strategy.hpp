// Strategy: decides which individual to try next.
// Gives: Birth, BirthShares, Setting, Strategy, StrategyInfo, strategies, require_strategy,
// make_strategy. Needs: space, history.
//
// A strategy sees a space, the history and a seed, and nothing of programs or machines. It is
// asked for births and told of measurements in any order and number: with a thousand workers it is
// asked a thousand times before it is told once.
//
// To add one: its file in strategies/, its line in strategies/all.hpp, its row in strategy.cpp.
#pragma once

#include <memory>
#include <optional>

#include "paraiso/tune/database/history.hpp"
#include "paraiso/tune/space.hpp"

namespace paraiso::tune {

/// A genome to try and where it comes from.
struct Birth {
  plan::Genome genome;               // canonical, and not known to the history
  std::string method;                // "start", "mutation", "crossover", ...
  std::vector<std::size_t> parents;  // numbers in the history
  double temperature = 0;            // of the draw of the parents, where there was one
};

/// How often `anneal` tries each method of birth; only their ratios count.
struct BirthShares {
  double mutation = 1, crossover = 1, triangulation = 1;
  double rules = 0.5;   // the part of the mutations that follow a rule
  double blocks = 0.5;  // of the others those that give a block of genes one allele
  // Random genomes: the n-th birth is one with probability s / (s + n), times the part of those
  // before it that were worth their time.
  double strangers = 3;
};

/// What a strategy works on; all outlive it.
struct Setting {
  const Space& space;
  const History& history;
  std::uint64_t seed = 1;
  BirthShares shares = {};
};

class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;

  /// The next birth, which the caller makes known to the history before asking again. Nothing where
  /// the strategy has to be told first; with nothing in flight that means that it is finished.
  virtual std::optional<Birth> ask() = 0;
  /// Why it is finished, in words that can follow a colon.
  [[nodiscard]] virtual std::string ending() const = 0;
  /// An individual has come to the history: one asked for, of an earlier tuning, or of another
  /// tuner.
  virtual void tell(std::size_t individual) = 0;
};

struct StrategyInfo {
  const char* name;
  const char* summary;
  std::unique_ptr<Strategy> (*make)(const Setting&);
};
[[nodiscard]] const std::vector<StrategyInfo>& strategies();

/// Throws Error, with the nearest name, where there is none such.
const StrategyInfo& require_strategy(const std::string& name);
/// Throws Error for a name that is unknown, and for a space that the strategy can't search.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(const std::string& name,
                                                      const Setting& setting);

}  // namespace paraiso::tune
