// SimplexStrategy: what the two simplex methods share. Gives: Corner, SimplexStrategy. Needs:
// batch.
//
// Genes become axes of real numbers, with alleles at whole numbers; a point is measured at the
// nearest genome. A simplex over hundreds of genes would spend the whole budget on its first
// corners, so it spans a random subspace of few dimensions through the best known genome; when it
// has shrunk to one genome, another is begun there.
#pragma once

#include "paraiso/tune/strategies/parts/batch.hpp"

namespace paraiso::tune {

struct Corner {
  std::vector<double> point;
  double score = 0;
};

class SimplexStrategy : public BatchStrategy {
 public:
  explicit SimplexStrategy(const SearchContext& setting)
      : BatchStrategy(setting), rng_(setting.seed) {}

 protected:
  /// Moves the simplex, given the scores of the last points. Returns the points to measure next;
  /// none if the simplex has come to rest.
  [[nodiscard]] virtual std::vector<std::vector<double>> move(
      const std::vector<double>& scores) = 0;

  /// `center + factor * (point - center)`.
  [[nodiscard]] static std::vector<double> scaled(const std::vector<double>& center,
                                                  const std::vector<double>& point, double factor);
  /// The best corner first.
  void sort_corners();

  std::vector<Corner> corners_;

 private:
  [[nodiscard]] std::vector<Birth> next(const std::vector<std::size_t>& answers) final;
  [[nodiscard]] std::vector<Birth> begin();
  [[nodiscard]] std::vector<double> far_corner(const std::vector<double>& origin);
  [[nodiscard]] plan::Genome rounded(const std::vector<double>& point) const;
  [[nodiscard]] bool collapsed() const;
  [[nodiscard]] Birth birth_at(const std::vector<double>& point) const;

  Rng rng_;
  std::vector<std::vector<double>> asked_;  // the points of the last batch
  bool beginning_ = false;                  // the last batch is the first corners
};

}  // namespace paraiso::tune
