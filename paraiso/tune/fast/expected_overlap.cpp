#include "paraiso/tune/fast/expected_overlap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "paraiso/tune/fast/place_overlap.hpp"
#include "paraiso/tune/fast/solutions.hpp"
#include "paraiso/tune/predict/likeness.hpp"

namespace paraiso::tune {

namespace {

constexpr std::size_t kFewestSolvers = 3;
// The best are a quarter of the list, FAST's K at most; of fewer than five an overlap says nothing.
constexpr std::size_t kPartOfList = 4, kFewestBest = 5;
constexpr double kRidge = 0.1;
// The closest are asked even where nothing is expected to be shared.
constexpr double kLeastOverlap = 0.01;

std::size_t best_of_list(const std::vector<SolutionSpace>& spaces) {
  return spaces.empty() ? 0 : std::min(kSolutions, spaces.front().speed.size() / kPartOfList);
}

}  // namespace

ExpectedOverlap::ExpectedOverlap(const std::vector<SolutionSpace>& spaces) {
  const std::size_t count = best_of_list(spaces);
  const Spaces known = pointers_to(spaces);
  if (solvers(known).size() < kFewestSolvers || count < kFewestBest) return;
  regression_ = overlap_regression(known, count, Terms::size_of_ratios, kRidge);
  learnt_ = spaces.size();
}

double ExpectedOverlap::operator()(const Features& one, const Features& other) const {
  const double far = distance(one, other);
  if (!std::isfinite(far)) return 0;
  return regression_ ? std::clamp((*regression_)(one, other), kLeastOverlap, 1.0) : likeness(far);
}

PlacesAway ExpectedOverlap::away(const Features& from, const PlaceAxes& axes) const {
  if (!regression_) return PlaceDistance(from, axes);
  if (!comparable(from, axes))
    return [](std::span<const float>) { return std::numeric_limits<float>::infinity(); };
  return [overlap = PlaceOverlap(*regression_, from, axes)](std::span<const float> numbers) {
    return static_cast<float>(1 - std::clamp(overlap(numbers), kLeastOverlap, 1.0));
  };
}

}  // namespace paraiso::tune
