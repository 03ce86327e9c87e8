#include "paraiso/tune/strategies/parts/breeding.hpp"

#include <algorithm>

namespace paraiso::tune {

using plan::Genome;

namespace {

constexpr int kAttempts = 30;

}  // namespace

Genome Breeding::cross(const Genome& one, const Genome& other) {
  Genome child = one;
  const bool uniform = rng_.chance(0.5);
  bool exchanged = rng_.chance(0.5);
  const double cut = uniform ? 0.5 : 2.0 / static_cast<double>(one.size());
  for (std::size_t g = 0; g < child.size(); ++g) {
    if (rng_.chance(cut)) exchanged = !exchanged;
    if (exchanged) child[g] = other[g];
  }
  return child;
}

Genome Breeding::mutate(Genome genome, double rate, double stepping) {
  const std::size_t one = rng_.below(genome.size());
  for (std::size_t g = 0; g < genome.size(); ++g)
    if (g == one || rng_.chance(rate)) genome[g] = order_.changed(g, genome[g], stepping, rng_);
  return genome;
}

Genome Breeding::fresh(Genome genome, double stepping, const std::vector<Birth>& batch) {
  genome = space_.canonical(genome);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const bool among =
        std::ranges::any_of(batch, [&](const Birth& birth) { return birth.genome == genome; });
    if (!among && !history_.known(genome)) break;
    // Ever further from where it began.
    genome = attempt < kAttempts - 3
                 ? space_.canonical(mutate(std::move(genome), 0.02 * attempt, stepping))
                 : any();
  }
  return genome;
}

std::vector<Birth> Breeding::population(std::size_t size) {
  std::vector<Birth> batch;
  for (const plan::Genome& start : space_.starts) batch.push_back({start, "start", {}, 0});
  for (const std::size_t known : best_known(history_, size / 2))
    batch.push_back({history_.genome(known), "known", {}, 0});
  while (batch.size() < size) batch.push_back({fresh(any(), 0, batch), "random", {}, 0});
  return batch;
}

std::vector<std::size_t> best_known(const History& history, std::size_t count) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < history.size(); ++i)
    if (history.ok(i)) found.push_back(i);
  const auto middle = found.begin() + static_cast<std::ptrdiff_t>(std::min(count, found.size()));
  std::partial_sort(found.begin(), middle, found.end(), [&](std::size_t one, std::size_t other) {
    return history.score(one) != history.score(other) ? history.score(one) > history.score(other)
                                                      : one < other;
  });
  found.erase(middle, found.end());
  return found;
}

}  // namespace paraiso::tune
