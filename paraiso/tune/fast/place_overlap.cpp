#include "paraiso/tune/fast/place_overlap.hpp"

#include <algorithm>
#include <cmath>

#include "paraiso/tune/predict/likeness.hpp"

namespace paraiso::tune {

PlaceOverlap::PlaceOverlap(const Regression& regression, const Features& from,
                           const PlaceAxes& axes) {
  for (const std::string& name : axes.numbers)
    cubics_.push_back({logarithm(name, from.number(name).value_or(0))});
  auto coefficient = regression.coefficients().begin();
  for (const std::string& name : regression.terms().numbers()) {
    const auto axis = std::ranges::find(axes.numbers, name);
    Cubic missing;  // the place has 0 there
    Cubic& cubic = axis == axes.numbers.end()
                       ? missing
                       : cubics_[static_cast<std::size_t>(axis - axes.numbers.begin())];
    cubic.a = *coefficient++, cubic.b = *coefficient++, cubic.c = *coefficient++;
    constant_ += missing.of(difference(name, from.number(name).value_or(0), 0));
  }
  for (const std::string& name : regression.terms().words()) {
    const auto word = axes.words.find(name);
    const std::string theirs = word == axes.words.end() ? "" : word->second;
    constant_ += from.word(name).value_or("") == theirs ? *coefficient : 0;
    ++coefficient;
  }
  constant_ += *coefficient;
}

double PlaceOverlap::operator()(std::span<const float> numbers) const {
  if (numbers.size() != cubics_.size()) return 0;
  double sum = constant_;
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const double far = std::abs(numbers[n] - cubics_[n].logarithm);
    sum += cubics_[n].of(far < kMostDifferent ? far : kMostDifferent);  // also of NaN
  }
  return sum;
}

}  // namespace paraiso::tune
