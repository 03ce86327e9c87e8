#include "paraiso/tune/replay/pool.hpp"

#include <algorithm>
#include <cmath>

#include "paraiso/base/error.hpp"
#include "paraiso/base/text.hpp"

namespace paraiso::tune {

using plan::Genome;

namespace {

constexpr std::uint16_t kFarthest = 1000;                  // one gene's largest distance
constexpr std::uint64_t kOtherSeed = 0x9e3779b97f4a7c15u;  // not the strategy's random numbers

std::uint64_t hash_of(const Genome& genome) {
  return fnv1a({reinterpret_cast<const char*>(genome.data()), genome.size() * sizeof(genome[0])});
}

/// By pairs of alleles of one gene.
std::vector<std::uint16_t> steps_of(const AlleleOrder& order, std::size_t gene, std::size_t count) {
  std::vector<std::uint16_t> steps;
  for (std::uint16_t a = 0; a < count; ++a)
    for (std::uint16_t b = 0; b < count; ++b)
      steps.push_back(
          static_cast<std::uint16_t>(std::lround(kFarthest * order.distance(gene, a, b))));
  return steps;
}

/// A replay spends most of its time in these two; compiled for speed (CMakeLists.txt).
void add_numbers(const std::vector<std::uint16_t>& column, const std::uint16_t* distance,
                 std::vector<std::uint32_t>& sums) {
  for (std::size_t m = 0; m < sums.size(); ++m) sums[m] += distance[column[m]];
}

void add_names(const std::vector<std::uint16_t>& column, std::uint16_t allele,
               std::vector<std::uint32_t>& sums) {
  for (std::size_t m = 0; m < sums.size(); ++m) sums[m] += column[m] == allele ? 0 : kFarthest;
}

}  // namespace

Pool::Pool(const Recording& recording) : recording_(recording) {
  for (std::size_t e = 0; e < recording.entries.size(); ++e) {
    const bool counts =
        recording.recorded != Recorded::drawn || recording.entries[e].method != "start";
    const auto next = static_cast<std::uint32_t>(members_.size());
    if (counts && place_.try_emplace(hash_of(recording.entries[e].genome), next).second)
      members_.push_back(e);
  }
  const auto& genes = recording.problem.genes;
  const AlleleOrder order(genes, recording.kinds);
  for (std::size_t g = 0; g < genes.size(); ++g) {
    columns_.emplace_back();
    for (std::size_t m = 0; m < size(); ++m) columns_[g].push_back(genome(m)[g]);
    steps_.emplace_back();
    if (order.ordered(g)) steps_[g] = steps_of(order, g, genes[g].alleles.size());
  }
}

void Pool::require_members() const {
  if (recording_.problem.genes.empty()) throw Error("the recording has no genes to choose");
  if (size() > 0) return;
  throw Error(
      recording_.entries.empty()
          ? "the recording has no individuals"
          : "the recording has only its start, which was not drawn: nothing is to be found");
}

std::vector<double> Pool::scores() const {
  std::vector<double> scores;
  for (std::size_t m = 0; m < size(); ++m)
    scores.push_back(measurement(m).ok() ? measurement(m).score : 0);
  return scores;
}

std::optional<std::size_t> Pool::find(const Genome& genome) const {
  const auto found = place_.find(hash_of(genome));
  if (found == place_.end() || this->genome(found->second) != genome) return std::nullopt;
  return found->second;
}

std::size_t Pool::nearest(const Genome& genome) {
  if (const auto member = find(genome)) return *member;
  const std::uint64_t hash = hash_of(genome);
  const auto [answer, unknown] = answers_.try_emplace(hash, 0);
  if (unknown) answer->second = static_cast<std::uint32_t>(search(genome, hash));
  return answer->second;
}

const std::vector<std::uint32_t>& Pool::distances(const Genome& genome) {
  distances_.assign(size(), 0);
  for (std::size_t g = 0; g < genome.size(); ++g) {
    const std::size_t count = recording_.problem.genes[g].alleles.size();
    if (!steps_[g].empty())
      add_numbers(columns_[g], &steps_[g][genome[g] * count], distances_);
    else if (count > 1)
      add_names(columns_[g], genome[g], distances_);
  }
  return distances_;
}

/// Of equally near ones the hash chooses one: the same one always.
std::size_t Pool::search(const Genome& genome, std::uint64_t hash) {
  const auto& by_member = distances(genome);
  const std::uint32_t least = *std::ranges::min_element(by_member);
  auto skip = hash % static_cast<std::uint64_t>(std::ranges::count(by_member, least));
  std::size_t found = 0;
  for (;; ++found)
    if (by_member[found] == least && skip-- == 0) return found;
}

PoolRun::PoolRun(Pool& pool, std::uint64_t seed)
    : pool_(pool), exact_(pool.recording().recorded == Recorded::exhaustive) {
  pool.require_members();
  for (std::size_t m = 0; m < pool.size(); ++m) left_.push_back(m);
  Rng rng(seed ^ kOtherSeed);
  for (std::size_t i = left_.size(); i > 1; --i) std::swap(left_[i - 1], left_[rng.below(i)]);
  where_.resize(left_.size());
  for (std::size_t i = 0; i < left_.size(); ++i) where_[left_[i]] = i;
}

Space PoolRun::space() {
  return {pool_.recording().problem.genes,
          {first()},
          [this](const Genome& wanted) { return answer(wanted); },
          [this](Rng& rng) { return draw(rng); },
          pool_.recording().kinds};
}

/// A trajectory begins where it began, others with any individual.
Genome PoolRun::first() const {
  const bool drawn = pool_.recording().recorded != Recorded::trajectory;
  return pool_.genome(drawn ? left_.front() : 0);
}

Genome PoolRun::draw(Rng& rng) const {
  return pool_.genome(left_.empty() ? rng.below(pool_.size()) : left_[rng.below(left_.size())]);
}

Genome PoolRun::answer(const Genome& wanted) {
  if (exact_) return pool_.genome(pool_.nearest(wanted));
  return left_.empty() ? pool_.genome(0) : nearest_left(wanted);
}

/// Of equally near ones the first in the run's random order.
const Genome& PoolRun::nearest_left(const Genome& wanted) const {
  const auto& distances = pool_.distances(wanted);
  return pool_.genome(
      *std::ranges::min_element(left_, {}, [&](std::size_t member) { return distances[member]; }));
}

const Measurement& PoolRun::take(const Genome& genome) {
  const std::size_t member = pool_.find(genome).value(), at = where_[member], last = left_.back();
  left_[at] = last;
  where_[last] = at;
  left_.pop_back();
  return pool_.measurement(member);
}

}  // namespace paraiso::tune
