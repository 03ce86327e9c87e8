// Chart: curves and points in one frame, drawn by gnuplot.
// Gives: Chart, gnuplot_script, svg, html. Needs: run_program, gnuplot at run time.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace paraiso::tune {

struct Chart {
  enum class Style {
    dots,      // small points: x, y
    points,    // marked ones: x, y
    crosses,   // x, y
    lines,     // x, y; a curve
    segments,  // x, y; a line from each row with an even place to the next
    bands,     // the same, as broad stripes
    steps,     // x, y; a curve that stays until the next x
    errors     // x, y, deviation
  };
  struct Series {
    std::string name;  // empty: not in the key
    Style style = Style::lines;
    std::vector<std::array<double, 3>> rows;
    std::string colour = "#1f77b4";  // #rrggbb
  };
  std::string title, x_label, y_label;
  bool logarithmic_x = false, logarithmic_y = false;
  std::optional<std::array<double, 2>> x_range = {}, y_range = {};
  std::vector<Series> series;
};

/// The input of gnuplot. Texts can't escape from their quotes.
[[nodiscard]] std::string gnuplot_script(const Chart& chart);
/// Throws Error if there is no gnuplot (with its package), or with its message if it fails.
[[nodiscard]] std::string svg(const Chart& chart);
/// The picture inside the page: a figure without any other file.
[[nodiscard]] std::string html(const Chart& chart);

}  // namespace paraiso::tune
