// Breeding: what strategies with a population share.
// Gives: Breeding, best_known. Needs: strategy, allele order.
#pragma once

#include "paraiso/tune/strategies/parts/batch.hpp"

namespace paraiso::tune {

class Breeding {
 public:
  explicit Breeding(const SearchContext& setting)
      : space_(setting.space),
        history_(setting.history),
        order_(setting.space.genes, setting.space.kinds),
        rng_(setting.seed) {}

  [[nodiscard]] Rng& rng() { return rng_; }
  [[nodiscard]] const AlleleOrder& order() const { return order_; }

  /// Each gene of either parent, or segments in turn.
  [[nodiscard]] plan::Genome cross(const plan::Genome& one, const plan::Genome& other);
  /// Changes each gene with probability `rate`, and at least one that has other alleles; a number
  /// with probability `stepping` to the next one.
  [[nodiscard]] plan::Genome mutate(plan::Genome genome, double rate, double stepping);
  /// The genome or, if that is known or among `batch`, one near it or in the end any.
  [[nodiscard]] plan::Genome fresh(plan::Genome genome, double stepping,
                                   const std::vector<Birth>& batch);
  /// The first batch of a population of `size`: all starts, of what is known the best, at most half
  /// as many, and others at random.
  [[nodiscard]] std::vector<Birth> population(std::size_t size);
  [[nodiscard]] plan::Genome any() { return uniform_genome(space_, rng_); }

 private:
  const Space& space_;
  const History& history_;
  AlleleOrder order_;
  Rng rng_;
};

/// Of those that succeeded, at most `count`, the best first.
[[nodiscard]] std::vector<std::size_t> best_known(const History& history, std::size_t count);

}  // namespace paraiso::tune
