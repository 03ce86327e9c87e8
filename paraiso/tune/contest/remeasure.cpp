#include "paraiso/tune/contest/remeasure.hpp"

namespace paraiso::tune {

namespace {

Measurement relative(const Contestant& side, const Contestant& start, double start_score) {
  if (!side.measurement.ok()) return side.measurement;
  std::vector<double> samples;
  for (std::size_t round = 0; round < side.round_means.size(); ++round)
    samples.push_back(start_score * side.round_means[round] / start.round_means[round]);
  Measurement measurement = measured(samples);
  measurement.score = upper_median(std::move(samples));
  return measurement;
}

}  // namespace

std::vector<Measurement> measure_beside(const MeasureGenome& time, const plan::Genome& start,
                                        const std::vector<plan::Genome>& genomes,
                                        std::optional<double> start_score, int rounds) {
  Contestant first{start};
  std::vector<Contestant> others;
  for (const plan::Genome& genome : genomes) others.push_back({genome});
  std::vector<Contestant*> sides{&first};
  for (Contestant& side : others) sides.push_back(&side);
  play(time, std::move(sides), rounds);
  require_start(first);
  const double known = start_score.value_or(first.measurement.score);
  std::vector<Measurement> measurements;
  for (const Contestant& side : others) measurements.push_back(relative(side, first, known));
  return measurements;
}

}  // namespace paraiso::tune
