// scaling_plot: a PNG of how efficient more and more ranks are.
// Gives: ScalingPlot, write_scaling_plot. Needs: canvas, plot_axis.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace paraiso::runtime {

struct ScalingPlot {
  struct Point {
    double ranks = 1;
    double value = 0, low = 0, high = 0;  // the last two: of the slowest and of the fastest step
  };
  std::string title, y_name;
  std::vector<Point> points;  // by ascending ranks, on an axis of powers of two
};

void write_scaling_plot(const std::filesystem::path& path, const ScalingPlot& plot);

}  // namespace paraiso::runtime
