// Fitness ranks: how an individual compares with its parents.
// Gives: FitnessRank, rank_of, RankTable, rank_table. Needs: lineage.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "paraiso/tune/analysis/lineage.hpp"

namespace paraiso::tune {

/// Section 5.3 of the 2012 paper; "significantly" is by more than the root of the sum of both
/// squared deviations. The paper's formulas and its text differ for ties, and for a child that is
/// faster than its fastest parent but not significantly faster than one with a large deviation:
/// neither is slower. We follow the text.
enum class FitnessRank {
  much_slower,  // [<<] significantly slower than each of its parents
  slower,       // [<=] significantly slower than its fastest parent, but not than each
  alike,        // [~]  all others
  much_faster   // [>>] significantly faster than each of its parents
};
inline constexpr std::size_t kRankCount = 4;

/// None for an individual without parents.
[[nodiscard]] std::optional<FitnessRank> rank_of(const Lineage& lineage, std::size_t individual);

/// Tables A8 to A14.
struct RankTable {
  struct Cell {
    std::int64_t all = 0;           // individuals of this birth and rank
    std::int64_t contributing = 0;  // those of them at contribution distance 0
  };
  std::array<std::array<Cell, kRankCount>, 3> cells;  // by number of parents minus one, and rank
};
/// `distances` as `contribution_distances` gives them.
[[nodiscard]] RankTable rank_table(const Lineage& lineage, std::span<const int> distances);

}  // namespace paraiso::tune
