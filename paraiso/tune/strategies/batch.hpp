// BatchStrategy: for strategies that need the answers to all their questions before they go on.
// Gives: BatchStrategy. Needs: strategy.
#pragma once

#include "paraiso/tune/strategy.hpp"

namespace paraiso::tune {

class BatchStrategy : public Strategy {
 public:
  explicit BatchStrategy(const Setting& setting) : setting_(setting) {}

  std::optional<Birth> ask() final;
  void tell(std::size_t) final {}
  [[nodiscard]] std::string ending() const override;

 protected:
  /// The next genomes to measure, canonical, known or not, and how they came to be; `answers` are
  /// the individuals of the last ones, in their order. Nothing: the strategy is finished.
  [[nodiscard]] virtual std::vector<Birth> next(const std::vector<std::size_t>& answers) = 0;

  [[nodiscard]] const Space& space() const { return setting_.space; }
  [[nodiscard]] const History& history() const { return setting_.history; }

 private:
  /// Whether all of the batch is measured; if so, their individuals are in `answers_`.
  [[nodiscard]] bool answered();

  /// So many batches in a row without a new genome, and the strategy goes round in circles: where
  /// an earlier tuning went, it may have to go again.
  [[nodiscard]] std::size_t patience() const;

  Setting setting_;
  std::vector<Birth> batch_;
  std::vector<std::size_t> answers_;
};

}  // namespace paraiso::tune
