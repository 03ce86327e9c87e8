#include "paraiso/tune/replay/replay.hpp"

#include <algorithm>
#include <limits>

#include "paraiso/base/error.hpp"
#include "paraiso/base/median.hpp"
#include "paraiso/tune/search.hpp"

namespace paraiso::tune {

namespace {

double best_score(const Pool& pool) {
  double best = 0;
  for (std::size_t m = 0; m < pool.size(); ++m) best = std::max(best, pool.measurement(m).score);
  return best;
}

double first_above(const std::vector<double>& curve, double score) {
  const auto found = std::ranges::find_if(curve, [&](double best) { return best >= score; });
  return found == curve.end() ? std::numeric_limits<double>::infinity()
                              : static_cast<double>(found - curve.begin() + 1);
}

Comparison compare_one(Pool& pool, const ReplayPlan& plan, const std::string& strategy) {
  const double best = best_score(pool);
  std::vector<double> reached;
  std::vector<std::vector<double>> at_marks(plan.marks.size());
  for (std::uint64_t seed = 1; seed <= plan.seeds; ++seed) {
    const auto curve = replay(pool, strategy, seed, plan.evaluations, plan.shares);
    reached.push_back(first_above(curve, plan.goal * best));
    for (std::size_t m = 0; m < plan.marks.size(); ++m)
      at_marks[m].push_back(curve[std::min(plan.marks[m], curve.size()) - 1] / best);
  }
  Comparison result{strategy, {}, {}};
  if (const double middle = lower_median(reached); middle < std::numeric_limits<double>::infinity())
    result.evaluations_to_goal = middle;
  for (auto& scores : at_marks) result.best_at_marks.push_back(lower_median(std::move(scores)));
  return result;
}

}  // namespace

std::vector<double> replay(Pool& pool, const std::string& strategy, std::uint64_t seed,
                           std::size_t evaluations, const BirthShares& shares) {
  PoolRun run(pool, seed);
  Search search(run.space(), strategy, seed, shares);
  std::vector<double> curve;
  while (curve.size() < evaluations) {
    const auto birth = search.ask();
    if (!birth) break;
    search.tell(birth->genome, run.take(birth->genome));
    const auto best = search.history().best();
    curve.push_back(best ? search.history().score(*best) : 0);
  }
  return curve;
}

std::vector<Comparison> compare(const Recording& recording, const ReplayPlan& plan) {
  Pool pool(recording);
  pool.require_members();
  if (best_score(pool) <= 0) throw Error("no individual of the recording succeeded");
  std::vector<Comparison> results;
  for (const std::string& strategy : plan.strategies)
    results.push_back(compare_one(pool, plan, strategy));
  return results;
}

}  // namespace paraiso::tune
