// Strategy: decides which individual to try next.
// Gives: Birth, BirthShares, SearchContext, Strategy, StrategySetting, StrategyInfo, strategies,
// require_strategy, require_strategies, make_strategy. Needs: space, history.
//
// A strategy sees a space, the history and a seed, and nothing of programs or machines. It is asked
// for births and told measurements in any order and number: with a thousand workers it is asked a
// thousand times before it is told the first result.
//
// To add one: its file in strategies/, its line in strategies/all.hpp, its row in strategy.cpp.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "paraiso/tune/database/history.hpp"
#include "paraiso/tune/space.hpp"

namespace paraiso::tune {

/// A genome to try and its origin.
struct Birth {
  plan::Genome genome;               // canonical, and not known to the history
  std::string method;                // "start", "mutation", "crossover", ...
  std::vector<std::size_t> parents;  // numbers in the history
  double temperature = 0;            // at which the parents were drawn, if they were
};

/// How often `anneal` tries each method of birth; only their ratios count.
struct BirthShares {
  double mutation = 1, crossover = 1, triangulation = 1;
  double rules = 0.5;   // the part of the mutations that follow a rule
  double blocks = 0.5;  // the part of the others that give a block of genes one allele
  // Random genomes: the n-th birth is one with probability s / (s + n), times the fraction of
  // earlier ones that were worth their time.
  double strangers = 3;
};

/// A strategy's surroundings; all outlive it.
struct SearchContext {
  const Space& space;
  const History& history;
  std::uint64_t seed = 1;
  BirthShares shares = {};
  std::map<std::string, double> settings = {};  // all those of the strategy; `make_strategy` fills
};

class Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;

  /// The next birth, which the caller adds to the history before asking again. None if the strategy
  /// needs results first; if none are in flight, it is finished.
  virtual std::optional<Birth> ask() = 0;
  /// Why it is finished, in words that can follow a colon.
  [[nodiscard]] virtual std::string ending() const = 0;
  /// Whether it has found each genome of the space to be known.
  [[nodiscard]] virtual bool knows_all() { return false; }
  /// An individual was added to the history: one asked for, or one from an earlier tuning or
  /// another tuner.
  virtual void tell(std::size_t individual) = 0;
};

/// A number that a strategy may be given: `genetic:population=20,mutation=0.1`.
struct StrategySetting {
  const char* name;
  double value;  // unless another is given
  double low, high;
  const char* meaning;
};

struct StrategyInfo {
  const char* name;
  const char* summary;
  std::unique_ptr<Strategy> (*make)(const SearchContext&);
  std::vector<StrategySetting> settings = {};
};
[[nodiscard]] const std::vector<StrategyInfo>& strategies();

/// Of a name, with settings or without. Throws Error, with the nearest name, if there is none such,
/// and for a setting that it does not have or that is set twice.
const StrategyInfo& require_strategy(const std::string& name);
/// Each of them, for a comparison: throws Error also for one that is there twice.
void require_strategies(const std::vector<std::string>& names);
/// Throws Error as `require_strategy` does, and for a space that the strategy can't search.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(const std::string& name,
                                                      const SearchContext& setting);

}  // namespace paraiso::tune
