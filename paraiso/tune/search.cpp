#include "paraiso/tune/search.hpp"

namespace paraiso::tune {

Search::Search(Space space, const std::string& strategy, std::uint64_t seed,
               const BirthShares& shares)
    : space_(std::move(space)),
      history_(space_.genes),
      strategy_(make_strategy(strategy, {space_, history_, seed, shares})) {}

std::optional<Birth> Search::ask() {
  auto birth = strategy_->ask();
  if (birth) history_.expect(birth->genome);
  return birth;
}

std::size_t Search::tell(const plan::Genome& genome, const Measurement& measurement) {
  const std::size_t before = history_.size();
  const std::size_t individual = history_.add(genome, measurement);
  if (history_.size() > before) strategy_->tell(individual);
  return individual;
}

}  // namespace paraiso::tune
