#include "paraiso/tune/rivals/rivals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "paraiso/base/error.hpp"
#include "paraiso/base/median.hpp"
#include "paraiso/base/rng.hpp"
#include "paraiso/base/text.hpp"
#include "paraiso/tune/predict/likeness.hpp"
#include "paraiso/tune/predict/vote.hpp"
#include "paraiso/tune/rivals/held_out.hpp"
#include "paraiso/tune/rivals/orders.hpp"

namespace paraiso::tune {

namespace {

using Orders = std::vector<TryingOrder>;
// What is chosen among, by leaving out one known solver after the other.
constexpr std::size_t kCounts[] = {5, 10, 25};
constexpr double kRidges[] = {0.01, 0.1, 1};
constexpr std::size_t kNeighbourCounts[] = {1, 5, SIZE_MAX};
constexpr std::size_t kBestPart = 10;  // the best of a tenth of the list count

/// The speed of the best of the first `tries`, over that of the best of all.
double fraction(const SolutionSpace& space, const TryingOrder& order, std::size_t tries) {
  double best = 0;
  for (std::size_t t = 0; t < std::min(tries, order.size()); ++t)
    best = std::max(best, space.speed[order[t]]);
  return best / space.best();
}

template <class F>
Orders each(const Spaces& asked, F order) {
  Orders orders;
  for (const SolutionSpace* space : asked) orders.push_back(order(*space));
  return orders;
}

/// Ways to predict, each with all that may be chosen fixed: their orders.
using Variants = std::function<std::vector<Orders>(const Spaces& known, const Spaces& asked)>;

/// How good orders are after one try and after five, by the mean of the logarithms.
double merit(const Spaces& asked, const Orders& orders) {
  double sum = 0;
  for (std::size_t s = 0; s < orders.size(); ++s)
    for (const std::size_t tries : {1, 5})
      sum += std::log(std::max(fraction(*asked[s], orders[s], tries), 0.01)) /
             static_cast<double>(orders.size());
  return sum;
}

/// The variant that does best on the known solvers, each held out in turn.
Orders by_best_of(const Variants& variants, const Spaces& known, const Spaces& asked) {
  std::vector<Orders> all = variants(known, asked);
  std::vector<double> merits(all.size(), 0);
  if (solvers(known).size() > 1)
    for (const std::string& family : solvers(known)) {
      const Split inner = without(known, {family});
      const std::vector<Orders> tried = variants(inner.known, inner.asked);
      for (std::size_t v = 0; v < tried.size(); ++v) merits[v] += merit(inner.asked, tried[v]);
    }
  return std::move(all[order_by(merits).front()]);
}

Orders fast(const Spaces& known, const Spaces& asked, std::uint64_t) {
  const auto variants = [](const Spaces& from, const Spaces& to) {
    const OverlapRegressions regressions(from, Terms::signed_plain);
    std::vector<Orders> all;
    for (const std::size_t count : kCounts) {
      const Regression model = regressions(count, kNoRidge);
      all.push_back(
          each(to, [&](const SolutionSpace& one) { return by_fast(from, one, model, count); }));
    }
    return all;
  };
  return by_best_of(variants, known, asked);
}

Orders ours(const Spaces& known, const Spaces& asked, std::uint64_t) {
  const auto variants = [](const Spaces& from, const Spaces& to) {
    const OverlapRegressions regressions(from, Terms::size_of_ratios);
    std::vector<Orders> all;
    for (const std::size_t count : kCounts)
      for (const double ridge : kRidges) {
        const Regression model = regressions(count, ridge);
        std::vector<RecipeValues> overlaps;
        for (const SolutionSpace* one : to)
          overlaps.push_back(predicted_overlaps(from, *one, model));
        for (const std::size_t neighbours : kNeighbourCounts) {
          Orders& orders = all.emplace_back();
          for (const RecipeValues& of_one : overlaps)
            orders.push_back(by_overlap(from, of_one, neighbours));
        }
      }
    return all;
  };
  return by_best_of(variants, known, asked);
}

/// The known spaces, the one most like `asked` first.
Spaces by_distance(const Spaces& known, const SolutionSpace& asked) {
  RecipeValues likes;
  for (const SolutionSpace* space : known)
    likes.push_back(-distance(space->features, asked.features));
  Spaces near;
  for (const std::size_t place : order_by(likes)) near.push_back(known[place]);
  return near;
}

Orders nearest_champion(const Spaces& known, const Spaces& asked, std::uint64_t) {
  return each(asked, [&](const SolutionSpace& one) {
    TryingOrder order;
    for (const SolutionSpace* space : by_distance(known, one))
      order.push_back(optimal(*space, 1).front());
    return order;
  });
}

Orders nearest_neighbour(const Spaces& known, const Spaces& asked, std::uint64_t) {
  return each(asked, [&](const SolutionSpace& one) {
    return order_by(by_distance(known, one).front()->speed);
  });
}

Orders constant(const Spaces& known, const Spaces& asked, std::uint64_t) {
  const TryingOrder order = order_by(mean_speeds(known, RecipeValues(known.size(), 1)));
  return Orders(asked.size(), order);
}

Orders cost_model(const Spaces&, const Spaces& asked, std::uint64_t) {
  return each(asked, [](const SolutionSpace& one) {
    RecipeValues speeds;
    for (const double time : one.model) speeds.push_back(-time);
    return order_by(speeds);
  });
}

/// By the product of the speeds that the cost model and all known programs let expect: where one of
/// them is wrong by much, the other one speaks against it.
Orders model_and_constant(const Spaces& known, const Spaces& asked, std::uint64_t) {
  const RecipeValues others = mean_speeds(known, RecipeValues(known.size(), 1));
  return each(asked, [&](const SolutionSpace& one) {
    RecipeValues sums = expected_speeds(one);
    for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += others[r];
    return order_by(sums);
  });
}

/// What `run` takes (predict_schedule): the champions of the closest contests vote, and the model
/// may object.
TryingOrder as_predict_does(const Spaces& known, const SolutionSpace& asked) {
  Spaces near = by_distance(known, asked);
  std::erase_if(near, [](const SolutionSpace* space) { return !space->champion; });
  near.resize(std::min(kNeighbours, near.size()));
  std::vector<Ballot> ballots;
  for (const SolutionSpace* space : near) {
    const double like = likeness(distance(space->features, asked.features));
    if (like >= kAlike) ballots.push_back({like, space->champion->recipe, space->champion->gain});
  }
  TryingOrder order;
  bool sure = false;
  for (const Elected& one : count_votes(ballots)) {
    if (order.empty()) sure = is_believed(one.gain, asked.model[one.choice] / asked.model[0]);
    order.push_back(one.choice);
  }
  order.insert(order.begin() + (sure ? 1 : 0), 0);
  return order;
}

Orders predicted(const Spaces& known, const Spaces& asked, std::uint64_t) {
  return each(asked, [&](const SolutionSpace& one) { return as_predict_does(known, one); });
}

Orders default_first(const Spaces&, const Spaces& asked, std::uint64_t) {
  return Orders(asked.size(), TryingOrder{0});
}

/// The default, then as another rival says: as that which does best on the known solvers.
Orders default_then_best(const Spaces& known, const Spaces& asked, std::uint64_t seed) {
  const auto variants = [seed](const Spaces& from, const Spaces& to) {
    std::vector<Orders> all;
    for (const auto& other : {cost_model, nearest_neighbour, constant, nearest_champion}) {
      Orders& orders = all.emplace_back(other(from, to, seed));
      for (TryingOrder& order : orders) order.insert(order.begin(), 0);
    }
    return all;
  };
  return by_best_of(variants, known, asked);
}

/// Draws recipes as often as they are among the best tenth of a known space.
Orders quantile(const Spaces& known, const Spaces& asked, std::uint64_t seed) {
  Rng rng(seed);
  TryingOrder urn;
  for (const SolutionSpace* space : known)
    for (const std::size_t recipe : optimal(*space, 1 + space->speed.size() / kBestPart))
      urn.push_back(recipe);
  return each(asked, [&](const SolutionSpace&) {
    TryingOrder left = urn, order;
    for (; !left.empty(); std::erase(left, order.back()))
      order.push_back(left[rng.below(left.size())]);
    return order;
  });
}

Orders drawn(const Spaces&, const Spaces& asked, std::uint64_t seed) {
  Rng rng(seed);
  return each(asked, [&](const SolutionSpace& one) {
    RecipeValues keys;
    for (std::size_t r = 0; r < one.model.size(); ++r) keys.push_back(rng.unit());
    return order_by(keys);
  });
}

/// With what is missing at its end.
TryingOrder completed(TryingOrder order, std::size_t count) {
  std::vector<bool> seen(count, false);
  std::erase_if(order, [&](std::size_t recipe) {
    const bool again = seen[recipe];
    seen[recipe] = true;
    return again;
  });
  for (std::size_t r = 0; r < count; ++r)
    if (!seen[r]) order.push_back(r);
  return order;
}

/// Of one space: means over the seeds.
struct TriesOf {
  std::vector<double> fractions = std::vector<double>(std::size(kMarks), 0);
  double tries = 0, against_default = 0;

  void add(const SolutionSpace& space, const TryingOrder& order, double weight) {
    for (std::size_t m = 0; m < fractions.size(); ++m)
      fractions[m] += weight * fraction(space, order, kMarks[m]);
    tries += weight * static_cast<double>(tries_to_goal(space, order));
    against_default += weight * space.speed[order.front()] / space.speed.front();
  }
};

/// Of those that judge, in the order of the spaces.
std::vector<TriesOf> scores_of(const Rival& rival, const Spaces& all, int seeds,
                               const Judging& judging) {
  std::map<const SolutionSpace*, TriesOf> score;
  const int repeats = rival.draws ? seeds : 1;
  const auto is_silent = [&](const SolutionSpace* space) {
    return judging.silent.contains(space->family) && judging.judges.empty();
  };
  for (const Split& split : splits_of(all, judging)) {
    if (std::ranges::all_of(split.asked, is_silent)) continue;
    for (int seed = 1; seed <= repeats; ++seed) {
      const Orders orders = rival.order(split.known, split.asked, static_cast<std::uint64_t>(seed));
      for (std::size_t s = 0; s < orders.size(); ++s)
        score[split.asked[s]].add(
            *split.asked[s], completed(orders[s], split.asked[s]->speed.size()), 1.0 / repeats);
    }
  }
  std::vector<TriesOf> scores;
  for (const SolutionSpace* space : judges_of(all, judging)) scores.push_back(score.at(space));
  return scores;
}

RivalStanding rival_standing(const std::string& name, const std::vector<TriesOf>& scores,
                             const std::vector<std::string>& programs) {
  RivalStanding standing;
  standing.name = name;
  for (std::size_t m = 0; m < std::size(kMarks); ++m) {
    std::vector<double> fractions;
    for (const TriesOf& score : scores) fractions.push_back(score.fractions[m]);
    if (m == 0) standing.first_tries = fractions;
    standing.worst.push_back(*std::ranges::min_element(fractions));
    standing.interval.push_back(median_interval(fractions, programs));
    standing.median.push_back(median(std::move(fractions)));
  }
  std::vector<double> tries, against;
  for (const TriesOf& score : scores) {
    tries.push_back(score.tries);
    against.push_back(score.against_default);
  }
  standing.most_tries = *std::ranges::max_element(tries);
  standing.tries = median(std::move(tries));
  standing.against_default = *std::ranges::min_element(against);
  return standing;
}

}  // namespace

std::size_t tries_to_goal(const SolutionSpace& space, const TryingOrder& order) {
  for (std::size_t t = 0; t < order.size(); ++t)
    if (space.speed[order[t]] >= kGoal * space.best()) return t + 1;
  return order.size();
}

Spaces pointers_to(const std::vector<SolutionSpace>& spaces) {
  Spaces pointers;
  for (const SolutionSpace& space : spaces) pointers.push_back(&space);
  return pointers;
}

std::set<std::string> solvers(const Spaces& spaces) {
  std::set<std::string> names;
  for (const SolutionSpace* space : spaces) names.insert(space->family);
  return names;
}

void require_solvers(const Spaces& spaces) {
  if (solvers(spaces).size() < 3)
    throw Error("the list of recipes is measured for fewer than three solvers")
        .with_hint("`scripts/record-training.sh` measures it");
}

namespace {

void require_measured(const Spaces& spaces, const std::set<std::string>& named) {
  const auto names = solvers(spaces);
  for (const std::string& one : named)
    if (!names.contains(one))
      throw Error(fmt::format("`{}` is not among the solvers that were measured: {}", one,
                              fmt::join(names, ", ")));
}

}  // namespace

void require_judges(const Spaces& spaces, const std::set<std::string>& judges) {
  require_measured(spaces, judges);
  require_solvers(without(spaces, judges).known);
}

const std::vector<Rival>& rivals() {
  static const std::vector<Rival> table{
      {"default", "the default schedule, then the list as it is", default_first},
      {"drawn", "recipes at random", drawn, true},
      {"champions", "the best recipe of each known program, the most alike first",
       nearest_champion},
      {"model", "as the cost model says", cost_model},
      {"quantile", "drawn from the best tenths of known programs", quantile, true},
      {"neighbour", "as fast as in the program most alike", nearest_neighbour},
      {"constant", "as fast as in the mean of all known programs", constant},
      {"both", "as fast as the cost model and the mean of all known programs say together",
       model_and_constant},
      {"predict", "as `run` and `predict` do: champions of like programs, or the default",
       predicted},
      {"safe",
       "the default, then as model, neighbour, constant or champions, as does best elsewhere",
       default_then_best},
      {"fast", "FAST: the best K of five programs, by the paper's regression", fast},
      {"ours", "as fast as where, by a symmetric regression, overlap is expected", ours},
  };
  return table;
}

TryingOrder order_for(const Rival& rival, const Spaces& known, const SolutionSpace& asked) {
  return completed(rival.order(known, {&asked}, 1).front(), asked.model.size());
}

std::vector<TryingOrder> orders_held_out(const Rival& rival, const Spaces& spaces) {
  std::map<const SolutionSpace*, TryingOrder> found;
  for (const std::string& family : solvers(spaces)) {
    const Split split = without(spaces, {family});
    auto orders = rival.order(split.known, split.asked, 1);
    for (std::size_t s = 0; s < orders.size(); ++s)
      found[split.asked[s]] = completed(std::move(orders[s]), split.asked[s]->speed.size());
  }
  std::vector<TryingOrder> orders;
  for (const SolutionSpace* space : spaces) orders.push_back(std::move(found.at(space)));
  return orders;
}

Spaces judges_of(const Spaces& spaces, const Judging& judging) {
  require_measured(spaces, judging.silent);
  Spaces judges;
  for (const SolutionSpace* space : spaces)
    if (!judging.silent.contains(space->family) &&
        (judging.judges.empty() || judging.judges.contains(space->family)))
      judges.push_back(space);
  if (judges.empty()) throw Error("nobody is left to judge");
  return judges;
}

std::string list_hash(const Spaces& spaces) {
  std::string text;
  for (const SolutionSpace* space : spaces) text += space->name + " " + space->program + "\n";
  return fmt::format("{:016x}", fnv1a(text));
}

std::vector<RivalStanding> compare_rivals(const std::vector<SolutionSpace>& spaces,
                                          const std::vector<Rival>& table, int seeds,
                                          const Judging& judging) {
  const Spaces all = pointers_to(spaces);
  require_judges(all, judging.judges);
  std::vector<std::string> programs;
  for (const SolutionSpace* space : judges_of(all, judging)) programs.push_back(space->program);
  std::vector<RivalStanding> standings;
  for (const Rival& rival : table)
    standings.push_back(
        rival_standing(rival.name, scores_of(rival, all, seeds, judging), programs));
  return standings;
}

}  // namespace paraiso::tune
