// Contribution: how far an individual is from the family trees of the best.
// Gives: contribution_distances, ContributionTable, contribution_table. Needs: lineage.
//
// Section 5.3 of the 2012 paper: d = 0 for the individuals whose score is within one deviation of
// the highest, and for all ancestors of those; for any other, one more than the least distance of
// its parents.
#pragma once

#include <array>
#include <cstdint>

#include "paraiso/tune/analysis/lineage.hpp"

namespace paraiso::tune {

/// The distance of individuals with no ancestor in the family of the best, and of all if nobody
/// succeeded.
inline constexpr int kNoDistance = -1;

[[nodiscard]] std::vector<int> contribution_distances(const Lineage& lineage);

/// Tables A1 to A7: row d counts the individuals at distance d by their number of parents.
struct ContributionTable {
  static constexpr std::size_t kColumns = 4;  // 0 to 3 parents
  std::vector<std::array<std::int64_t, kColumns>> rows;
  std::array<std::int64_t, kColumns> strangers = {};  // kNoDistance

  [[nodiscard]] std::int64_t sum(std::size_t parents) const;
  [[nodiscard]] std::int64_t sum() const;
};
[[nodiscard]] ContributionTable contribution_table(const Lineage& lineage);

}  // namespace paraiso::tune
