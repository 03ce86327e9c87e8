#include "paraiso/tune/contest/leaders.hpp"

#include <algorithm>

namespace paraiso::tune {

bool same_code(const Individual& one, const Individual& other) {
  return one.genome == other.genome || (!one.measurement.code_hash.empty() &&
                                        one.measurement.code_hash == other.measurement.code_hash);
}

void Leaders::add(double score, const Individual& individual) {
  const auto is_same = [&](const auto& known) { return same_code(known.second, individual); };
  if (std::ranges::any_of(best_, is_same)) return;
  const auto place =
      std::ranges::find_if(best_, [&](const auto& known) { return known.first < score; });
  best_.emplace(place, score, individual);
  if (best_.size() > count_) best_.pop_back();
}

std::vector<Individual> Leaders::individuals() const {
  std::vector<Individual> found;
  for (const auto& [score, individual] : best_) found.push_back(individual);
  return found;
}

}  // namespace paraiso::tune
