#include "paraiso/runtime/plot/scaling_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "paraiso/runtime/plot/canvas.hpp"
#include "paraiso/runtime/plot/plot_axis.hpp"
#include "paraiso/runtime/system/file.hpp"

namespace paraiso::runtime {
namespace {

class Drawing {
 public:
  explicit Drawing(const ScalingPlot& plot)
      : plot_(plot), canvas_(kLeft + kWidth + kRight, kTop + kHeight + kBottom, kPaper) {
    for (const ScalingPlot::Point& point : plot.points)
      y_.upper = std::max({y_.upper, 1.05 * point.high, 1.05 * point.value});
    x_.upper = std::max(1.0, std::log2(plot.points.back().ranks));
  }

  std::string png() {
    axes();
    band();
    std::vector<Point> curve;
    for (const ScalingPlot::Point& point : plot_.points)
      curve.push_back({x(point.ranks), y(point.value)});
    canvas_.curve(curve, 2, viridis(0.3));
    canvas_.frame(kLeft, kTop, kWidth, kHeight, kInk);
    canvas_.text(kLeft, 36, plot_.title, kTitle, kInk);
    return canvas_.png({{"Title", plot_.title}});
  }

 private:
  [[nodiscard]] double x(double ranks) const {
    return kLeft + x_.fraction(std::log2(ranks)) * (kWidth - 1);
  }
  [[nodiscard]] double y(double value) const {
    return kTop + (1 - y_.fraction(value)) * (kHeight - 1);
  }

  void axes() {
    for (const double mark : ticks(y_, 5)) {
      const int at = static_cast<int>(std::lround(y(mark)));
      canvas_.fill(kLeft, at, kWidth, 1, kGrid);
      canvas_.text(kLeft - 10, at + 5, number_text(mark, y_), kText, kInk, Anchor::right);
    }
    const auto powers = static_cast<int>(x_.upper);
    const int step = (powers + kMostMarks) / kMostMarks;
    for (int power = 0; power <= powers; power += step) {
      const int at = static_cast<int>(std::lround(x(std::exp2(power))));
      canvas_.fill(at, kTop + kHeight + 1, 1, kMark, kInk);
      canvas_.text(at, kTop + kHeight + kMark + 16, fmt::format("{}", 1LL << power), kText, kInk,
                   Anchor::middle);
    }
    canvas_.text(kLeft + kWidth / 2, kTop + kHeight + 42, "ranks", kText, kFaint, Anchor::middle);
    canvas_.text(kLeft, kTop - 8, plot_.y_name, kText, kFaint);
  }

  /// Between the slowest and the fastest step, column by column.
  void band() {
    for (std::size_t i = 1; i < plot_.points.size(); ++i) {
      const auto &left = plot_.points[i - 1], &right = plot_.points[i];
      const double from = x(left.ranks), to = x(right.ranks);
      for (int column = static_cast<int>(from); column <= static_cast<int>(to); ++column) {
        const double t = std::clamp((column - from) / std::max(1.0, to - from), 0.0, 1.0);
        const int top = static_cast<int>(y(left.high + t * (right.high - left.high)));
        const int bottom = static_cast<int>(y(left.low + t * (right.low - left.low)));
        canvas_.fill(column, top, 1, std::max(1, bottom - top), kBand);
      }
    }
  }

  static constexpr Colour kPaper{255, 255, 255}, kInk{38, 38, 48}, kFaint{112, 112, 124},
      kGrid{232, 232, 237}, kBand{214, 222, 236};
  static constexpr int kTitle = 22, kText = 14, kLeft = 86, kTop = 62, kWidth = 800, kHeight = 400,
                       kRight = 40, kBottom = 54, kMark = 5, kMostMarks = 8;

  const ScalingPlot& plot_;
  Canvas canvas_;
  PlotRange x_{0, 1}, y_{0, 1.05};
};

}  // namespace

void write_scaling_plot(const std::filesystem::path& path, const ScalingPlot& plot) {
  write_file(path, Drawing(plot).png());
}

}  // namespace paraiso::runtime
