#include "paraiso/tune/rivals/tables/overlap_fits.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "paraiso/base/mean.hpp"
#include "paraiso/tune/predict/likeness.hpp"
#include "paraiso/tune/rivals/held_out.hpp"
#include "paraiso/tune/rivals/orders.hpp"

namespace paraiso::tune {

namespace {

/// The overlaps that are expected of a space and each of those that were learnt from.
using OverlapGuess = std::function<RecipeValues(const SolutionSpace& asked)>;
// Of `ours`, the middle one of those that the rival chooses among.
constexpr double kRidge = 0.1;

RecipeValues likenesses(const Spaces& known, const SolutionSpace& asked) {
  RecipeValues values;
  for (const SolutionSpace* space : known)
    values.push_back(likeness(distance(space->features, asked.features)));
  return values;
}

/// Calls `use` with each two of them.
template <class Use>
void each_pair(const Spaces& spaces, const Use& use) {
  for (std::size_t i = 0; i < spaces.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) use(*spaces[i], *spaces[j]);
}

OverlapGuess constant(const Spaces& known) {
  double sum = 0, count = 0;
  each_pair(known, [&](const auto& one, const auto& other) {
    sum += overlap(one, other, kOverlapCount), ++count;
  });
  return [values = RecipeValues(known.size(), sum / count)](const auto&) { return values; };
}

/// The straight line through overlaps over likeness.
OverlapGuess line(const Spaces& known) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  each_pair(known, [&](const auto& one, const auto& other) {
    const double like = likeness(distance(one.features, other.features)),
                 shared = overlap(one, other, kOverlapCount);
    ++n, x += like, y += shared, xx += like * like, xy += like * shared;
  });
  const double spread = n * xx - x * x;
  const double slope = spread > 0 ? (n * xy - x * y) / spread : 0, start = (y - slope * x) / n;
  return [known, slope, start](const SolutionSpace& asked) {
    RecipeValues values = likenesses(known, asked);
    for (double& value : values) value = start + slope * value;
    return values;
  };
}

/// As the known space that is most like the asked one shares with the others; and the second one
/// with that.
OverlapGuess neighbour(const Spaces& known) {
  return [known](const SolutionSpace& asked) {
    const TryingOrder order = order_by(likenesses(known, asked));
    RecipeValues values;
    for (std::size_t k = 0; k < known.size(); ++k)
      values.push_back(overlap(*known[k], *known[order[k == order[0] ? 1 : 0]], kOverlapCount));
    return values;
  };
}

OverlapGuess regression(const Spaces& known, Terms kind, double ridge) {
  return [known, model = overlap_regression(known, kOverlapCount, kind, ridge)](
             const SolutionSpace& asked) { return predicted_overlaps(known, asked, model); };
}
OverlapGuess fast(const Spaces& known) { return regression(known, Terms::signed_plain, kNoRidge); }
OverlapGuess ours(const Spaces& known) { return regression(known, Terms::size_of_ratios, kRidge); }

struct Row {
  const char* name;
  const char* summary;
  OverlapGuess (*learn)(const Spaces& known);
};
constexpr Row kRows[] = {
    {"fast", "the paper's regression of the differences of features", fast},
    {"ours", "that of the logarithms of their ratios, with a ridge of 0.1", ours},
    {"likeness", "a straight line over the likeness", line},
    {"neighbour", "as of the known program that is most like the one held out", neighbour},
    {"constant", "the mean of the known programs", constant}};

double r2_of(const Row& row, const std::vector<Split>& splits, const Judging& judging) {
  std::vector<double> seen;
  double error = 0;
  for (const Split& split : splits) {
    const OverlapGuess predict = row.learn(split.known);
    for (const SolutionSpace* asked : split.asked) {
      if (judging.silent.contains(asked->family)) continue;
      const RecipeValues expected = predict(*asked);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        seen.push_back(overlap(*split.known[k], *asked, kOverlapCount));
        error += std::pow(expected[k] - seen.back(), 2);
      }
    }
  }
  const double middle = mean(seen);
  double spread = 0;
  for (const double value : seen) spread += std::pow(value - middle, 2);
  return spread > 0 ? 1 - error / spread : 0;
}

}  // namespace

std::vector<OverlapFit> overlap_fits(const std::vector<SolutionSpace>& spaces,
                                     const Judging& judging) {
  const Spaces all = pointers_to(spaces);
  require_judges(all, judging.judges);
  std::vector<Split> splits = splits_of(all, judging);
  std::erase_if(splits, [](const Split& split) { return split.known.size() < 2; });
  if (splits.empty()) return {};
  std::vector<OverlapFit> fits;
  for (const Row& row : kRows) fits.push_back({row.name, row.summary, r2_of(row, splits, judging)});
  return fits;
}

}  // namespace paraiso::tune
