#include "paraiso/tune/analysis/contribution.hpp"

#include <algorithm>

namespace paraiso::tune {

namespace {

/// Whether each individual is one of the best or an ancestor of one. Parents come before children.
std::vector<bool> in_family_of_best(const Lineage& lineage) {
  std::vector<bool> inside(lineage.size());
  const auto best = best_of(lineage);
  if (!best) return inside;
  const double limit = lineage[*best].score - lineage[*best].deviation;
  for (std::size_t i = lineage.size(); i-- > 0;) {
    if (lineage[i].score > limit || i == *best) inside[i] = true;
    if (inside[i])
      for (const std::size_t parent : lineage[i].parents) inside[parent] = true;
  }
  return inside;
}

}  // namespace

std::vector<int> contribution_distances(const Lineage& lineage) {
  const std::vector<bool> inside = in_family_of_best(lineage);
  std::vector<int> distances(lineage.size(), kNoDistance);
  for (std::size_t i = 0; i < lineage.size(); ++i) {
    if (inside[i]) {
      distances[i] = 0;
      continue;
    }
    for (const std::size_t parent : lineage[i].parents) {
      if (distances[parent] == kNoDistance) continue;
      const int distance = distances[parent] + 1;
      distances[i] = distances[i] == kNoDistance ? distance : std::min(distances[i], distance);
    }
  }
  return distances;
}

ContributionTable contribution_table(const Lineage& lineage) {
  const std::vector<int> distances = contribution_distances(lineage);
  ContributionTable table;
  for (std::size_t i = 0; i < lineage.size(); ++i) {
    const std::size_t column = std::min(lineage[i].parent_count(), ContributionTable::kColumns - 1);
    if (distances[i] == kNoDistance) {
      ++table.strangers[column];
      continue;
    }
    const auto row = static_cast<std::size_t>(distances[i]);
    if (table.rows.size() <= row) table.rows.resize(row + 1);
    ++table.rows[row][column];
  }
  return table;
}

std::int64_t ContributionTable::sum(std::size_t parents) const {
  std::int64_t result = strangers[parents];
  for (const auto& row : rows) result += row[parents];
  return result;
}

std::int64_t ContributionTable::sum() const {
  std::int64_t result = 0;
  for (std::size_t parents = 0; parents < kColumns; ++parents) result += sum(parents);
  return result;
}

}  // namespace paraiso::tune
