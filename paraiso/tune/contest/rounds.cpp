#include "paraiso/tune/contest/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "paraiso/base/error.hpp"

namespace paraiso::tune {

namespace {

void add_round(Contestant& side, const Measurement& round) {
  if (!round.ok()) {
    side.measurement = failed(round.reason);
    return;
  }
  std::vector<double> samples = side.measurement.samples;
  samples.insert(samples.end(), round.samples.begin(), round.samples.end());
  side.measurement = measured(std::move(samples));
  side.round_means.push_back(round.score);
}

}  // namespace

void play(const MeasureGenome& time, std::vector<Contestant*> sides, int rounds) {
  const auto is_sound = [](const Contestant* side) { return side->measurement.ok(); };
  const auto wanted = static_cast<std::ptrdiff_t>(std::min<std::size_t>(sides.size(), 2));
  for (int round = 0; round < rounds; ++round, std::ranges::reverse(sides)) {
    if (std::ranges::count_if(sides, is_sound) < wanted) return;
    for (Contestant* side : sides)
      if (is_sound(side)) add_round(*side, time(side->genome));
  }
}

void require_start(const Contestant& start) {
  if (!start.measurement.ok())
    throw Error(
        fmt::format("the default schedule failed in the contest: {}", start.measurement.reason));
}

}  // namespace paraiso::tune
