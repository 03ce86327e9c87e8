#include "paraiso/tune/replay/replay.hpp"

#include <algorithm>
#include <limits>

#include "paraiso/base/error.hpp"
#include "paraiso/tune/search.hpp"

namespace paraiso::tune {

using plan::Genome;

namespace {

/// The recorded individuals that have not been asked for.
class Left {
 public:
  Left(const Recording& recording, std::uint64_t seed) : recording_(recording) {
    for (std::size_t e = 0; e < recording.entries.size(); ++e)
      if (place_.try_emplace(letters(recording.entries[e].genome), e).second) entries_.push_back(e);
    // Of equally near ones the first in this order is taken.
    Rng rng(seed);
    for (std::size_t i = entries_.size(); i > 1; --i)
      std::swap(entries_[i - 1], entries_[rng.below(i)]);
    for (const std::size_t e : entries_) letters_ += letters(recording.entries[e].genome);
  }

  /// The nearest one; where none is left, one that has been asked for.
  [[nodiscard]] const Genome& nearest(const Genome& wanted) const {
    const std::string aim = letters(wanted);
    std::size_t least = aim.size() + 1, found = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const std::size_t distance =
          differing_letters(aim.data(), &letters_[i * aim.size()], aim.size());
      if (distance >= least) continue;
      least = distance;
      found = entries_[i];
    }
    return recording_.entries[found].genome;
  }

  /// Asks for one that is left.
  [[nodiscard]] const Measurement& take(const Genome& genome) {
    const std::string taken = letters(genome);
    const std::size_t entry = place_.at(taken);
    const auto at = std::ranges::find(entries_, entry) - entries_.begin();
    entries_.erase(entries_.begin() + at);
    letters_.erase(static_cast<std::size_t>(at) * taken.size(), taken.size());
    return recording_.entries[entry].measurement;
  }

 private:
  [[nodiscard]] std::string letters(const Genome& genome) const {
    return plan::letters_of(recording_.problem.genes, genome);
  }

  /// All the time of a replay goes here; compiled for speed (CMakeLists.txt).
  static std::size_t differing_letters(const char* one, const char* other, std::size_t count) {
    int differing = 0;
    for (std::size_t i = 0; i < count; ++i) differing += one[i] != other[i];
    return static_cast<std::size_t>(differing);
  }

  const Recording& recording_;
  std::unordered_map<std::string, std::size_t> place_;
  std::vector<std::size_t> entries_;
  std::string letters_;  // of all of them, one behind the other
};

double best_score(const Recording& recording) {
  double best = 0;
  for (const auto& entry : recording.entries) best = std::max(best, entry.measurement.score);
  return best;
}

/// Of values of which some are infinite; the lower of the middle two.
double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[(values.size() - 1) / 2];
}

double first_above(const std::vector<double>& curve, double score) {
  const auto found = std::ranges::find_if(curve, [&](double best) { return best >= score; });
  return found == curve.end() ? std::numeric_limits<double>::infinity()
                              : static_cast<double>(found - curve.begin() + 1);
}

Comparison compare_one(const Recording& recording, const ReplayPlan& plan,
                       const std::string& strategy) {
  const double best = best_score(recording);
  std::vector<double> reached;
  std::vector<std::vector<double>> at_marks(plan.marks.size());
  for (std::uint64_t seed = 1; seed <= plan.seeds; ++seed) {
    const auto curve = replay(recording, strategy, seed, plan.evaluations, plan.shares);
    reached.push_back(first_above(curve, plan.goal * best));
    for (std::size_t m = 0; m < plan.marks.size(); ++m)
      at_marks[m].push_back(curve[std::min(plan.marks[m], curve.size()) - 1] / best);
  }
  Comparison result{strategy, {}, {}};
  if (const double middle = median(reached); middle < std::numeric_limits<double>::infinity())
    result.evaluations_to_goal = middle;
  for (auto& scores : at_marks) result.best_at_marks.push_back(median(std::move(scores)));
  return result;
}

}  // namespace

std::vector<double> replay(const Recording& recording, const std::string& strategy,
                           std::uint64_t seed, std::size_t evaluations, const BirthShares& shares) {
  if (recording.entries.empty()) throw Error("the recording has no individuals");
  Left left(recording, seed);
  Space space{recording.problem.genes, {recording.entries[0].genome}, [&](const Genome& wanted) {
                return left.nearest(wanted);
              }};
  Search search(std::move(space), strategy, seed, shares);
  std::vector<double> curve;
  while (curve.size() < evaluations) {
    const auto birth = search.ask();
    if (!birth) break;
    search.tell(birth->genome, left.take(birth->genome));
    const auto best = search.history().best();
    curve.push_back(best ? search.history().score(*best) : 0);
  }
  return curve;
}

std::vector<Comparison> compare(const Recording& recording, const ReplayPlan& plan) {
  if (best_score(recording) <= 0) throw Error("no individual of the recording succeeded");
  std::vector<Comparison> results;
  for (const std::string& strategy : plan.strategies)
    results.push_back(compare_one(recording, plan, strategy));
  return results;
}

}  // namespace paraiso::tune
