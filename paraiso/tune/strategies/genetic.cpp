// genetic: a plain genetic algorithm. The best individuals are the population; in each generation
// pairs of them, better ones more often, have children by crossover and mutation, which replace
// the worst. When nothing has improved for some generations, all but the best make room for random
// genomes. J. H. Holland, Adaptation in Natural and Artificial Systems, 1975.
#include <algorithm>

#include "paraiso/tune/strategies/all.hpp"
#include "paraiso/tune/strategies/parts/breeding.hpp"

namespace paraiso::tune {
namespace {

class Genetic final : public BatchStrategy {
 public:
  explicit Genetic(const SearchContext& setting)
      : BatchStrategy(setting),
        breeding_(setting),
        size_(static_cast<std::size_t>(setting.settings.at("population"))),
        children_(static_cast<std::size_t>(setting.settings.at("children"))),
        patience_(static_cast<int>(setting.settings.at("patience"))),
        mutation_(setting.settings.at("mutation")),
        stepping_(setting.settings.at("stepping")) {}

 private:
  std::vector<Birth> next(const std::vector<std::size_t>& answers) override {
    if (answers.empty()) return begin();
    keep_best(answers);
    if (population_.empty()) return random_ones({});
    if (waited_ < patience_) return generation();
    waited_ = 0;
    population_.resize(1);
    return random_ones({});
  }

  std::vector<Birth> begin() {
    population_ = best_known(history(), size_);
    std::vector<Birth> batch;
    for (const plan::Genome& start : space().starts) batch.push_back({start, "start", {}, 0});
    return population_.size() < size_ ? random_ones(std::move(batch)) : batch;
  }

  std::vector<Birth> random_ones(std::vector<Birth> batch) {
    while (batch.size() + population_.size() < size_)
      batch.push_back({breeding_.fresh(breeding_.any(), stepping_, batch), "random", {}, 0});
    return batch;
  }

  void keep_best(const std::vector<std::size_t>& answers) {
    const double before = population_.empty() ? 0 : history().score(population_.front());
    for (const std::size_t answer : answers)
      if (history().ok(answer) && std::ranges::find(population_, answer) == population_.end())
        population_.push_back(answer);
    std::ranges::stable_sort(population_, std::greater{},
                             [&](std::size_t i) { return history().score(i); });
    if (population_.size() > size_) population_.resize(size_);
    const bool better = !population_.empty() && history().score(population_.front()) > before;
    waited_ = better ? 0 : waited_ + 1;
  }

  /// A place in the population, near its beginning more often.
  std::size_t parent() {
    const double two = std::min(breeding_.rng().unit(), breeding_.rng().unit());
    return population_[static_cast<std::size_t>(two * static_cast<double>(population_.size()))];
  }

  std::vector<Birth> generation() {
    std::vector<Birth> batch;
    while (batch.size() < children_) {
      const std::size_t one = parent(), other = parent();
      plan::Genome child = breeding_.cross(history().genome(one), history().genome(other));
      if (one == other || breeding_.rng().chance(0.5))
        child = breeding_.mutate(std::move(child), mutation_, stepping_);
      std::vector<std::size_t> parents{one};
      if (other != one) parents.push_back(other);
      batch.push_back({breeding_.fresh(std::move(child), stepping_, batch), "crossover",
                       std::move(parents), 0});
    }
    return batch;
  }

  Breeding breeding_;
  std::size_t size_, children_;
  int patience_, waited_ = 0;
  double mutation_, stepping_;
  std::vector<std::size_t> population_;  // the best first
};

}  // namespace

std::unique_ptr<Strategy> make_genetic(const SearchContext& setting) {
  return std::make_unique<Genetic>(setting);
}

}  // namespace paraiso::tune
