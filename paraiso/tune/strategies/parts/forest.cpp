#include "paraiso/tune/strategies/parts/forest.hpp"

#include <algorithm>
#include <cmath>

namespace paraiso::tune {

using plan::Genome;

namespace {

/// Sums from which mean and squared error follow.
struct Sums {
  double count = 0, sum = 0, squares = 0;
  void add(double value) { ++count, sum += value, squares += value * value; }
  [[nodiscard]] double error() const { return count > 0 ? squares - sum * sum / count : 0; }
};

}  // namespace

bool Forest::answer(const Node& node, const Genome& genome) const {
  const auto gene = static_cast<std::size_t>(node.gene);
  const double place = order_.place(gene, genome[gene]);
  return order_.ordered(gene) ? place <= node.limit : place == node.limit;
}

/// The best of some random ones; a leaf if none parts the members.
Forest::Node Forest::question(const Sample& sample, std::size_t first, std::size_t last,
                              Rng& rng) const {
  Node best;
  double least = HUGE_VAL;
  const std::size_t genes = sample.genomes[0].size();
  std::size_t parting = 0;
  for (std::size_t q = 0; q < 2 * genes && parting < shape_.questions; ++q) {
    Node node;
    node.gene = static_cast<int>(rng.below(genes));
    const auto gene = static_cast<std::size_t>(node.gene);
    const auto place_of = [&](std::size_t m) {
      return order_.place(gene, sample.genomes[sample.members[m]][gene]);
    };
    node.limit = place_of(first + rng.below(last - first));
    Sums yes, no;
    for (std::size_t m = first; m < last; ++m)
      (answer(node, sample.genomes[sample.members[m]]) ? yes : no)
          .add(sample.values[sample.members[m]]);
    if (yes.count == 0 || no.count == 0) continue;
    ++parting;
    if (const double error = yes.error() + no.error(); error < least) least = error, best = node;
  }
  return best;
}

std::uint32_t Forest::grow_node(Sample& sample, std::size_t first, std::size_t last, Rng& rng) {
  const auto own = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  Node node;
  if (last - first > shape_.leaf) node = question(sample, first, last, rng);
  if (node.gene >= 0) {
    const auto begin = sample.members.begin();
    const auto middle = std::partition(
        begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last),
        [&](std::uint32_t m) { return answer(node, sample.genomes[m]); });
    const auto cut = static_cast<std::size_t>(middle - begin);
    node.yes = grow_node(sample, first, cut, rng);
    node.no = grow_node(sample, cut, last, rng);
  } else {
    Sums sums;
    for (std::size_t m = first; m < last; ++m) sums.add(sample.values[sample.members[m]]);
    node.mean = sums.sum / sums.count;
    node.variance = std::max(0.0, sums.error() / sums.count);
  }
  nodes_[own] = node;
  return own;
}

void Forest::grow(const std::vector<Genome>& genomes, const std::vector<double>& values, Rng& rng) {
  nodes_.clear();
  roots_.clear();
  for (std::size_t t = 0; t < shape_.trees; ++t) {
    Sample sample{{}, genomes, values};
    for (std::uint32_t m = 0; m < genomes.size(); ++m) sample.members.push_back(m);
    roots_.push_back(grow_node(sample, 0, genomes.size(), rng));
  }
}

Forest::Prediction Forest::operator()(const Genome& genome) const {
  double sum = 0, squares = 0;
  for (const std::uint32_t root : roots_) {
    const Node* node = &nodes_[root];
    while (node->gene >= 0) node = &nodes_[answer(*node, genome) ? node->yes : node->no];
    sum += node->mean;
    squares += node->variance + node->mean * node->mean;
  }
  const double mean = sum / static_cast<double>(roots_.size());
  return {mean,
          std::sqrt(std::max(0.0, squares / static_cast<double>(roots_.size()) - mean * mean))};
}

void Forest::learn(const History& history, Rng& rng) {
  if (learnt_ > 0 && history.size() < learnt_ + 1 + learnt_ / 20) return;
  learnt_ = history.size();
  std::vector<Genome> genomes;
  std::vector<double> times;
  double slowest = HUGE_VAL;
  for (std::size_t i = 0; i < history.size(); ++i)
    if (history.ok(i)) slowest = std::min(slowest, history.score(i));
  for (std::size_t i = 0; i < history.size(); ++i) {
    genomes.push_back(history.genome(i));
    times.push_back(-std::log(history.ok(i) ? history.score(i) : slowest / 2));
  }
  grow(genomes, times, rng);
}

}  // namespace paraiso::tune
