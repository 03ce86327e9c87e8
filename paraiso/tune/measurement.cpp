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

std::string reason_class(const std::string& reason) {
  std::string text;
  bool quoted = false, numbered = false;
  for (const char c : reason) {
    if (c == '`') quoted = !quoted;
    if (!quoted && (c == ':' || c == '\n')) break;
    if (quoted || c == '`') continue;
    const bool digit = c >= '0' && c <= '9';
    if (digit && !numbered) text += 'N';
    if (!digit && !(numbered && c == '.')) text += c;
    numbered = digit || (numbered && c == '.');
  }
  const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "other" : text.substr(first, last - first + 1);
}

}  // namespace paraiso::tune
