#include "paraiso/tune/database/history.hpp"

#include <limits>

#include "paraiso/base/text.hpp"

namespace paraiso::tune {

namespace {

constexpr std::size_t kExpected = std::numeric_limits<std::size_t>::max();

}  // namespace

History::History(std::vector<plan::Gene> genes)
    : genes_(std::move(genes)),
      length_(plan::letters_of(genes_, plan::Genome(genes_.size())).size()) {}

void History::expect(const plan::Genome& genome) {
  place_.try_emplace(fnv1a(plan::letters_of(genes_, genome)), kExpected);
}

std::size_t History::add(const plan::Genome& genome, const Measurement& measurement) {
  const std::string letters = plan::letters_of(genes_, genome);
  std::size_t& place = place_.try_emplace(fnv1a(letters), kExpected).first->second;
  if (place != kExpected) return place;
  place = size();
  letters_ += letters;
  scores_.push_back(measurement.ok() ? measurement.score : 0);
  deviations_.push_back(measurement.deviation);
  if (ok(place) && (!best_ || score(place) > score(*best_))) best_ = place;
  return place;
}

bool History::known(const plan::Genome& genome) const {
  return place_.contains(fnv1a(plan::letters_of(genes_, genome)));
}

std::optional<std::size_t> History::find(const plan::Genome& genome) const {
  const auto found = place_.find(fnv1a(plan::letters_of(genes_, genome)));
  if (found == place_.end() || found->second == kExpected) return std::nullopt;
  return found->second;
}

plan::Genome History::genome(std::size_t individual) const {
  return plan::genome_from(genes_,
                           std::string_view(letters_).substr(individual * length_, length_));
}

}  // namespace paraiso::tune
