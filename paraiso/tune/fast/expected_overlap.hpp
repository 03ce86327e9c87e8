// ExpectedOverlap: which part of their best recipes two running instances are expected to share, by
// their features. Gives: ExpectedOverlap. Needs: orders, likeness, place_overlap.
//
// FAST's regression, symmetric and with a ridge, learnt from the problems over which the common
// list was measured. Before three solvers are such, or with a list too short to tell good from bad,
// there is nothing to learn from, and the likeness of the features stands for it.
#pragma once

#include <optional>

#include "paraiso/tune/predict/near/known_instances.hpp"
#include "paraiso/tune/rivals/orders.hpp"

namespace paraiso::tune {

class ExpectedOverlap {
 public:
  explicit ExpectedOverlap(const std::vector<SolutionSpace>& spaces);

  /// 0 for different back ends, whose options mean other things.
  [[nodiscard]] double operator()(const Features& one, const Features& other) const;
  /// The highest overlap with these features is the least far; places of other back ends are
  /// infinitely far. Rounded: 1e-4 at most.
  [[nodiscard]] PlacesAway away(const Features& from, const PlaceAxes& axes) const;
  /// Of how many problems it has learnt; 0: likeness.
  [[nodiscard]] std::size_t learnt() const { return learnt_; }

 private:
  std::optional<Regression> regression_;
  std::size_t learnt_ = 0;
};

}  // namespace paraiso::tune
