#include "paraiso/tune/champion.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "paraiso/base/text.hpp"
#include "paraiso/plan/genome.hpp"

namespace paraiso::tune {

namespace {

std::vector<double> extents(const std::string& size) {
  std::vector<double> found;
  for (const std::string& word : split(size, 'x')) {
    double extent = 0;
    std::from_chars(word.data(), word.data() + word.size(), extent);
    found.push_back(extent);
  }
  return found;
}

/// Whether what is fast for the one is fast for the other, were their sizes equal.
bool alike(Problem one, const Problem& other) {
  one.size = other.size;
  one.host = other.host;
  return one == other;
}

}  // namespace

plan::Schedule Champion::schedule() const {
  return plan::schedule_of(problem.genes, plan::genome_from(problem.genes, contest.best.genome));
}

double size_distance(const std::string& one, const std::string& other) {
  const auto from = extents(one), to = extents(other);
  if (from.size() != to.size()) return std::numeric_limits<double>::infinity();
  double distance = 0;
  for (std::size_t axis = 0; axis < from.size(); ++axis)
    distance += std::abs(std::log2(from[axis] / to[axis]));
  return distance / static_cast<double>(from.size());
}

std::optional<Champion> nearest_champion(Database& database, const Problem& problem) {
  std::optional<Champion> nearest;
  for (auto& [id, known] : database.problems()) {
    const double distance = size_distance(known.size, problem.size);
    if (!alike(known, problem) || distance > kNear) continue;
    if (nearest && distance > nearest->distance) continue;
    const auto contest = database.contest(id);
    if (!contest || !contest->won) continue;
    if (nearest && distance == nearest->distance && contest->held < nearest->contest.held) continue;
    nearest = Champion{std::move(known), *contest, distance};
  }
  return nearest;
}

}  // namespace paraiso::tune
