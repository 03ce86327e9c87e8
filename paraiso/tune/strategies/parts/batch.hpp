// BatchStrategy: for strategies that need all results of a batch before they continue.
// Gives: BatchStrategy. Needs: strategy.
#pragma once

#include "paraiso/tune/strategy.hpp"

namespace paraiso::tune {

class BatchStrategy : public Strategy {
 public:
  explicit BatchStrategy(const SearchContext& setting) : setting_(setting) {}

  std::optional<Birth> ask() final;
  void tell(std::size_t) final {}
  [[nodiscard]] std::string ending() const override;

 protected:
  /// The next genomes to measure, canonical, known or not, and where they came from; `answers` are
  /// the individuals of the last batch, in its order. An empty batch: the strategy is finished.
  [[nodiscard]] virtual std::vector<Birth> next(const std::vector<std::size_t>& answers) = 0;

  [[nodiscard]] const Space& space() const { return setting_.space; }
  [[nodiscard]] const History& history() const { return setting_.history; }

 private:
  /// Whether the whole batch is measured; if so, its individuals are in `answers_`.
  [[nodiscard]] bool answered();

  /// After this many batches in a row without a new genome the strategy goes round in circles. Not
  /// after one: it may have to repeat the way of an earlier tuning.
  [[nodiscard]] std::size_t patience() const;

  SearchContext setting_;
  std::vector<Birth> batch_;
  std::vector<std::size_t> answers_;
};

}  // namespace paraiso::tune
