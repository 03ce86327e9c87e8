// good_enough: when a search may stop. Gives: start_speed, good_enough. Needs: history, rating.
#pragma once

#include "paraiso/tune/contest/rating.hpp"
#include "paraiso/tune/database/history.hpp"

namespace paraiso::tune {

/// The median of the start's score and of the times that it was timed since, since one timing may
/// be of a slow minute; none if it is unknown or has failed.
[[nodiscard]] inline std::optional<double> start_speed(const History& history,
                                                       const plan::Genome& start,
                                                       std::vector<ReferenceTiming> since) {
  const auto known = history.find(start);
  if (!known || !history.ok(*known)) return std::nullopt;
  since.push_back({history.score(*known), history.deviation(*known), 0});
  return median_score(since);
}

/// Whether the best known is at least `times` as fast as the start, which may be the best itself.
[[nodiscard]] inline bool good_enough(const History& history, std::optional<double> start,
                                      double times) {
  const auto best = history.best();
  return start && best && history.score(*best) >= times * *start;
}

}  // namespace paraiso::tune
