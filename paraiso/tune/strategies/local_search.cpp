// local-search: iterated local search. Climbs from the best of some random genomes by changes of
// one gene, numbers by one step first, and takes the first that is faster; at a summit, where none
// is, it changes a few genes of the best summit at once and climbs again; after some vain climbs it
// begins anew.
// H. R. Lourenco, O. C. Martin, T. Stuetzle, Iterated Local Search, 2003.
#include <algorithm>

#include "paraiso/tune/strategies/all.hpp"
#include "paraiso/tune/strategies/parts/breeding.hpp"

namespace paraiso::tune {
namespace {

class LocalSearch final : public BatchStrategy {
 public:
  explicit LocalSearch(const SearchContext& setting)
      : BatchStrategy(setting),
        breeding_(setting),
        first_(static_cast<std::size_t>(setting.settings.at("first"))),
        kick_(static_cast<int>(setting.settings.at("kick"))),
        patience_(static_cast<int>(setting.settings.at("patience"))),
        far_(setting.settings.at("far") > 0) {}

 private:
  struct Step {
    std::size_t gene;
    std::uint16_t allele;
  };

  std::vector<Birth> next(const std::vector<std::size_t>& answers) override {
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

  std::vector<Birth> begin() {
    std::vector<Birth> batch;
    for (const plan::Genome& start : space().starts) batch.push_back({start, "start", {}, 0});
    at_ = history().best();
    if (!at_) return random_ones(std::move(batch));
    find_steps();
    return batch;
  }

  std::vector<Birth> random_ones(std::vector<Birth> batch) {
    while (batch.size() < first_)
      batch.push_back({breeding_.fresh(breeding_.any(), 0, batch), "random", {}, 0});
    return batch;
  }

  /// All changes of one gene; those that come first are at the back.
  void find_steps() {
    steps_.clear();
    std::vector<Step> near;
    const plan::Genome here = history().genome(*at_);
    const AlleleOrder& order = breeding_.order();
    for (std::size_t g = 0; g < here.size(); ++g)
      for (std::uint16_t a = 0; a < space().genes[g].alleles.size(); ++a) {
        const auto& neighbours = order.next_to(g, here[g]);
        if (a == here[g]) continue;
        if (std::ranges::find(neighbours, a) != neighbours.end())
          near.push_back({g, a});
        else if (far_)
          steps_.push_back({g, a});
      }
    shuffle(steps_);
    shuffle(near);
    steps_.insert(steps_.end(), near.begin(), near.end());
  }

  void shuffle(std::vector<Step>& steps) {
    for (std::size_t i = steps.size(); i > 1; --i)
      std::swap(steps[i - 1], steps[breeding_.rng().below(i)]);
  }

  std::vector<Birth> leave_summit() {
    const bool better = !summit_ || history().score(*at_) > history().score(*summit_);
    vain_ = better ? 0 : vain_ + 1;
    if (better) summit_ = at_;
    at_.reset();
    if (vain_ > patience_ || !history().ok(*summit_)) {
      vain_ = 0;
      summit_.reset();
      return random_ones({});
    }
    plan::Genome genome = history().genome(*summit_);
    for (int k = 0; k < kick_; ++k) genome = breeding_.mutate(std::move(genome), 0, 0);
    return {{breeding_.fresh(std::move(genome), 0, {}), "mutation", {*summit_}, 0}};
  }

  Breeding breeding_;
  std::size_t first_;
  int kick_, patience_, vain_ = 0;
  bool far_;
  std::optional<std::size_t> at_, summit_;
  std::vector<Step> steps_;
};

}  // namespace

std::unique_ptr<Strategy> make_local_search(const SearchContext& setting) {
  return std::make_unique<LocalSearch>(setting);
}

}  // namespace paraiso::tune
