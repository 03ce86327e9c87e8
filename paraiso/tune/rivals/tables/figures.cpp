#include "paraiso/tune/rivals/tables/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "paraiso/base/mean.hpp"
#include "paraiso/tune/rivals/orders.hpp"

namespace paraiso::tune {

namespace {

using Holds = PaperFigure::Holds;

constexpr std::size_t kFewestSpaces = 10;  // of which a mean says anything
constexpr std::size_t kFewestPairs = 20;
constexpr std::size_t kShortestList = 4;  // which has a quarter
constexpr std::size_t kPairGroups = 4;    // of pairs, as in the paper

double mean_overlap(const Spaces& spaces, std::size_t count) {
  std::vector<double> overlaps;
  for (std::size_t one = 0; one < spaces.size(); ++one)
    for (std::size_t other = one + 1; other < spaces.size(); ++other)
      overlaps.push_back(overlap(*spaces[one], *spaces[other], count));
  return mean(overlaps);
}

/// The part of each predicted set that is not among the best, by FAST's order of trying.
PaperFigure missed(const Spaces& spaces, std::size_t recipes) {
  PaperFigure figure{"1", "Predicted solutions that are not among the best", {}, {}, {}, {}, {}};
  figure.columns = {"solutions", "missed", "missed_by_chance"};
  figure.claim = "a set of predicted solutions misses less than the one that is predicted best";
  const auto rival = std::ranges::find(rivals(), "fast", &Rival::name);
  const auto orders = orders_held_out(*rival, spaces);
  for (std::size_t count = 1; count <= recipes; ++count) {
    std::vector<double> parts;
    for (std::size_t s = 0; s < spaces.size(); ++s) {
      const auto best = optimal(*spaces[s], count);
      const auto hits = std::count_if(
          orders[s].begin(), orders[s].begin() + static_cast<std::ptrdiff_t>(count),
          [&](std::size_t recipe) { return std::ranges::find(best, recipe) != best.end(); });
      parts.push_back(1 - static_cast<double>(hits) / static_cast<double>(count));
    }
    const double chance = 1 - static_cast<double>(count) / static_cast<double>(recipes);
    figure.rows.push_back({static_cast<double>(count), mean(parts), chance});
  }
  const std::size_t set = std::min<std::size_t>(25, recipes / 2);
  const auto& one = figure.rows.front();
  const auto& some = figure.rows[set - 1];
  figure.holds = holds_if(spaces.size() >= kFewestSpaces, some[1] < one[1] && some[1] < some[2]);
  figure.seen = fmt::format("{:.2f} of one, {:.2f} of {} solutions (by chance {:.2f} and {:.2f})",
                            one[1], some[1], set, one[2], some[2]);
  return figure;
}

PaperFigure overlaps(const Spaces& spaces, std::size_t recipes) {
  PaperFigure figure{"6", "What the best solutions of two programs share", {}, {}, {}, {}, {}};
  figure.columns = {"solutions", "overlap", "overlap_by_chance"};
  figure.claim = "larger sets share more: 20 % of 100, 78 % of 2,100";
  for (std::size_t count = 1; count <= recipes; ++count)
    figure.rows.push_back({static_cast<double>(count), mean_overlap(spaces, count),
                           static_cast<double>(count) / static_cast<double>(recipes)});
  const std::size_t twentieth = best_twentieth(recipes);
  const auto& small = figure.rows[twentieth - 1];
  const auto& half = figure.rows[recipes / 2 - 1];
  figure.holds =
      holds_if(twentieth < recipes / 2 && spaces.size() >= kFewestSpaces, small[1] < half[1]);
  figure.seen = fmt::format("{:.2f} of {}, {:.2f} of {} of {} (by chance {:.2f} and {:.2f})",
                            small[1], small[0], half[1], half[0], recipes, small[2], half[2]);
  return figure;
}

PaperFigure lower_bounds(const Spaces& spaces, std::size_t recipes) {
  PaperFigure figure{"7", "The slowest of the best solutions", {}, {}, {}, {}, {}};
  figure.columns = {"solutions", "speed_over_best", "least"};
  figure.claim = "the best twentieth is within 10 % of the best";
  for (std::size_t count = 1; count <= recipes; ++count) {
    std::vector<double> parts;
    for (const SolutionSpace* space : spaces)
      parts.push_back(space->speed[optimal(*space, count).back()] / space->best());
    figure.rows.push_back(
        {static_cast<double>(count), mean(parts), *std::ranges::min_element(parts)});
  }
  const std::size_t twentieth = std::max<std::size_t>(1, recipes / 20);
  const auto& row = figure.rows[twentieth - 1];
  const bool says_anything = twentieth > 1;  // else it is the best itself
  figure.holds = holds_if(says_anything && spaces.size() >= kFewestSpaces, row[1] >= 0.9);
  const auto below =
      std::ranges::find_if(figure.rows, [](const auto& one) { return one[1] < 0.9; });
  figure.seen =
      fmt::format("the {}. of {} has {:.2f} of the best in the mean, {:.2f} at least; {}",
                  twentieth, recipes, row[1], row[2],
                  below == figure.rows.end() ? "none is below 0.9"
                                             : fmt::format("below 0.9 from {} on", (*below)[0]));
  return figure;
}

/// Two spaces: how far a feature varies between them, and what their best recipes share.
struct FeaturePair {
  double variation, overlap;
};

/// The standard deviation of two numbers over their mean.
double variation(double one, double other) {
  return one + other > 0 ? std::abs(one - other) / (one + other) : 0;
}

/// Pairs of spaces of which `alike` holds, the feature being another one, the least variation
/// first.
template <class F>
std::vector<FeaturePair> pairs_of(const Spaces& spaces, const char* feature, std::size_t count,
                                  F alike) {
  std::vector<FeaturePair> pairs;
  for (std::size_t one = 0; one < spaces.size(); ++one)
    for (std::size_t other = one + 1; other < spaces.size(); ++other) {
      const auto here = spaces[one]->features.number(feature),
                 there = spaces[other]->features.number(feature);
      if (!here || !there || *here == *there || !alike(*spaces[one], *spaces[other])) continue;
      pairs.push_back({variation(*here, *there), overlap(*spaces[one], *spaces[other], count)});
    }
  std::ranges::stable_sort(pairs, {}, &FeaturePair::variation);
  return pairs;
}

/// Four groups of as many pairs, the least variation first.
PaperFigure grouped(const std::string& name, const std::string& what,
                    const std::vector<FeaturePair>& pairs, std::size_t count) {
  PaperFigure figure{name, "What programs share whose " + what + " varies", {}, {}, {}, {}, {}};
  figure.columns = {"coefficient_of_variation", "overlap", "pairs"};
  figure.claim = "the less the " + what + " varies, the more is shared";
  if (pairs.size() < kPairGroups) {
    figure.seen = fmt::format("{} pairs", pairs.size());
    return figure;
  }
  for (std::size_t g = 0; g < kPairGroups; ++g) {
    std::vector<double> variations, shared;
    for (std::size_t p = g * pairs.size() / kPairGroups; p < (g + 1) * pairs.size() / kPairGroups;
         ++p) {
      variations.push_back(pairs[p].variation);
      shared.push_back(pairs[p].overlap);
    }
    figure.rows.push_back({mean(variations), mean(shared), static_cast<double>(shared.size())});
  }
  const auto &least = figure.rows.front(), &most = figure.rows.back();
  figure.holds = holds_if(pairs.size() >= kFewestPairs, least[1] > most[1]);
  figure.seen = fmt::format(
      "{:.2f} where it varies by {:.2f}, {:.2f} by {:.2f} ({} pairs, of {} "
      "solutions)",
      least[1], least[0], most[1], most[0], pairs.size(), count);
  return figure;
}

bool same(const SolutionSpace& one, const SolutionSpace& other, const char* feature) {
  return one.features.number(feature) == other.features.number(feature);
}

/// As `calibrate` measured it once, with as many threads.
bool same_machine(const SolutionSpace& one, const SolutionSpace& other) {
  return same(one, other, "architecture.hertz") && same(one, other, "architecture.threads");
}

}  // namespace

PaperFigure::Holds holds_if(bool enough, bool holds) {
  return !enough ? Holds::unknown : holds ? Holds::yes : Holds::no;
}

void require_long_lists(const Spaces& spaces) {
  if (const std::size_t recipes = spaces.front()->speed.size(); recipes < kShortestList)
    throw Error(
        fmt::format("the shortest list is of {} recipes: figures need {}", recipes, kShortestList))
        .with_hint("`scripts/record-training.sh` measures longer ones");
}

std::size_t best_twentieth(std::size_t recipes) {
  return std::min(recipes, std::max<std::size_t>(5, recipes / 20));
}

std::vector<PaperFigure> paper_figures(const std::vector<SolutionSpace>& spaces) {
  const Spaces all = pointers_to(spaces);
  require_solvers(all);
  require_long_lists(all);
  const std::size_t recipes = spaces.front().speed.size(), count = best_twentieth(recipes);
  constexpr const char *kDensity = "algorithm.flop_density", *kCells = "input.cells";
  return {missed(all, recipes), overlaps(all, recipes), lower_bounds(all, recipes),
          grouped("8-flops", "flop density",
                  pairs_of(all, kDensity, count,
                           [](const auto& one, const auto& other) {
                             return same_machine(one, other) && same(one, other, kCells);
                           }),
                  count),
          grouped("8-size", "size",
                  pairs_of(all, kCells, count,
                           [](const auto& one, const auto& other) {
                             return same_machine(one, other) && one.family == other.family &&
                                    same(one, other, kDensity);
                           }),
                  count)};
}

std::string csv(const PaperFigure& figure) {
  std::string text = fmt::format("{}\n", fmt::join(figure.columns, ","));
  for (std::size_t r = 0; r < figure.rows.size(); ++r) {
    const auto& row = figure.rows[r];
    if (figure.names.empty())
      text += fmt::format("{:.6g}\n", fmt::join(row, ","));
    else
      text +=
          fmt::format("{},{:.6g}\n", figure.names[r], fmt::join(row.begin() + 1, row.end(), ","));
  }
  return text;
}

}  // namespace paraiso::tune
