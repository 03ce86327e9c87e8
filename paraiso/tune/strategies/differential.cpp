// differential: differential evolution. To each member of a population a rival is made: towards the
// best and by the difference of two others, gene by gene; it takes the member's place if it is
// faster. Where alleles are names, a difference is an exchange. R. Storn, K. Price, Journal of
// Global Optimization 11 (1997) 341.
#include <algorithm>

#include "paraiso/tune/strategies/all.hpp"
#include "paraiso/tune/strategies/parts/breeding.hpp"

namespace paraiso::tune {
namespace {

class Differential final : public BatchStrategy {
 public:
  explicit Differential(const SearchContext& setting)
      : BatchStrategy(setting),
        breeding_(setting),
        size_(static_cast<std::size_t>(setting.settings.at("population"))),
        factor_(setting.settings.at("factor")),
        crossing_(setting.settings.at("crossing")) {}

 private:
  std::vector<Birth> next(const std::vector<std::size_t>& answers) override {
    if (answers.empty()) return begin();
    if (members_.size() < size_) {
      members_.insert(members_.end(), answers.begin(), answers.end());
    } else {
      for (std::size_t m = 0; m < size_; ++m)
        if (history().score(answers[m]) > history().score(members_[m])) members_[m] = answers[m];
    }
    std::vector<Birth> batch;
    for (std::size_t m = 0; m < size_; ++m) batch.push_back(rival(m, batch));
    return batch;
  }

  std::vector<Birth> begin() {
    std::vector<Birth> batch = breeding_.population(size_);
    size_ = batch.size();
    return batch;
  }

  std::uint16_t moved(std::size_t gene, std::uint16_t from, std::uint16_t best, std::uint16_t one,
                      std::uint16_t other) {
    const AlleleOrder& order = breeding_.order();
    const auto placed = [&](std::uint16_t allele) { return order.placed(gene, allele); };
    if (!placed(from) || !placed(best) || !placed(one) || !placed(other)) {
      if (one != other && breeding_.rng().chance(factor_)) return one;
      return breeding_.rng().chance(factor_) ? best : from;
    }
    const double place = order.place(gene, from);
    return order.allele_at(gene, place + factor_ * (order.place(gene, best) - place) +
                                     factor_ * (order.place(gene, one) - order.place(gene, other)));
  }

  Birth rival(std::size_t member, const std::vector<Birth>& batch) {
    Rng& rng = breeding_.rng();
    const std::size_t best =
        *std::ranges::max_element(members_, {}, [&](std::size_t i) { return history().score(i); });
    const std::size_t one = members_[rng.below(size_)], other = members_[rng.below(size_)];
    plan::Genome genome = history().genome(members_[member]);
    const plan::Genome aim = history().genome(best), plus = history().genome(one),
                       minus = history().genome(other);
    const std::size_t always = rng.below(genome.size());
    for (std::size_t g = 0; g < genome.size(); ++g)
      if (g == always || rng.chance(crossing_))
        genome[g] = moved(g, genome[g], aim[g], plus[g], minus[g]);
    return {breeding_.fresh(std::move(genome), 0.5, batch), "difference", {members_[member]}, 0};
  }

  Breeding breeding_;
  std::size_t size_;
  double factor_, crossing_;
  std::vector<std::size_t> members_;
};

}  // namespace

std::unique_ptr<Strategy> make_differential(const SearchContext& setting) {
  return std::make_unique<Differential>(setting);
}

}  // namespace paraiso::tune
