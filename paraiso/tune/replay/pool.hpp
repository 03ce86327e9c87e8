// Pool: the individuals of a recording as a space to search in.
// Gives: Pool, PoolRun. Needs: recording, space.
//
// What a strategy asks for is hardly ever recorded exactly: the answer is the individual nearest to
// it in the alleles' order. In an exhaustive recording what is not there is illegal, and the answer
// is always the same one: a space with its repair. Of a space of 10^300 genomes another recording
// knows a few thousand, so there the answer is the nearest of those not yet used: a small step from
// a good individual leads to one near it, and none is measured twice.
#pragma once

#include <unordered_map>

#include "paraiso/tune/replay/recording.hpp"
#include "paraiso/tune/space.hpp"

namespace paraiso::tune {

class Pool {
 public:
  /// The recording outlives the pool. Of a drawn one the starts don't count: nobody drew them.
  explicit Pool(const Recording& recording);

  [[nodiscard]] std::size_t size() const { return members_.size(); }
  /// Throws Error, with the reason, for a pool of no members, or of no genes.
  void require_members() const;
  [[nodiscard]] const plan::Genome& genome(std::size_t member) const {
    return recording_.entries[members_[member]].genome;
  }
  [[nodiscard]] const Measurement& measurement(std::size_t member) const {
    return recording_.entries[members_[member]].measurement;
  }
  [[nodiscard]] std::vector<double> scores() const;
  /// The member with this genome, if there is one.
  [[nodiscard]] std::optional<std::size_t> find(const plan::Genome& genome) const;
  /// By member, how far it is in the alleles' order; valid until the next call.
  [[nodiscard]] const std::vector<std::uint32_t>& distances(const plan::Genome& genome);
  /// The member nearest in the alleles' order.
  [[nodiscard]] std::size_t nearest(const plan::Genome& genome);
  [[nodiscard]] const Recording& recording() const { return recording_; }

 private:
  [[nodiscard]] std::size_t search(const plan::Genome& genome, std::uint64_t hash);

  const Recording& recording_;
  std::vector<std::size_t> members_;                                  // places in the recording
  std::unordered_map<std::uint64_t, std::uint32_t> place_, answers_;  // by the genome's hash
  std::vector<std::vector<std::uint16_t>> columns_;                   // by gene, then member
  // By gene, if it is one of numbers: distances, allele by allele.
  std::vector<std::vector<std::uint16_t>> steps_;
  std::vector<std::uint32_t> distances_;  // of the last call
};

/// One search in a pool: what it has used. The pool outlives it.
class PoolRun {
 public:
  PoolRun(Pool& pool, std::uint64_t seed);

  /// The space that a strategy sees; valid while the run lives.
  [[nodiscard]] Space space();
  /// Uses one that is left.
  [[nodiscard]] const Measurement& take(const plan::Genome& genome);

 private:
  [[nodiscard]] plan::Genome answer(const plan::Genome& wanted);
  [[nodiscard]] const plan::Genome& nearest_left(const plan::Genome& wanted) const;
  [[nodiscard]] plan::Genome draw(Rng& rng) const;
  [[nodiscard]] plan::Genome first() const;

  Pool& pool_;
  bool exact_;                      // exhaustive: answers do not depend on what was used
  std::vector<std::size_t> left_;   // members, in a random order
  std::vector<std::size_t> where_;  // by member: its place among those left
};

}  // namespace paraiso::tune
