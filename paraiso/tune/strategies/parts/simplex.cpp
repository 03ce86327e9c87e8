#include "paraiso/tune/strategies/parts/simplex.hpp"

#include <algorithm>
#include <cmath>

namespace paraiso::tune {

namespace {

constexpr std::size_t kLargestDimension = 12;

std::vector<double> point_of(const plan::Genome& genome) { return {genome.begin(), genome.end()}; }

}  // namespace

std::vector<double> SimplexStrategy::scaled(const std::vector<double>& center,
                                            const std::vector<double>& point, double factor) {
  std::vector<double> result = center;
  for (std::size_t g = 0; g < result.size(); ++g) result[g] += factor * (point[g] - center[g]);
  return result;
}

void SimplexStrategy::sort_corners() {
  std::ranges::stable_sort(corners_, std::ranges::greater{}, &Corner::score);
}

plan::Genome SimplexStrategy::rounded(const std::vector<double>& point) const {
  plan::Genome genome;
  for (std::size_t g = 0; g < point.size(); ++g) {
    const auto last = static_cast<double>(space().genes[g].alleles.size() - 1);
    genome.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(point[g], 0.0, last))));
  }
  return genome;
}

Birth SimplexStrategy::birth_at(const std::vector<double>& point) const {
  Birth birth{space().canonical(rounded(point)), "simplex", {}, 0};
  for (const plan::Genome& start : space().starts)
    if (birth.genome == start) birth.method = "start";
  return birth;
}

/// Moves each gene with a probability chosen so that two to half of the genes change.
std::vector<double> SimplexStrategy::far_corner(const std::vector<double>& origin) {
  std::vector<double> point = origin;
  const auto genes = static_cast<double>(point.size());
  const double rate = std::pow(genes / 4, rng_.unit()) * 2 / genes;
  for (std::size_t g = 0; g < point.size(); ++g)
    if (rng_.chance(rate))
      point[g] = static_cast<double>(rng_.below(space().genes[g].alleles.size()));
  return point;
}

std::vector<Birth> SimplexStrategy::begin() {
  const auto best = history().best();
  const auto origin = point_of(best ? history().genome(*best) : space().starts.front());
  asked_ = {origin};
  if (corners_.empty())
    for (const plan::Genome& start : space().starts)
      if (const auto point = point_of(start); point != origin) asked_.push_back(point);
  const std::size_t count = std::min(space().genes.size(), kLargestDimension) + 1;
  while (asked_.size() < count) asked_.push_back(far_corner(origin));
  beginning_ = true;
  std::vector<Birth> batch;
  for (const auto& point : asked_) batch.push_back(birth_at(point));
  return batch;
}

bool SimplexStrategy::collapsed() const {
  const plan::Genome first = rounded(corners_.front().point);
  return std::ranges::all_of(corners_,
                             [&](const Corner& corner) { return rounded(corner.point) == first; });
}

std::vector<Birth> SimplexStrategy::next(const std::vector<std::size_t>& answers) {
  if (answers.empty()) return begin();
  std::vector<double> scores;
  for (const std::size_t answer : answers) scores.push_back(history().score(answer));
  if (beginning_) {
    corners_.clear();
    for (std::size_t c = 0; c < scores.size(); ++c) corners_.push_back({asked_[c], scores[c]});
    beginning_ = false;
    scores.clear();
  }
  sort_corners();
  asked_ = collapsed() ? std::vector<std::vector<double>>{} : move(scores);
  if (asked_.empty()) return begin();
  std::vector<Birth> batch;
  for (const auto& point : asked_) batch.push_back(birth_at(point));
  return batch;
}

}  // namespace paraiso::tune
