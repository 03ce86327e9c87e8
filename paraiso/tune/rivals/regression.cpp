#include "paraiso/tune/rivals/regression.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "paraiso/tune/predict/likeness.hpp"

namespace paraiso::tune {

namespace {

using Doubles = std::vector<double>;

/// Solves the positive definite `matrix` x = `right` by Cholesky's decomposition, in place.
Doubles solve(std::vector<Doubles> matrix, Doubles right) {
  const std::size_t n = right.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i][k] * matrix[j][k];
      matrix[i][j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / matrix[j][j];
    }
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i][k] * right[k];
    right[i] /= matrix[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) right[i] -= matrix[k][i] * right[k];
    right[i] /= matrix[i][i];
  }
  return right;
}

/// Each once.
std::vector<const Features*> instances_of(const std::vector<PairEquations::Pair>& pairs) {
  std::vector<const Features*> instances;
  std::set<const Features*> seen;
  for (const auto& pair : pairs)
    for (const Features* one : {pair.one, pair.other})
      if (seen.insert(one).second) instances.push_back(one);
  return instances;
}

}  // namespace

FeatureTerms::FeatureTerms(const std::vector<const Features*>& instances, Terms kind)
    : kind_(kind) {
  const auto add = [](std::vector<std::string>& names, const auto& features) {
    for (const auto& [name, value] : features)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const Features* one : instances) {
    add(numbers_, one->numbers);
    add(words_, one->words);
  }
}

FeatureTerms::Row FeatureTerms::row(const Features& features) const {
  Row row;
  std::size_t next = 0;  // instances name their features in one order, as a rule
  for (const std::string& name : numbers_) {
    const bool here = next < features.numbers.size() && features.numbers[next].first == name;
    row.numbers.push_back(here ? features.numbers[next].second : features.number(name).value_or(0));
    next += here;
  }
  for (const std::string& name : words_) row.words.push_back(features.word(name).value_or(""));
  return row;
}

Doubles FeatureTerms::operator()(const Row& one, const Row& other) const {
  Doubles terms;
  terms.reserve(count());
  for (std::size_t n = 0; n < numbers_.size(); ++n) {
    const double mine = one.numbers[n], theirs = other.numbers[n];
    const double x = kind_ == Terms::signed_plain ? mine - theirs
                     : mine == theirs             ? 0
                                                  : difference(numbers_[n], mine, theirs);
    terms.insert(terms.end(), {x, x * x, x * x * x});
  }
  for (std::size_t w = 0; w < words_.size(); ++w)
    terms.push_back(one.words[w] == other.words[w] ? 1 : 0);
  terms.push_back(1);
  return terms;
}

double Regression::operator()(const Features& one, const Features& other) const {
  const Doubles terms = terms_(terms_.row(one), terms_.row(other));
  double sum = 0;
  for (std::size_t t = 0; t < terms.size(); ++t) sum += coefficients_[t] * terms[t];
  return sum;
}

PairEquations::PairEquations(const std::vector<Pair>& pairs, Terms kind)
    : terms_(instances_of(pairs), kind) {
  std::map<const Features*, FeatureTerms::Row> known;
  for (const Features* instance : instances_of(pairs))
    known.emplace(instance, terms_.row(*instance));
  std::vector<Doubles> all;
  Doubles most(terms_.count(), 0);
  most.back() = 1;  // also without any pair
  for (const Pair& pair : pairs) {
    all.push_back(terms_(known.at(pair.one), known.at(pair.other)));
    for (std::size_t t = 0; t < most.size(); ++t)
      most[t] = std::max(most[t], std::abs(all.back()[t]));
  }
  for (std::size_t t = 0; t < most.size(); ++t)
    if (most[t] > 0) used_.push_back(t), scale_.push_back(1 / most[t]);
  for (const Doubles& terms : all) {
    Doubles& row = rows_.emplace_back();
    for (std::size_t u = 0; u < used_.size(); ++u) row.push_back(terms[used_[u]] * scale_[u]);
  }
  normal_.assign(used_.size(), Doubles(used_.size(), 0));
  constexpr std::size_t kRowsInCache = 8;
  for (std::size_t first = 0; first < rows_.size(); first += kRowsInCache)
    for (std::size_t i = 0; i < used_.size(); ++i)
      for (std::size_t r = first; r < std::min(first + kRowsInCache, rows_.size()); ++r)
        if (rows_[r][i] != 0)
          for (std::size_t j = 0; j <= i; ++j) normal_[i][j] += rows_[r][i] * rows_[r][j];
}

Regression PairEquations::fit(const std::vector<double>& overlaps, double ridge) const {
  const std::size_t count = used_.size();
  std::vector<Doubles> matrix = normal_;
  Doubles right(count, 0);
  for (std::size_t p = 0; p < rows_.size(); ++p)
    for (std::size_t i = 0; i < count; ++i) right[i] += rows_[p][i] * overlaps[p];
  for (std::size_t i = 0; i + 1 < count; ++i) matrix[i][i] += ridge;
  matrix[count - 1][count - 1] += 1e-9;  // the constant is free
  const Doubles solution = solve(std::move(matrix), std::move(right));
  Doubles coefficients(terms_.count(), 0);
  for (std::size_t u = 0; u < count; ++u) coefficients[used_[u]] = solution[u] * scale_[u];
  return {terms_, std::move(coefficients)};
}

}  // namespace paraiso::tune
