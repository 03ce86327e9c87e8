// surrogate: after some random genomes a forest (forest.hpp) predicts the logarithm of the time
// from the genes, and of many candidates the one is measured from which most improvement is
// expected. Candidates are genomes near the best ones, crossovers of them, and any. F. Hutter et
// al., Sequential Model-Based Optimization for General Algorithm Configuration, LION 5 (2011).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paraiso/tune/strategies/all.hpp"
#include "paraiso/tune/strategies/parts/breeding.hpp"
#include "paraiso/tune/strategies/parts/forest.hpp"

namespace paraiso::tune {
namespace {

using plan::Genome;

constexpr int kMostKnown = 1000;

/// Of a normally distributed value below `best`, for values to be small.
double expected_improvement(const Forest::Prediction& prediction, double best) {
  const double gain = best - prediction.mean, deviation = prediction.deviation + 1e-9;
  const double z = gain / deviation;
  const double below = 0.5 * std::erfc(-z / std::sqrt(2.0));
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * 3.14159265358979323846);
  return gain * below + deviation * density;
}

class Surrogate final : public Strategy {
 public:
  explicit Surrogate(const SearchContext& setting)
      : setting_(setting),
        breeding_(setting),
        forest_(breeding_.order(), {static_cast<std::size_t>(setting.settings.at("trees")),
                                    static_cast<std::size_t>(setting.settings.at("questions")),
                                    static_cast<std::size_t>(setting.settings.at("leaf"))}),
        first_(static_cast<std::size_t>(setting.settings.at("first"))),
        elite_(static_cast<std::size_t>(setting.settings.at("elite"))),
        candidates_(static_cast<std::size_t>(setting.settings.at("candidates"))),
        exploring_(setting.settings.at("exploring")),
        exploiting_(setting.settings.at("exploiting")) {}

  std::optional<Birth> ask() override {
    for (const Genome& start : setting_.space.starts)
      if (!setting_.history.known(start)) return Birth{start, "start", {}, 0};
    const bool ready = setting_.history.size() >= first_ && setting_.history.best();
    if (ready && !breeding_.rng().chance(exploring_))
      if (auto genome = most_promising()) return Birth{std::move(*genome), "predicted", {}, 0};
    for (int attempt = 0; attempt < kMostKnown; ++attempt)
      if (Genome genome = breeding_.any(); !setting_.history.known(genome))
        return Birth{std::move(genome), "random", {}, 0};
    return std::nullopt;
  }

  void tell(std::size_t) override {}

  [[nodiscard]] std::string ending() const override {
    return fmt::format("{} random schedules in a row were known already", kMostKnown);
  }

 private:
  struct Candidate {
    Genome genome;
    double worth = 0;
  };

  void add(std::vector<Candidate>& candidates, Genome genome, double best) const {
    const Forest::Prediction prediction = forest_(genome);
    const double worth = exploits_ ? -prediction.mean : expected_improvement(prediction, best);
    candidates.push_back({std::move(genome), worth});
  }

  /// All changes of one gene of the best one.
  void add_neighbours(std::vector<Candidate>& candidates, const Genome& center, double best) const {
    for (std::size_t g = 0; g < center.size(); ++g)
      for (std::uint16_t a = 0; a < setting_.space.genes[g].alleles.size(); ++a) {
        if (a == center[g]) continue;
        Genome genome = center;
        genome[g] = a;
        add(candidates, std::move(genome), best);
      }
  }

  std::vector<Candidate> candidates_near(const std::vector<Genome>& elite, double best) {
    std::vector<Candidate> candidates;
    add_neighbours(candidates, elite.front(), best);
    Rng& rng = breeding_.rng();
    for (std::size_t c = 0; c < candidates_; ++c) {
      const Genome& one = elite[rng.below(elite.size())];
      Genome genome = breeding_.cross(one, elite[rng.below(elite.size())]);
      genome = breeding_.mutate(std::move(genome),
                                2.0 * rng.unit() / static_cast<double>(one.size()), 0.5);
      add(candidates, std::move(genome), best);
      if (c % 2 == 0) add(candidates, breeding_.any(), best);
    }
    return candidates;
  }

  std::optional<Genome> most_promising() {
    forest_.learn(setting_.history, breeding_.rng());
    exploits_ = breeding_.rng().chance(exploiting_);
    std::vector<Genome> elite;
    for (const std::size_t i : best_known(setting_.history, elite_))
      elite.push_back(setting_.history.genome(i));
    const double best = -std::log(setting_.history.score(*setting_.history.best()));
    auto candidates = candidates_near(elite, best);
    std::ranges::sort(candidates, std::greater{}, &Candidate::worth);
    // Repair costs more than prediction, and changes what is predicted.
    std::vector<Candidate> legal;
    for (std::size_t c = 0; c < candidates.size() && legal.size() < kRepaired; ++c)
      if (Genome genome = setting_.space.canonical(candidates[c].genome);
          !setting_.history.known(genome))
        add(legal, std::move(genome), best);
    if (legal.empty()) return std::nullopt;
    return std::ranges::max_element(legal, {}, &Candidate::worth)->genome;
  }

  static constexpr std::size_t kRepaired = 20;

  SearchContext setting_;
  Breeding breeding_;
  Forest forest_;
  std::size_t first_, elite_, candidates_;
  double exploring_, exploiting_;
  bool exploits_ = false;  // this birth: the best mean counts, however sure
};

}  // namespace

std::unique_ptr<Strategy> make_surrogate(const SearchContext& setting) {
  return std::make_unique<Surrogate>(setting);
}

}  // namespace paraiso::tune
