// nelder-mead: the worst corner of a simplex is reflected through the others; further if that is
// good, less far if it is not; if nothing helps, the simplex shrinks towards its best corner. J. A.
// Nelder, R. Mead, The Computer Journal 7 (1965) 308.
#include "paraiso/tune/strategies/parts/simplex.hpp"

#include "paraiso/tune/strategies/all.hpp"

namespace paraiso::tune {
namespace {

using SimplexPoint = std::vector<double>;

class NelderMead final : public SimplexStrategy {
 public:
  using SimplexStrategy::SimplexStrategy;

 private:
  enum class SimplexMove { reflect, expand, contract, shrink };

  std::vector<SimplexPoint> move(const std::vector<double>& scores) override {
    if (scores.empty()) return reflect();
    switch (stage_) {
      case SimplexMove::reflect: return after_reflection(scores[0]);
      case SimplexMove::expand: return after_expansion(scores[0]);
      case SimplexMove::contract: return after_contraction(scores[0]);
      case SimplexMove::shrink: return after_shrinking(scores);
    }
    return {};
  }

  /// The mean of all corners except the worst.
  SimplexPoint center() const {
    SimplexPoint mean(corners_[0].point.size());
    for (std::size_t c = 0; c + 1 < corners_.size(); ++c)
      for (std::size_t g = 0; g < mean.size(); ++g) mean[g] += corners_[c].point[g];
    for (double& x : mean) x /= static_cast<double>(corners_.size() - 1);
    return mean;
  }

  std::vector<SimplexPoint> go(SimplexMove stage, double factor) {
    stage_ = stage;
    tried_ = scaled(center(), corners_.back().point, factor);
    return {tried_};
  }
  std::vector<SimplexPoint> reflect() { return go(SimplexMove::reflect, -1); }

  std::vector<SimplexPoint> replace_worst(SimplexPoint point, double score) {
    corners_.back() = {std::move(point), score};
    sort_corners();
    return reflect();
  }

  std::vector<SimplexPoint> after_reflection(double score) {
    reflected_ = {tried_, score};
    if (score > corners_.front().score) return go(SimplexMove::expand, -2);
    if (score > corners_[corners_.size() - 2].score) return replace_worst(tried_, score);
    return go(SimplexMove::contract, score > corners_.back().score ? -0.5 : 0.5);
  }

  std::vector<SimplexPoint> after_expansion(double score) {
    if (score > reflected_.score) return replace_worst(tried_, score);
    return replace_worst(reflected_.point, reflected_.score);
  }

  std::vector<SimplexPoint> after_contraction(double score) {
    if (score > std::max(reflected_.score, corners_.back().score))
      return replace_worst(tried_, score);
    stage_ = SimplexMove::shrink;
    std::vector<SimplexPoint> points;
    for (std::size_t c = 1; c < corners_.size(); ++c)
      points.push_back(scaled(corners_[0].point, corners_[c].point, 0.5));
    shrunk_ = points;
    return points;
  }

  std::vector<SimplexPoint> after_shrinking(const std::vector<double>& scores) {
    for (std::size_t c = 1; c < corners_.size(); ++c) corners_[c] = {shrunk_[c - 1], scores[c - 1]};
    sort_corners();
    return reflect();
  }

  SimplexMove stage_ = SimplexMove::reflect;
  SimplexPoint tried_;
  Corner reflected_;
  std::vector<SimplexPoint> shrunk_;
};

}  // namespace

std::unique_ptr<Strategy> make_nelder_mead(const SearchContext& setting) {
  return std::make_unique<NelderMead>(setting);
}

}  // namespace paraiso::tune
