#include "paraiso/tune/contest/rating.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/runtime/run/progress.hpp"
#include "paraiso/tune/contest/leaders.hpp"

namespace paraiso::tune {

double median_score(const std::vector<ReferenceTiming>& references) {
  std::vector<double> scores;
  for (const ReferenceTiming& reference : references) scores.push_back(reference.score);
  return upper_median(std::move(scores));
}

Rating::Rating(std::vector<ReferenceTiming> references,
               std::map<std::string, Measurement> remeasured,
               std::map<std::string, double> first_finished, std::vector<double> starts)
    : references_(std::move(references)),
      remeasured_(std::move(remeasured)),
      first_finished_(std::move(first_finished)),
      starts_(std::move(starts)) {
  if (!references_.empty()) median_ = median_score(references_);
}

/// When its measurement was made.
double Rating::time_of(const Individual& individual) const {
  const auto first = first_finished_.find(individual.measurement.code_hash);
  return first == first_finished_.end() ? individual.finished : first->second;
}

/// Whether no session has begun between the two times.
bool Rating::in_one_session(double one, double other) const {
  return std::ranges::upper_bound(starts_, one) == std::ranges::upper_bound(starts_, other);
}

double Rating::factor(double time) const {
  const auto next = std::ranges::find_if(
      references_, [&](const ReferenceTiming& reference) { return reference.taken > time; });
  double sum = 0, count = 0;
  bool slow = false;
  const auto see = [&](const ReferenceTiming& reference) {
    if (!in_one_session(time, reference.taken)) return;
    sum += reference.score, ++count;
    slow = slow || kSlow * reference.score < median_;
  };
  if (next != references_.begin()) see(*std::prev(next));
  if (next != references_.end()) see(*next);
  return slow ? std::max(1.0, median_ / (sum / count)) : 1;
}

Measurement Rating::operator()(const Individual& individual) const {
  Measurement rated;
  const auto again = remeasured_.find(individual.measurement.code_hash);
  const Measurement& known = again == remeasured_.end() ? individual.measurement : again->second;
  const double by = again == remeasured_.end() ? factor(time_of(individual)) : 1;
  rated.score = by * known.score;
  rated.deviation = by * known.deviation;
  rated.reason = known.reason;
  return rated;
}

std::string drift_text(const std::vector<ReferenceTiming>& references) {
  if (references.size() < 2) return "";
  const auto [least, most] = std::ranges::minmax(references, {}, &ReferenceTiming::score);
  return fmt::format("the default schedule was timed {} times meanwhile: {} to {}, {:.1f} % apart",
                     references.size(), runtime::speed_text(least.score),
                     runtime::speed_text(most.score), 100 * (most.score / least.score - 1));
}

std::optional<Individual> best_rated(Database& database, std::int64_t problem) {
  const Rating rating(database, problem);
  std::optional<Individual> best;
  database.each(problem, 0, [&](const Individual& individual) {
    const Measurement rated = rating(individual);
    if (rated.score <= (best ? best->measurement.score : 0)) return;
    best = individual;
    best->measurement = rated;
  });
  return best;
}

std::vector<Individual> best_to_remeasure(Database& database, std::int64_t problem,
                                          std::size_t count) {
  const Rating rating(database, problem);
  Leaders best(count);
  database.each(problem, 0, [&](const Individual& individual) {
    const Measurement rated = rating(individual);
    if (rated.ok() && !individual.measurement.code_hash.empty()) best.add(rated.score, individual);
  });
  auto found = best.individuals();
  std::erase_if(found, [&](const Individual& individual) { return rating.remeasured(individual); });
  return found;
}

}  // namespace paraiso::tune
