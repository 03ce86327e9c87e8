// History: what has been and is being measured, in memory, compactly: 1,000,000 individuals are
// usual.
// Gives: History. Needs: measurement, plan's genomes.
#pragma once

#include <optional>
#include <unordered_map>

#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/tune/database/measurement.hpp"

namespace paraiso::tune {

/// Invariant: each genome occurs once. Individuals are numbered from 0 in the order of `add`.
class History {
 public:
  explicit History(std::vector<plan::Gene> genes);

  /// The genome is being measured.
  void expect(const plan::Genome& genome);
  /// It has been measured. Returns its number; the old one if it is known already.
  std::size_t add(const plan::Genome& genome, const Measurement& measurement);

  /// Measured, or being measured.
  [[nodiscard]] bool known(const plan::Genome& genome) const;
  [[nodiscard]] std::optional<std::size_t> find(const plan::Genome& genome) const;

  [[nodiscard]] std::size_t size() const { return scores_.size(); }
  [[nodiscard]] plan::Genome genome(std::size_t individual) const;
  /// 0 if it failed.
  [[nodiscard]] double score(std::size_t individual) const { return scores_[individual]; }
  [[nodiscard]] double deviation(std::size_t individual) const { return deviations_[individual]; }
  [[nodiscard]] bool ok(std::size_t individual) const { return scores_[individual] > 0; }
  /// The highest score, if any individual did not fail.
  [[nodiscard]] std::optional<std::size_t> best() const { return best_; }

 private:
  std::vector<plan::Gene> genes_;
  std::size_t length_ = 0;  // of each genome's letters
  std::string letters_;     // of all genomes, one after the other
  std::vector<double> scores_, deviations_;
  /// By the hash of the letters; kExpected while it is being measured. Among 1,000,000 genomes, two
  /// share a hash with a probability of 3e-8; the second would never be tried.
  std::unordered_map<std::uint64_t, std::size_t> place_;
  std::optional<std::size_t> best_;
};

}  // namespace paraiso::tune
