// swarm: particle swarm. Each particle flies on, drawn towards the best place it has been at and
// towards the best of all; along a gene of names it is drawn by taking their allele, and so where
// one of the three is a word in a gene of numbers.
// J. Kennedy, R. Eberhart, Proceedings of ICNN 1995, 1942.
#include <algorithm>

#include "paraiso/tune/strategies/all.hpp"
#include "paraiso/tune/strategies/parts/breeding.hpp"

namespace paraiso::tune {
namespace {

class Swarm final : public BatchStrategy {
 public:
  explicit Swarm(const SearchContext& setting)
      : BatchStrategy(setting),
        breeding_(setting),
        size_(static_cast<std::size_t>(setting.settings.at("particles"))),
        inertia_(setting.settings.at("inertia")),
        own_(setting.settings.at("own")),
        common_(setting.settings.at("common")) {}

 private:
  struct Particle {
    plan::Genome at;
    std::vector<double> speed;
    std::size_t best = 0;  // where it has been
  };

  std::vector<Birth> next(const std::vector<std::size_t>& answers) override {
    if (answers.empty()) return breeding_.population(size_);
    for (std::size_t p = 0; p < answers.size(); ++p) {
      if (particles_.size() == p)
        particles_.push_back({{}, std::vector<double>(space().genes.size()), answers[p]});
      Particle& particle = particles_[p];
      particle.at = history().genome(answers[p]);
      if (history().score(answers[p]) > history().score(particle.best)) particle.best = answers[p];
    }
    std::vector<Birth> batch;
    for (Particle& particle : particles_) {
      plan::Genome genome = breeding_.fresh(flown(particle), 0.5, batch);
      batch.push_back({std::move(genome), "flight", {particle.best}, 0});
    }
    return batch;
  }

  plan::Genome flown(Particle& particle) {
    Rng& rng = breeding_.rng();
    const AlleleOrder& order = breeding_.order();
    const auto best = history().best();
    const plan::Genome own = history().genome(particle.best),
                       all = best ? history().genome(*best) : own;
    plan::Genome genome = particle.at;
    for (std::size_t g = 0; g < genome.size(); ++g) {
      if (!order.placed(g, genome[g]) || !order.placed(g, own[g]) || !order.placed(g, all[g])) {
        particle.speed[g] = 0;
        if (rng.chance(common_ / 4))
          genome[g] = all[g];
        else if (rng.chance(own_ / 4))
          genome[g] = own[g];
        continue;
      }
      const double place = order.place(g, genome[g]), length = static_cast<double>(order.length(g));
      particle.speed[g] = inertia_ * particle.speed[g] +
                          own_ * rng.unit() * (order.place(g, own[g]) - place) +
                          common_ * rng.unit() * (order.place(g, all[g]) - place);
      particle.speed[g] = std::clamp(particle.speed[g], -length / 2, length / 2);
      genome[g] = order.allele_at(g, place + particle.speed[g]);
    }
    return genome;
  }

  Breeding breeding_;
  std::size_t size_;
  double inertia_, own_, common_;
  std::vector<Particle> particles_;
};

}  // namespace

std::unique_ptr<Strategy> make_swarm(const SearchContext& setting) {
  return std::make_unique<Swarm>(setting);
}

}  // namespace paraiso::tune
