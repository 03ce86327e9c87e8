#include "paraiso/tune/report/html/chart.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <cmath>

#include "paraiso/base/error.hpp"
#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/runtime/system/temporary_folder.hpp"
#include "paraiso/tune/report/html/html.hpp"

namespace paraiso::tune {

namespace {

constexpr double kSeconds = 120;

/// Within single quotes gnuplot takes everything literally except the quote itself.
std::string quoted(const std::string& text) {
  std::string safe = "'";
  for (const char c : text)
    if (c == '\'')
      safe += "''";
    else if (static_cast<unsigned char>(c) >= ' ')
      safe += c;
  return safe + "'";
}

const char* drawing(Chart::Style style) {
  switch (style) {
    case Chart::Style::dots: return "using 1:2 with points pointtype 7 pointsize 0.25";
    case Chart::Style::points: return "using 1:2 with points pointtype 7 pointsize 1.2";
    case Chart::Style::crosses: return "using 1:2 with points pointtype 2 pointsize 0.7";
    case Chart::Style::lines: return "using 1:2 with lines linewidth 1.5";
    case Chart::Style::segments: return "using 1:2 with lines linewidth 0.8";
    case Chart::Style::bands: return "using 1:2 with lines linewidth 10";
    case Chart::Style::steps: return "using 1:2 with steps linewidth 1.5";
    case Chart::Style::errors:
      return "using 1:2:3 with yerrorbars pointtype 7 pointsize 0.35 linewidth 0.8";
  }
  return "";
}

std::string data_block(const Chart::Series& series, std::size_t number) {
  std::string text = fmt::format("$data{} << end_of_data\n", number);
  const bool in_pairs =
      series.style == Chart::Style::segments || series.style == Chart::Style::bands;
  for (std::size_t row = 0; row < series.rows.size(); ++row) {
    const auto& [x, y, deviation] = series.rows[row];
    text += fmt::format("{} {} {}\n", x, y, deviation);
    if (in_pairs && row % 2 == 1) text += "\n";
  }
  return text + "end_of_data\n";
}

std::string range(const char* axis, const std::optional<std::array<double, 2>>& limits) {
  if (!limits) return "";
  return fmt::format("set {}range [{}:{}]\n", axis, (*limits)[0], (*limits)[1]);
}

std::string base64(const std::string& bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

}  // namespace

std::string gnuplot_script(const Chart& chart) {
  std::string text =
      "set terminal svg size 860,420 dynamic noenhanced background '#ffffff' "
      "font 'DejaVu Sans,12'\n"
      "set border linecolor '#444444'\nset grid linecolor '#dddddd'\n";
  text += "set key tmargin center horizontal\n";  // inside it would hide something
  for (const auto& [axis, logarithmic] :
       {std::pair('x', chart.logarithmic_x), std::pair('y', chart.logarithmic_y)})
    if (logarithmic) text += fmt::format("set logscale {0}\nset format {0} '%g'\n", axis);
  text += fmt::format("set title {}\nset xlabel {}\nset ylabel {}\n", quoted(chart.title),
                      quoted(chart.x_label), quoted(chart.y_label));
  text += range("x", chart.x_range) + range("y", chart.y_range);
  std::string plots;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const Chart::Series& series = chart.series[s];
    if (series.rows.empty()) continue;
    text += data_block(series, s);
    plots += fmt::format("{}$data{} {} linecolor rgb {} {}", plots.empty() ? "plot " : ", \\\n  ",
                         s, drawing(series.style), quoted(series.colour),
                         series.name.empty() ? "notitle" : "title " + quoted(series.name));
  }
  return text + plots + "\n";
}

std::string svg(const Chart& chart) {
  const auto program = runtime::find_program("gnuplot");
  if (!program)
    throw Error("no `gnuplot` on PATH: it draws the charts of a report")
        .with_hint("`apt-get install gnuplot-nox` has it");
  const runtime::TemporaryFolder folder;
  const auto script = folder.path() / "chart.gnuplot", picture = folder.path() / "chart.svg";
  runtime::write_file(
      script, fmt::format("set output {}\n", quoted(picture.string())) + gnuplot_script(chart));
  const auto result =
      runtime::run_program({program->string(), script.string()}, folder.path(), kSeconds);
  if (result.status != 0)
    throw Error(fmt::format("gnuplot failed on the chart `{}`:\n{}", chart.title, result.output));
  return runtime::read_file(picture);
}

std::string html(const Chart& chart) {
  return fmt::format("<figure><img alt=\"{}\" src=\"data:image/svg+xml;base64,{}\"></figure>\n",
                     escaped(chart.title), base64(svg(chart)));
}

}  // namespace paraiso::tune
