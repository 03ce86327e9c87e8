#include "paraiso/tune/analysis/fitness_rank.hpp"

#include <algorithm>
#include <cmath>

namespace paraiso::tune {

std::optional<FitnessRank> rank_of(const Lineage& lineage, std::size_t individual) {
  const Member& child = lineage[individual];
  if (child.parents.empty()) return std::nullopt;
  const auto lead = [&](std::size_t parent) { return child.score - lineage[parent].score; };
  const auto margin = [&](std::size_t parent) {
    return std::hypot(child.deviation, lineage[parent].deviation);
  };
  const auto& parents = child.parents;
  if (std::ranges::all_of(parents, [&](std::size_t p) { return lead(p) < -margin(p); }))
    return FitnessRank::much_slower;
  if (std::ranges::all_of(parents, [&](std::size_t p) { return lead(p) > margin(p); }))
    return FitnessRank::much_faster;
  const std::size_t fastest = *std::max_element(
      parents.begin(), parents.end(),
      [&](std::size_t a, std::size_t b) { return lineage[a].score < lineage[b].score; });
  return lead(fastest) < -margin(fastest) ? FitnessRank::slower : FitnessRank::alike;
}

RankTable rank_table(const Lineage& lineage, std::span<const int> distances) {
  RankTable table;
  for (std::size_t i = 0; i < lineage.size(); ++i) {
    const auto rank = rank_of(lineage, i);
    const std::size_t parents = lineage[i].parent_count();
    if (!rank || parents > table.cells.size()) continue;
    RankTable::Cell& cell = table.cells[parents - 1][static_cast<std::size_t>(*rank)];
    ++cell.all;
    if (distances[i] == 0) ++cell.contributing;
  }
  return table;
}

}  // namespace paraiso::tune
