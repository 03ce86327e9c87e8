// Branch based: exhaustive over what differs in a path that some data set takes.
#include <limits>
#include <set>

#include "paraiso/tune/thresholds/each_configuration.hpp"
#include "paraiso/tune/thresholds/tuners.hpp"

namespace paraiso::tune {

std::vector<Configuration> distinct_configurations(const Runs& runs) {
  std::vector<Configuration> distinct;
  std::set<std::vector<Path>> seen;
  each_configuration(runs, [&](const Configuration& configuration) {
    if (seen.insert(runs.paths(configuration)).second) distinct.push_back(configuration);
  });
  return distinct;
}

Found by_branch(Runs& runs) {
  Found best;
  for (const Configuration& configuration : distinct_configurations(runs)) {
    if (runs.stops(runs.paths(configuration))) {
      ++best.eliminated;
      continue;
    }
    ++best.tries;
    best.offer(configuration, runs.total(configuration));
  }
  return best;
}

}  // namespace paraiso::tune
