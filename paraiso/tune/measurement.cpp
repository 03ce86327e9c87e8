#include "paraiso/tune/measurement.hpp"

#include <cmath>
#include <numeric>

namespace paraiso::tune {

Measurement measured(std::vector<double> samples) {
  Measurement result;
  const auto count = static_cast<double>(samples.size());
  result.score = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
  double squares = 0;
  for (const double sample : samples) squares += std::pow(sample - result.score, 2);
  if (samples.size() > 1) result.deviation = std::sqrt(squares / (count - 1));
  result.samples = std::move(samples);
  return result;
}

Measurement failed(std::string reason) {
  Measurement result;
  result.reason = std::move(reason);
  return result;
}

}  // namespace paraiso::tune
