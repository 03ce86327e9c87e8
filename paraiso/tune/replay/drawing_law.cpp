#include "paraiso/tune/replay/drawing_law.hpp"

#include <algorithm>
#include <cmath>

namespace paraiso::tune {

DrawingLaw::DrawingLaw(std::vector<double> scores) : scores_(std::move(scores)) {
  std::ranges::sort(scores_);
}

DrawingLaw::Moments DrawingLaw::best_of(std::size_t drawn) const {
  const auto all = static_cast<double>(scores_.size()), n = static_cast<double>(drawn);
  double mean = 0, squares = 0, chance = n / all;  // that the best of all is drawn
  for (std::size_t k = scores_.size(); k >= drawn; --k) {
    mean += chance * scores_[k - 1];
    squares += chance * scores_[k - 1] * scores_[k - 1];
    if (k > 1) chance *= (static_cast<double>(k) - n) / static_cast<double>(k - 1);
  }
  return {mean, std::sqrt(std::max(0.0, squares - mean * mean))};
}

std::size_t DrawingLaw::median_draws_to(double goal) const {
  const auto below =
      static_cast<std::size_t>(std::ranges::lower_bound(scores_, goal) - scores_.begin());
  double none = 1;  // the chance that none of the drawn ones reaches the goal
  for (std::size_t drawn = 0; drawn < below; ++drawn) {
    none *= static_cast<double>(below - drawn) / static_cast<double>(scores_.size() - drawn);
    if (none <= 0.5) return drawn + 1;
  }
  return below + 1;
}

}  // namespace paraiso::tune
