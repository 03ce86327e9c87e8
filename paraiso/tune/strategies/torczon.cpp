// torczon: multi-directional search. All corners of a simplex are reflected through the best one at
// once; further if one of them is better than it, back towards it if none is. V. Torczon, SIAM
// Journal on Optimization 1 (1991) 123.
#include "paraiso/tune/strategies/parts/simplex.hpp"

#include <algorithm>

#include "paraiso/tune/strategies/all.hpp"

namespace paraiso::tune {
namespace {

using SimplexPoint = std::vector<double>;

class Torczon final : public SimplexStrategy {
 public:
  using SimplexStrategy::SimplexStrategy;

 private:
  enum class SimplexMove { reflect, expand, contract };

  std::vector<SimplexPoint> move(const std::vector<double>& scores) override {
    if (scores.empty()) return all(SimplexMove::reflect, -1);
    const bool better = std::ranges::max(scores) > corners_[0].score;
    switch (stage_) {
      case SimplexMove::reflect:
        return better ? after_progress(scores) : all(SimplexMove::contract, 0.5);
      case SimplexMove::expand: return after_expansion(scores);
      case SimplexMove::contract: take(asked_points_, scores); return all(SimplexMove::reflect, -1);
    }
    return {};
  }

  std::vector<SimplexPoint> all(SimplexMove stage, double factor) {
    stage_ = stage;
    asked_points_.clear();
    for (std::size_t c = 1; c < corners_.size(); ++c)
      asked_points_.push_back(scaled(corners_[0].point, corners_[c].point, factor));
    return asked_points_;
  }

  std::vector<SimplexPoint> after_progress(const std::vector<double>& scores) {
    reflected_ = asked_points_;
    reflected_scores_ = scores;
    return all(SimplexMove::expand, -2);
  }

  std::vector<SimplexPoint> after_expansion(const std::vector<double>& scores) {
    if (std::ranges::max(scores) > std::ranges::max(reflected_scores_))
      take(asked_points_, scores);
    else
      take(reflected_, reflected_scores_);
    return all(SimplexMove::reflect, -1);
  }

  /// The points become the other corners, next to the best one.
  void take(const std::vector<SimplexPoint>& points, const std::vector<double>& scores) {
    for (std::size_t c = 1; c < corners_.size(); ++c) corners_[c] = {points[c - 1], scores[c - 1]};
    sort_corners();
  }

  SimplexMove stage_ = SimplexMove::reflect;
  std::vector<SimplexPoint> asked_points_, reflected_;
  std::vector<double> reflected_scores_;
};

}  // namespace

std::unique_ptr<Strategy> make_torczon(const SearchContext& setting) {
  return std::make_unique<Torczon>(setting);
}

}  // namespace paraiso::tune
