#include "paraiso/tune/rivals/regression.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace

Regression::Regression(const std::vector<Pair>& pairs, Terms kind, double ridge) : terms_(kind) {
  std::set<std::string> numbers, words;
  for (const Pair& pair : pairs) {
    for (const auto& [name, value] : pair.one->numbers) numbers.insert(name);
    for (const auto& [name, value] : pair.one->words) words.insert(name);
  }
  numbers_.assign(numbers.begin(), numbers.end());
  words_.assign(words.begin(), words.end());
  const std::size_t count = 3 * numbers_.size() + words_.size() + 1;
  scale_.assign(count, 1);
  std::vector<Doubles> rows;
  for (const Pair& pair : pairs) rows.push_back(terms(*pair.one, *pair.other));
  for (std::size_t t = 0; t < count; ++t) {
    double most = 0;
    for (const Doubles& row : rows) most = std::max(most, std::abs(row[t]));
    if (most > 0) scale_[t] = 1 / most;
  }
  for (Doubles& row : rows)
    for (std::size_t t = 0; t < count; ++t) row[t] *= scale_[t];
  std::vector<Doubles> normal(count, Doubles(count, 0));
  Doubles right(count, 0);
  for (std::size_t p = 0; p < rows.size(); ++p)
    for (std::size_t i = 0; i < count; ++i) {
      right[i] += rows[p][i] * pairs[p].overlap;
      if (rows[p][i] != 0)
        for (std::size_t j = 0; j <= i; ++j) normal[i][j] += rows[p][i] * rows[p][j];
    }
  for (std::size_t i = 0; i + 1 < count; ++i) normal[i][i] += ridge;
  normal[count - 1][count - 1] += 1e-9;  // the constant is free
  coefficients_ = solve(std::move(normal), std::move(right));
}

double Regression::operator()(const Features& one, const Features& other) const {
  const Doubles row = terms(one, other);
  double sum = 0;
  for (std::size_t t = 0; t < row.size(); ++t) sum += coefficients_[t] * scale_[t] * row[t];
  return sum;
}

std::vector<double> Regression::terms(const Features& one, const Features& other) const {
  Doubles row;
  for (const std::string& name : numbers_) {
    const double mine = one.number(name).value_or(0), theirs = other.number(name).value_or(0);
    const double x = terms_ == Terms::signed_plain ? mine - theirs : difference(name, mine, theirs);
    row.insert(row.end(), {x, x * x, x * x * x});
  }
  for (const std::string& name : words_) row.push_back(one.word(name) == other.word(name) ? 1 : 0);
  row.push_back(1);
  return row;
}

}  // namespace paraiso::tune
