#include "paraiso/tune/database/measurement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace paraiso::tune {
namespace {

// Fewer samples are not enough to give an individual up.
constexpr std::size_t kFewestSamples = 5;
// Unless it takes this many times as long as the best: that is no bad luck.
constexpr double kHopeless = 3;

}  // namespace

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

double upper_median(std::vector<double> scores) {
  const auto middle = scores.begin() + static_cast<std::ptrdiff_t>(scores.size() / 2);
  std::ranges::nth_element(scores, middle);
  return *middle;
}

bool cannot_win(const std::vector<double>& samples, double best) {
  if (samples.empty()) return false;
  const Measurement so_far = measured(samples);
  if (samples.size() < kFewestSamples) return kHopeless * so_far.score < best;
  const double doubt = 4 * so_far.deviation / std::sqrt(static_cast<double>(samples.size()));
  return so_far.score + doubt < best;
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
    if (quoted || c == '`' || (c == ' ' && text.ends_with(' '))) continue;
    const bool digit = c >= '0' && c <= '9';
    if (digit && !numbered) text += 'N';
    if (!digit && !(numbered && c == '.')) text += c;
    numbered = digit || (numbered && c == '.');
  }
  const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "other" : text.substr(first, last - first + 1);
}

}  // namespace paraiso::tune
