// anneal: parallel asynchronous genetic simulated annealing, sections 3.2 and 3.3 of the 2012
// paper.
//
// All individuals ever measured are the population. Each birth draws a temperature, with log T
// uniform between log sigma_top and log mu_top; then a method of birth; then the method's parents
// at that temperature (draw.hpp):
//
//   mutation       one parent; some genes are overwritten at random, or a block of them takes one
//                  allele, or a rule (rules.hpp) is followed
//   crossover      two parents; several segments of the one, between them those of the other
//   triangulation  three parents; what the better two have changed from the worst (Table 4)
//
// If two parents coincide they are drawn again; if the child is known already, a mutation is tried
// instead; each time at 1.2 times the temperature, so that a new genome comes in the end.
//
// Differences from the paper: individuals that failed are never parents; and random genomes are
// mixed in, often at the beginning and then ever more rarely, because the neighbourhood of a start
// may be poor; more rarely still if they turn out far slower. Before anything has succeeded there
// are only these: otherwise a thousand workers might be idle.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "paraiso/tune/draw.hpp"
#include "paraiso/tune/rules.hpp"
#include "paraiso/tune/strategies/all.hpp"
#include "paraiso/tune/triangulate.hpp"

namespace paraiso::tune {
namespace {

using plan::Genome;

constexpr double kHeating = 1.2;
// If the best has no deviation, low temperatures are needed all the same: this fraction of its
// score.
constexpr double kSmallestDeviation = 1e-6;
constexpr std::size_t kMostCuts = 4;
constexpr int kMostKnown = 1000;
// A random genome slower than this fraction of the best score was not worth its time.
constexpr double kWorthwhile = 0.25;

enum class Variation { mutation, crossover, triangulation };

class Anneal final : public Strategy {
 public:
  explicit Anneal(const SearchContext& setting)
      : setting_(setting),
        rng_(setting.seed),
        families_(families(setting.space.genes)),
        rules_(rules_of(setting.space.genes)) {}

  std::optional<Birth> ask() override {
    for (const Genome& start : setting_.space.starts)
      if (!setting_.history.known(start)) return Birth{start, "start", {}, 0};
    if (population_.size() > 0 && !rng_.chance(stranger_chance())) return ask_child();
    return ask_stranger();
  }

  [[nodiscard]] std::string ending() const override {
    return fmt::format("{} births in a row were known already", kMostKnown);
  }

  void tell(std::size_t individual) override {
    const History& history = setting_.history;
    const double score = history.score(individual);
    const bool stranger = strangers_.erase(history.genome(individual)) > 0;
    if (!history.ok(individual)) return;
    population_.add(individual, score, history.deviation(individual));
    if (!stranger) return;
    ++strangers_told_;
    if (score >= kWorthwhile * history.score(*history.best())) ++strangers_worthwhile_;
  }

 private:
  std::optional<Birth> ask_child() {
    double temperature = draw_temperature();
    Variation method = draw_method();
    for (int attempt = 0; attempt < kMostKnown; ++attempt, temperature *= kHeating) {
      const auto parents = draw_parents(parent_count(method), temperature);
      if (parents.empty()) continue;
      Birth birth = child_of(method, parents);
      birth.temperature = temperature;
      if (!setting_.history.known(birth.genome)) return birth;
      method = Variation::mutation;
    }
    return std::nullopt;
  }

  std::optional<Birth> ask_stranger() {
    for (int attempt = 0; attempt < kMostKnown; ++attempt)
      if (Genome genome = scattered_genome(setting_.space, rng_); !setting_.history.known(genome)) {
        strangers_.insert(genome);
        return Birth{std::move(genome), "scattered", {}, 0};
      }
    return std::nullopt;
  }

  double stranger_chance() const {
    const double strangers = setting_.shares.strangers;
    if (strangers == 0) return 0;
    return strangers / (strangers + static_cast<double>(setting_.history.size())) *
           (1 + strangers_worthwhile_) / (1 + strangers_told_);
  }

  double draw_temperature() {
    const double highest = population_.top_score();
    const double lowest =
        std::clamp(population_.top_deviation(), kSmallestDeviation * highest, highest);
    return lowest * std::pow(highest / lowest, rng_.unit());
  }

  static std::size_t parent_count(Variation method) { return static_cast<std::size_t>(method) + 1; }

  Variation draw_method() {
    const BirthShares& shares = setting_.shares;
    double aim = rng_.unit() * (shares.mutation + shares.crossover + shares.triangulation);
    Variation method = Variation::triangulation;
    if (aim < shares.mutation)
      method = Variation::mutation;
    else if (aim < shares.mutation + shares.crossover)
      method = Variation::crossover;
    return parent_count(method) <= population_.size() ? method : Variation::mutation;
  }

  /// None if two of them coincide.
  std::vector<std::size_t> draw_parents(std::size_t count, double temperature) {
    std::vector<std::size_t> parents;
    for (std::size_t p = 0; p < count; ++p) {
      const std::size_t parent = population_.draw(temperature, rng_);
      if (std::ranges::find(parents, parent) != parents.end()) return {};
      parents.push_back(parent);
    }
    return parents;
  }

  Birth child_of(Variation method, const std::vector<std::size_t>& parents) {
    std::vector<Genome> genomes;
    for (const std::size_t parent : parents) genomes.push_back(setting_.history.genome(parent));
    switch (method) {
      case Variation::mutation: return mutate(std::move(genomes[0]), parents);
      case Variation::crossover: return born(cross(genomes[0], genomes[1]), "crossover", parents);
      case Variation::triangulation: return triangulated(genomes, parents);
    }
    return {};
  }

  Birth born(const Genome& genome, const char* method,
             const std::vector<std::size_t>& parents) const {
    return {setting_.space.canonical(genome), method, parents, 0};
  }

  Birth mutate(Genome genome, const std::vector<std::size_t>& parents) {
    const auto& genes = setting_.space.genes;
    if (!rules_.empty() && rng_.chance(setting_.shares.rules))
      return born(rules_[rng_.below(rules_.size())](genes, std::move(genome)), "rule", parents);
    if (!families_.empty() && rng_.chance(setting_.shares.blocks))
      return born(block_rule(genes, families_, rng_)(genes, std::move(genome)), "mutation",
                  parents);
    // Few genes more often than many, of any order of magnitude.
    const double all = static_cast<double>(genome.size());
    for (auto count = static_cast<int>(std::pow(all, std::pow(rng_.unit(), 2))); count > 0; --count)
      overwrite(genome, rng_.below(genome.size()));
    return born(genome, "mutation", parents);
  }

  /// Chooses another allele, if there is one.
  void overwrite(Genome& genome, std::size_t gene) {
    const std::size_t count = setting_.space.genes[gene].alleles.size();
    if (count > 1)
      genome[gene] = static_cast<std::uint16_t>((genome[gene] + 1 + rng_.below(count - 1)) % count);
  }

  Genome cross(const Genome& one, const Genome& other) {
    std::vector<bool> cut(one.size());
    for (auto cuts = 1 + rng_.below(kMostCuts); cuts > 0; --cuts)
      cut[rng_.below(one.size())] = true;
    Genome child = one;
    bool exchanged = false;
    for (std::size_t g = 0; g < child.size(); ++g) {
      exchanged = exchanged != cut[g];
      if (exchanged) child[g] = other[g];
    }
    return child;
  }

  /// The parents in ascending order of score are base, secondary and primary.
  Birth triangulated(const std::vector<Genome>& genomes, const std::vector<std::size_t>& parents) {
    std::array<std::size_t, 3> order{0, 1, 2};
    std::ranges::sort(order, {}, [&](std::size_t p) { return setting_.history.score(parents[p]); });
    return born(triangulate(genomes[order[0]], genomes[order[1]], genomes[order[2]]),
                "triangulation", parents);
  }

  SearchContext setting_;
  Rng rng_;
  std::vector<Family> families_;
  std::vector<Rule> rules_;
  DrawIndex population_;
  std::set<Genome> strangers_;  // in flight
  double strangers_told_ = 0, strangers_worthwhile_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_anneal(const SearchContext& setting) {
  return std::make_unique<Anneal>(setting);
}

}  // namespace paraiso::tune
