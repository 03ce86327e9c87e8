// regression: how far two running instances share their best recipes, from the differences of their
// features. Gives: Regression, Terms. Needs: features.
//
// FAST (2015, section 5): overlap = sum over the features of a x + b x^2 + c x^3 + d, by least
// squares, x being the signed difference of two numbers, or whether two words are equal. Ours takes
// the size of the difference of the logarithms, so that the overlap of A and B is that of B and A,
// and a ridge, because there are about as many coefficients as pairs.
#pragma once

#include "paraiso/tune/predict/features.hpp"

namespace paraiso::tune {

enum class Terms {
  signed_plain,    // the paper's
  size_of_ratios,  // ours
};

class Regression {
 public:
  struct Pair {
    const Features* one;
    const Features* other;
    double overlap;
  };
  /// The least squares of all pairs plus `ridge` times those of the coefficients, in units in which
  /// every term has at most the size 1.
  Regression(const std::vector<Pair>& pairs, Terms kind, double ridge);

  [[nodiscard]] double operator()(const Features& one, const Features& other) const;

 private:
  [[nodiscard]] std::vector<double> terms(const Features& one, const Features& other) const;

  Terms terms_;
  std::vector<std::string> numbers_, words_;  // names
  std::vector<double> scale_;                 // of each term
  std::vector<double> coefficients_;          // the last one is the constant
};

}  // namespace paraiso::tune
