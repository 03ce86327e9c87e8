// PlaceOverlap: what a regression of ratios expects two instances to share, one of them given by
// the numbers of its place alone. Gives: PlaceOverlap. Needs: regression, place.
#pragma once

#include "paraiso/tune/predict/near/place.hpp"
#include "paraiso/tune/rivals/regression.hpp"

namespace paraiso::tune {

/// For all places that share their axes.
class PlaceOverlap {
 public:
  /// The regression has Terms::size_of_ratios.
  PlaceOverlap(const Regression& regression, const Features& from, const PlaceAxes& axes);

  /// As `regression` of the features, but for rounding; nothing for numbers of another length.
  [[nodiscard]] double operator()(std::span<const float> numbers) const;

 private:
  /// a x + b x^2 + c x^3, x being how far the number is from the logarithm.
  struct Cubic {
    double logarithm = 0, a = 0, b = 0, c = 0;
    [[nodiscard]] double of(double difference) const {
      return difference * (a + difference * (b + difference * c));
    }
  };
  std::vector<Cubic> cubics_;  // by the axes
  double constant_ = 0;        // what is the same for all places
};

}  // namespace paraiso::tune
