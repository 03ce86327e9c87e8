// guided: iterated local search (climber.hpp) that asks a forest (forest.hpp) what to try: of the
// changes of one gene those first from which most is expected, and with a `share` below 1 not all;
// of many leaps, crossovers of summits among them, the one that is expected to land highest.
#include <algorithm>
#include <cmath>

#include "paraiso/tune/strategies/all.hpp"
#include "paraiso/tune/strategies/parts/climber.hpp"
#include "paraiso/tune/strategies/parts/forest.hpp"

namespace paraiso::tune {
namespace {

class Guided final : public Climber {
 public:
  explicit Guided(const SearchContext& setting)
      : Climber(setting),
        forest_(breeding().order(), {}),
        kick_(static_cast<int>(setting.settings.at("kick"))),
        leaps_(static_cast<int>(setting.settings.at("leaps"))),
        elite_(static_cast<std::size_t>(setting.settings.at("elite"))),
        share_(setting.settings.at("share")),
        trust_(setting.settings.at("trust")) {}

 private:
  /// The logarithm of the time that is hoped for: less is better.
  [[nodiscard]] double hoped(const plan::Genome& genome) const {
    const Forest::Prediction prediction = forest_(genome);
    return prediction.mean - (1 - trust_) * prediction.deviation;
  }

  std::vector<Step> in_order(const plan::Genome& here, std::vector<Step> near,
                             std::vector<Step> far) override {
    near.insert(near.end(), far.begin(), far.end());
    shuffle(near);
    if (!history().best()) return near;
    forest_.learn(history(), breeding().rng());
    std::vector<std::pair<double, Step>> rows;
    for (const Step& step : near) {
      plan::Genome genome = here;
      genome[step.gene] = step.allele;
      rows.emplace_back(hoped(genome), step);
    }
    std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return row.first; });
    const auto least =
        static_cast<std::size_t>(std::ceil(share_ * static_cast<double>(rows.size())));
    std::vector<Step> steps;
    for (std::size_t r = rows.size() - least; r < rows.size(); ++r) steps.push_back(rows[r].second);
    return steps;
  }

  plan::Genome leap(const plan::Genome& summit) override {
    forest_.learn(history(), breeding().rng());
    const auto elite = best_known(history(), elite_);
    plan::Genome best;
    double least = HUGE_VAL;
    for (int l = 0; l < leaps_; ++l) {
      plan::Genome genome = summit;
      if (breeding().rng().chance(0.5))
        genome =
            breeding().cross(genome, history().genome(elite[breeding().rng().below(elite.size())]));
      for (int k = 0; k < kick_; ++k) genome = breeding().mutate(std::move(genome), 0, 0.5);
      if (history().known(genome)) continue;
      if (const double time = hoped(genome); time < least) least = time, best = std::move(genome);
    }
    return best.empty() ? breeding().any() : best;
  }

  Forest forest_;
  int kick_, leaps_;
  std::size_t elite_;
  double share_, trust_;
};

}  // namespace

std::unique_ptr<Strategy> make_guided(const SearchContext& setting) {
  return std::make_unique<Guided>(setting);
}

}  // namespace paraiso::tune
