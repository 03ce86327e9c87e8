// Guard based: exhaustive over what can differ in a comparison.
#include <fmt/format.h>

#include <limits>

#include "paraiso/base/error.hpp"
#include "paraiso/tune/thresholds/each_configuration.hpp"
#include "paraiso/tune/thresholds/tuners.hpp"

namespace paraiso::tune {

double comparison_count(const Runs& runs) {
  double product = 1;
  for (std::size_t c = 0; c < runs.guards().size(); ++c)
    product *= static_cast<double>(choices_of(runs.data(), c).size());
  return product;
}

Found by_comparison(Runs& runs) {
  Found best;
  each_configuration(runs, [&](const Configuration& configuration) {
    ++best.tries;
    best.offer(configuration, runs.total(configuration));
  });
  return best;
}

}  // namespace paraiso::tune
