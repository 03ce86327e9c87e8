// good_enough: when a search may stop. Gives: good_enough. Needs: history.
#pragma once

#include "paraiso/tune/database/history.hpp"

namespace paraiso::tune {

/// Whether the best known is at least `times` as fast as `start`, which must be known and not have
/// failed; it may be the best itself.
[[nodiscard]] inline bool good_enough(const History& history, const plan::Genome& start,
                                      double times) {
  const auto known = history.find(start);
  const auto best = history.best();
  return known && history.ok(*known) && best &&
         history.score(*best) >= times * history.score(*known);
}

}  // namespace paraiso::tune
