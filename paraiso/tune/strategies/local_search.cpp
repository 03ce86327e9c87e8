// local-search: iterated local search (climber.hpp). It tries changes of one gene in any order,
// numbers by one step first; a leap changes a few genes at once.
#include "paraiso/tune/strategies/all.hpp"
#include "paraiso/tune/strategies/parts/climber.hpp"

namespace paraiso::tune {
namespace {

class LocalSearch final : public Climber {
 public:
  explicit LocalSearch(const SearchContext& setting)
      : Climber(setting), kick_(static_cast<int>(setting.settings.at("kick"))) {}

 private:
  std::vector<Step> in_order(const plan::Genome&, std::vector<Step> near,
                             std::vector<Step> far) override {
    shuffle(far);
    shuffle(near);
    far.insert(far.end(), near.begin(), near.end());
    return far;
  }

  plan::Genome leap(const plan::Genome& summit) override {
    plan::Genome genome = summit;
    for (int k = 0; k < kick_; ++k) genome = breeding().mutate(std::move(genome), 0, 0);
    return genome;
  }

  int kick_;
};

}  // namespace

std::unique_ptr<Strategy> make_local_search(const SearchContext& setting) {
  return std::make_unique<LocalSearch>(setting);
}

}  // namespace paraiso::tune
