#include "paraiso/tune/scoreboard/public_score.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "paraiso/base/error.hpp"
#include "paraiso/base/median.hpp"

namespace paraiso::tune {

namespace {

constexpr double kFirstPart = 0.5, kLastPart = 0.95;

}  // namespace

PublicScore::PublicScore(const std::vector<double>& scores) {
  for (const double score : scores)
    if (score > 0) times_.push_back(1 / score);
  std::ranges::sort(times_, std::greater{});
  if (times_.size() < 3) throw Error("fewer than three individuals succeeded");
  first_ = budget_to(kFirstPart);
  last_ = budget_to(kLastPart);
  if (last_ >= first_ + 2) return;
  last_ += first_ == 0 ? 2 : 1;  // the package's margin
  if (first_ > 0) --first_;
}

/// The fewest evaluations after which random drawing has gone this part of the way.
std::size_t PublicScore::budget_to(double part) const {
  const std::size_t count = times_.size();
  const double best = times_.back();
  const double goal = best + (median(times_) - best) * (1 - part);
  std::size_t rank = 0;
  while (times_[rank] > goal) ++rank;
  // If only the best is good enough, the one before it has to do.
  if (times_[rank] == best && rank-- == 0)
    throw Error("the individuals are too alike to tell searches apart");
  const double from_end = static_cast<double>(count + 1 - rank);
  return static_cast<std::size_t>(std::ceil(static_cast<double>(rank) / from_end));
}

double PublicScore::random(std::size_t evaluations) const {
  const auto x = static_cast<double>(evaluations), count = static_cast<double>(times_.size());
  // Halves are rounded to even numbers, as in Python.
  const auto rank = static_cast<std::size_t>(std::nearbyint(x * (count + 1) / (x + 1)));
  return times_[std::min(rank, times_.size() - 1)];
}

double PublicScore::operator()(const std::vector<double>& curve) const {
  double sum = 0;
  for (std::size_t x = first_; x <= last_; ++x) {
    const std::size_t known = std::min(x, curve.size());
    const double score = known == 0 ? 0 : curve[known - 1];
    const double time = score > 0 ? 1 / score : times_.front();
    // Where random drawing knows the best already, nothing can be gained.
    const double to_go = random(x) - times_.back();
    sum += to_go > 0 ? (random(x) - time) / to_go : time <= times_.back() ? 1 : 0;
  }
  return sum / static_cast<double>(last_ - first_ + 1);
}

}  // namespace paraiso::tune
