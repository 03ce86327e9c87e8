// Lineage: the individuals of a tuning in the order of their births, as needed by the analyses in
// section 5 of the 2012 paper. Gives: Member, Lineage, best_of. Needs: nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace paraiso::tune {

struct Member {
  double score = 0, deviation = 0;   // mu and sigma of the paper
  std::vector<std::size_t> parents;  // indices in the lineage, all lower than this one's
  std::string method;

  /// One for a mutation, two for a crossover, three for a triangulation; none for a start.
  [[nodiscard]] std::size_t parent_count() const { return parents.size(); }
};

using Lineage = std::vector<Member>;

/// The index of the highest score, the first of equals; none if all failed.
[[nodiscard]] std::optional<std::size_t> best_of(const Lineage& lineage);

}  // namespace paraiso::tune
