// Search: a strategy working on its space, with the history that they share.
// Gives: Search. Needs: strategy.
#pragma once

#include "paraiso/tune/strategy.hpp"

namespace paraiso::tune {

class Search {
 public:
  /// Throws Error as `make_strategy` does.
  Search(Space space, const std::string& strategy, std::uint64_t seed,
         const BirthShares& shares = {});
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// The next birth; it is in flight until its result is told.
  [[nodiscard]] std::optional<Birth> ask();
  [[nodiscard]] std::string ending() const { return strategy_->ending(); }
  [[nodiscard]] bool knows_all() { return strategy_->knows_all(); }
  /// A measurement, whether or not it was asked for; returns the individual's number in the
  /// history.
  std::size_t tell(const plan::Genome& genome, const Measurement& measurement);

  [[nodiscard]] const Space& space() const { return space_; }
  [[nodiscard]] const History& history() const { return history_; }

 private:
  Space space_;
  History history_;
  std::unique_ptr<Strategy> strategy_;
};

}  // namespace paraiso::tune
