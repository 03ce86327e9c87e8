// regression: how far two running instances share their best recipes, from the differences of their
// features. Gives: Terms, FeatureTerms, Regression, PairEquations. Needs: features.
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

/// The terms of the sum for two instances: three for each number, one for each word, and 1.
class FeatureTerms {
 public:
  /// Of all features that some of the instances have.
  FeatureTerms(const std::vector<const Features*>& instances, Terms kind);

  /// The features of an instance in a fixed order; a number that it lacks is 0.
  struct Row {
    std::vector<double> numbers;
    std::vector<std::string> words;
  };
  [[nodiscard]] Row row(const Features& features) const;

  [[nodiscard]] std::size_t count() const { return 3 * numbers_.size() + words_.size() + 1; }
  [[nodiscard]] std::vector<double> operator()(const Row& one, const Row& other) const;
  /// Names, in the order of the terms.
  [[nodiscard]] const std::vector<std::string>& numbers() const { return numbers_; }
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

 private:
  Terms kind_;
  std::vector<std::string> numbers_, words_;  // names
};

class Regression {
 public:
  Regression(FeatureTerms terms, std::vector<double> coefficients)
      : terms_(std::move(terms)), coefficients_(std::move(coefficients)) {}

  [[nodiscard]] double operator()(const Features& one, const Features& other) const;
  [[nodiscard]] const FeatureTerms& terms() const { return terms_; }
  /// Of each term.
  [[nodiscard]] const std::vector<double>& coefficients() const { return coefficients_; }

 private:
  FeatureTerms terms_;
  std::vector<double> coefficients_;
};

/// The equations of least squares for pairs of instances, for as many regressions on them as are
/// wanted.
class PairEquations {
 public:
  struct Pair {
    const Features* one;
    const Features* other;
  };
  PairEquations(const std::vector<Pair>& pairs, Terms kind);

  /// The least squares of `overlaps`, one for each pair, plus `ridge` times those of the
  /// coefficients, in units in which every term has at most the size 1.
  [[nodiscard]] Regression fit(const std::vector<double>& overlaps, double ridge) const;

 private:
  FeatureTerms terms_;
  std::vector<std::size_t> used_;          // terms that are not 0 for all pairs; the last one is 1
  std::vector<double> scale_;              // of each used term
  std::vector<std::vector<double>> rows_;  // the used terms of each pair, scaled
  std::vector<std::vector<double>> normal_;  // their products' sums, below the diagonal
};

}  // namespace paraiso::tune
