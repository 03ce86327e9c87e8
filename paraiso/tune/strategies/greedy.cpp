// greedy: one gene at a time. Begins with the best known genome, be it a start or a result of an
// earlier tuning, and goes through the genes in random order; each tries all its alleles and keeps
// the fastest, until a whole round changes nothing.
#include <algorithm>

#include "paraiso/tune/strategies/parts/batch.hpp"

namespace paraiso::tune {
namespace {

class Greedy final : public BatchStrategy {
 public:
  explicit Greedy(const SearchContext& setting) : BatchStrategy(setting), rng_(setting.seed) {}

  [[nodiscard]] std::string ending() const override {
    const bool at_rest = order_.empty() && !changed_;
    return at_rest ? "no other allele of any one gene is faster" : BatchStrategy::ending();
  }

 private:
  std::vector<Birth> next(const std::vector<std::size_t>& answers) override {
    if (answers.empty()) return begin();
    keep_best(answers);
    std::vector<Birth> batch;
    while (batch.empty()) {
      if (order_.empty() && !begin_round()) return {};
      batch = alleles_of(order_.back());
      order_.pop_back();
    }
    return batch;
  }

  std::vector<Birth> begin() {
    best_ = history().best();
    changed_ = best_.has_value();
    std::vector<Birth> batch;
    for (const plan::Genome& start : space().starts) batch.push_back({start, "start", {}, 0});
    return batch;
  }

  /// Of equals the current one stays.
  void keep_best(const std::vector<std::size_t>& answers) {
    for (const std::size_t answer : answers) {
      if (best_ && history().score(answer) <= history().score(*best_)) continue;
      best_ = answer;
      changed_ = true;
    }
  }

  /// False if the last round has changed nothing.
  bool begin_round() {
    if (!changed_) return false;
    changed_ = false;
    for (std::size_t g = 0; g < space().genes.size(); ++g) order_.push_back(g);
    for (std::size_t g = order_.size(); g > 1; --g) std::swap(order_[g - 1], order_[rng_.below(g)]);
    return true;
  }

  std::vector<Birth> alleles_of(std::size_t gene) const {
    const plan::Genome base = history().genome(*best_);
    std::vector<Birth> batch;
    for (std::size_t a = 0; a < space().genes[gene].alleles.size(); ++a) {
      plan::Genome genome = base;
      genome[gene] = static_cast<std::uint16_t>(a);
      genome = space().canonical(genome);
      if (genome != base) batch.push_back({std::move(genome), "greedy", {*best_}, 0});
    }
    return batch;
  }

  Rng rng_;
  std::optional<std::size_t> best_;
  std::vector<std::size_t> order_;  // genes still to be tried in this round, from the back
  bool changed_ = false;
};

}  // namespace

std::unique_ptr<Strategy> make_greedy(const SearchContext& setting) {
  return std::make_unique<Greedy>(setting);
}

}  // namespace paraiso::tune
