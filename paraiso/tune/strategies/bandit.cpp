// bandit: several strategies take turns, those more often whose births were the best so far more
// often and more recently. The credit is the area under the curve of successes over the last
// births, as in OpenTuner: J. Ansel et al., PACT 2014.
#include <cmath>
#include <deque>
#include <map>

#include "paraiso/tune/strategies/all.hpp"

namespace paraiso::tune {
namespace {

constexpr const char* kArms[] = {"anneal", "genetic", "local-search", "differential", "swarm"};

class Bandit final : public Strategy {
 public:
  explicit Bandit(const SearchContext& setting)
      : setting_(setting),
        exploring_(setting.settings.at("exploring")),
        window_(static_cast<std::size_t>(setting.settings.at("window"))) {
    for (const char* name : kArms) {
      SearchContext own = setting;
      own.settings.clear();
      own.seed = setting.seed + arms_.size() * 1000003;
      arms_.push_back(make_strategy(name, own));
    }
  }

  std::optional<Birth> ask() override {
    for (const plan::Genome& start : setting_.space.starts)
      if (!setting_.history.known(start)) return Birth{start, "start", {}, 0};
    std::vector<bool> tried(arms_.size());
    for (std::size_t turn = 0; turn < arms_.size(); ++turn) {
      const std::size_t arm = best_arm(tried);
      tried[arm] = true;
      auto birth = arms_[arm]->ask();
      if (!birth) continue;
      arm_of_[birth->genome] = arm;
      return birth;
    }
    return std::nullopt;
  }

  void tell(std::size_t individual) override {
    for (const auto& arm : arms_) arm->tell(individual);
    const auto found = arm_of_.find(setting_.history.genome(individual));
    if (found == arm_of_.end()) return;
    past_.push_back({found->second, setting_.history.best() == individual});
    if (past_.size() > window_) past_.pop_front();
    arm_of_.erase(found);
  }

  [[nodiscard]] std::string ending() const override { return "none of its strategies goes on"; }

 private:
  struct Use {
    std::size_t arm;
    bool success;
  };

  /// Of those not tried; one that was not used lately comes first.
  std::size_t best_arm(const std::vector<bool>& tried) const {
    std::vector<double> uses(arms_.size()), area(arms_.size());
    for (const Use& use : past_) {
      ++uses[use.arm];
      if (use.success) area[use.arm] += uses[use.arm];
    }
    double highest = -1;
    std::size_t found = 0;
    for (std::size_t a = 0; a < arms_.size(); ++a) {
      if (tried[a]) continue;
      const double credit = uses[a] > 0 ? 2 * area[a] / (uses[a] * (uses[a] + 1)) : 0;
      const double worth =
          uses[a] == 0
              ? 1e9
              : credit +
                    exploring_ *
                        std::sqrt(2 * std::log2(static_cast<double>(past_.size()) + 1) / uses[a]);
      if (worth > highest) highest = worth, found = a;
    }
    return found;
  }

  SearchContext setting_;
  double exploring_;
  std::size_t window_;
  std::vector<std::unique_ptr<Strategy>> arms_;
  std::map<plan::Genome, std::size_t> arm_of_;  // of births in flight
  std::deque<Use> past_;
};

}  // namespace

std::unique_ptr<Strategy> make_bandit(const SearchContext& setting) {
  return std::make_unique<Bandit>(setting);
}

}  // namespace paraiso::tune
