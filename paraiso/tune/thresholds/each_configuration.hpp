// each_configuration: all configurations that differ in some comparison.
// Gives: each_configuration. Needs: tuners.
#pragma once

#include <fmt/format.h>

#include "paraiso/base/error.hpp"
#include "paraiso/tune/thresholds/tuners.hpp"

namespace paraiso::tune {

/// Calls visit(configuration), the last threshold fastest. Throws Error for more than ten million.
template <class Visit>
void each_configuration(const Runs& runs, Visit&& visit) {
  constexpr double kMost = 1e7;
  if (comparison_count(runs) > kMost)
    throw Error(fmt::format("{:.3g} configurations of thresholds are too many to try all",
                            comparison_count(runs)));
  std::vector<std::vector<std::int64_t>> choices;
  Configuration configuration;
  for (std::size_t c = 0; c < runs.guards().size(); ++c) {
    choices.push_back(choices_of(runs.data(), c));
    configuration.push_back(choices.back().front());
  }
  std::vector<std::size_t> number(choices.size(), 0);
  for (;;) {
    visit(configuration);
    std::size_t c = choices.size();
    while (c > 0 && ++number[c - 1] == choices[c - 1].size()) {
      --c;
      number[c] = 0;
      configuration[c] = choices[c][0];
    }
    if (c == 0) return;
    configuration[c - 1] = choices[c - 1][number[c - 1]];
  }
}

}  // namespace paraiso::tune
