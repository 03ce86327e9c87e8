#include "paraiso/tune/strategies/parts/climber.hpp"

#include <algorithm>

namespace paraiso::tune {

Climber::Climber(const SearchContext& setting)
    : BatchStrategy(setting),
      breeding_(setting),
      first_(static_cast<std::size_t>(setting.settings.at("first"))),
      patience_(static_cast<int>(setting.settings.at("patience"))),
      far_(setting.settings.at("far") > 0) {}

void Climber::shuffle(std::vector<Step>& steps) {
  for (std::size_t i = steps.size(); i > 1; --i)
    std::swap(steps[i - 1], steps[breeding_.rng().below(i)]);
}

std::vector<Birth> Climber::next(const std::vector<std::size_t>& answers) {
  if (answers.empty()) return begin();
  const std::size_t best =
      *std::ranges::max_element(answers, {}, [&](std::size_t i) { return history().score(i); });
  if (!at_ || history().score(best) > history().score(*at_)) {
    at_ = best;
    find_steps();
  }
  while (!steps_.empty()) {
    const Step step = steps_.back();
    steps_.pop_back();
    plan::Genome genome = history().genome(*at_);
    genome[step.gene] = step.allele;
    genome = space().canonical(genome);
    if (!history().known(genome)) return {{std::move(genome), "mutation", {*at_}, 0}};
  }
  return leave_summit();
}

std::vector<Birth> Climber::begin() {
  std::vector<Birth> batch;
  for (const plan::Genome& start : space().starts) batch.push_back({start, "start", {}, 0});
  at_ = history().best();
  if (!at_) return random_ones(std::move(batch));
  find_steps();
  return batch;
}

std::vector<Birth> Climber::random_ones(std::vector<Birth> batch) {
  while (batch.size() < first_)
    batch.push_back({breeding_.fresh(breeding_.any(), 0, batch), "random", {}, 0});
  return batch;
}

void Climber::find_steps() {
  std::vector<Step> near, far;
  const plan::Genome here = history().genome(*at_);
  const AlleleOrder& order = breeding_.order();
  for (std::size_t g = 0; g < here.size(); ++g)
    for (std::uint16_t a = 0; a < space().genes[g].alleles.size(); ++a) {
      const auto& neighbours = order.next_to(g, here[g]);
      if (a == here[g]) continue;
      if (std::ranges::find(neighbours, a) != neighbours.end())
        near.push_back({g, a});
      else if (far_)
        far.push_back({g, a});
    }
  steps_ = in_order(here, std::move(near), std::move(far));
}

std::vector<Birth> Climber::leave_summit() {
  const bool better = !summit_ || history().score(*at_) > history().score(*summit_);
  vain_ = better ? 0 : vain_ + 1;
  if (better) summit_ = at_;
  at_.reset();
  if (vain_ > patience_ || !history().ok(*summit_)) {
    vain_ = 0;
    summit_.reset();
    return random_ones({});
  }
  return {{breeding_.fresh(leap(history().genome(*summit_)), 0, {}), "mutation", {*summit_}, 0}};
}

}  // namespace paraiso::tune
