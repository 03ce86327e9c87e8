#include "paraiso/runtime/plot/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace paraiso::runtime {
namespace {

double tick_distance(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

}  // namespace

std::vector<double> ticks(PlotRange range, int count) {
  std::vector<double> found;
  const double distance = tick_distance(range.width() / count);
  if (!(distance > 0) || !std::isfinite(distance)) return found;
  const double slack = 1e-9 * range.width();
  const double first = std::ceil((range.lower - slack) / distance);
  for (double k = first; k * distance <= range.upper + slack && found.size() < 50; ++k)
    found.push_back(k == 0 ? 0.0 : k * distance);
  return found;
}

std::string number_text(double x, PlotRange range) {
  const double largest = std::max(std::abs(range.lower), std::abs(range.upper));
  const double ratio = range.width() > 0 ? largest / range.width() : 1;
  const int digits = std::clamp(static_cast<int>(std::ceil(std::log10(ratio))) + 3, 3, 15);
  if (std::abs(x) < 1e-12 * largest) x = 0;
  return fmt::format("{:.{}g}", x, digits);
}

}  // namespace paraiso::runtime
