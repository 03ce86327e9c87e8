#include "paraiso/tune/draw.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace paraiso::tune {

void DrawIndex::add(std::size_t individual, double score, double deviation) {
  const Entry entry{score, deviation, individual};
  if (size_++ == 0 || score > top_.score) top_ = entry;
  Run run{{entry}, {}};
  bound_deviations(run);
  for (; !runs_.empty() && runs_.back().entries.size() == run.entries.size(); runs_.pop_back())
    run = merge(runs_.back(), run);
  runs_.push_back(std::move(run));
}

DrawIndex::Run DrawIndex::merge(const Run& left, const Run& right) {
  Run run;
  run.entries.resize(left.entries.size() + right.entries.size());
  std::ranges::merge(left.entries, right.entries, run.entries.begin(), std::ranges::greater{},
                     &Entry::score, &Entry::score);
  bound_deviations(run);
  return run;
}

void DrawIndex::bound_deviations(Run& run) {
  const std::size_t leaves = run.entries.size();
  run.widest.resize(2 * leaves);
  for (std::size_t i = 0; i < leaves; ++i) run.widest[leaves + i] = run.entries[i].deviation;
  for (std::size_t n = leaves - 1; n > 0; --n)
    run.widest[n] = std::max(run.widest[2 * n], run.widest[2 * n + 1]);
}

DrawIndex::Part DrawIndex::part(std::size_t run, std::size_t node, double temperature) const {
  const std::size_t leaves = runs_[run].entries.size();
  const std::size_t count = leaves / std::bit_floor(node);
  const Entry& best = runs_[run].entries[node * count - leaves];
  const double width = temperature + top_.deviation + runs_[run].widest[node];
  return {run, node, static_cast<double>(count) * std::exp((best.score - top_.score) / width)};
}

std::size_t DrawIndex::draw(double temperature, Rng& rng) const {
  std::vector<Part> parts;
  for (std::size_t r = 0; r < runs_.size(); ++r) parts.push_back(part(r, 1, temperature));
  for (;;) {
    double sum = 0;
    for (const Part& p : parts) sum += p.weight;
    double aim = rng.unit() * sum;
    std::size_t at = 0;
    while (at + 1 < parts.size() && aim >= parts[at].weight) aim -= parts[at++].weight;
    // Downwards while `aim` lies within the children, which replace their parent.
    for (;;) {
      const auto [run, node, weight] = parts[at];
      const std::size_t leaves = runs_[run].entries.size();
      if (node >= leaves) return runs_[run].entries[node - leaves].individual;
      parts[at] = part(run, 2 * node, temperature);
      parts.push_back(part(run, 2 * node + 1, temperature));
      if (aim < parts[at].weight) continue;
      aim -= parts[at].weight;
      at = parts.size() - 1;
      if (aim >= parts[at].weight) break;
    }
  }
}

}  // namespace paraiso::tune
