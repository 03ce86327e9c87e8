// The parts of a report's page: text, tables, charts.
#include "paraiso/tune/report/html/html.hpp"

#include <gtest/gtest.h>

#include "paraiso/tune/report/html/chart.hpp"
#include "paraiso/tune/report/html/page.hpp"
#include "tests/runtime/support.hpp"

namespace paraiso::tune {
namespace {

using test::Environment;
using test::error_text;
using test::Folder;

TEST(Html, TextCannotBecomeMarkup) {
  EXPECT_EQ(escaped("<b class=\"x\">a & 'b'</b>"),
            "&lt;b class=&quot;x&quot;&gt;a &amp; &#39;b&#39;&lt;/b&gt;");
}

TEST(Html, ATableAlignsColumnsOfNumbers) {
  EXPECT_EQ(html(HtmlTable{"a < b", {"gene", "worth"}, {{"x<y", "1.5"}, {"z", "-"}}}),
            "<div class=\"wide\"><table>\n<caption>a &lt; b</caption>\n"
            "<tr><th>gene</th><th class=\"number\">worth</th></tr>\n"
            "<tr><td>x&lt;y</td><td class=\"number\">1.5</td></tr>\n"
            "<tr><td>z</td><td class=\"number\">-</td></tr>\n</table></div>\n");
}

Chart small_chart() {
  Chart chart;
  chart.title = "it's a `title`";
  chart.x_label = "x", chart.y_label = "y";
  chart.y_range = {0, 3};
  chart.series = {{"line", Chart::Style::lines, {{1, 2, 0}, {2, 2.5, 0}}, "#112233"},
                  {"", Chart::Style::segments, {{1, 1, 0}, {2, 2, 0}, {1, 2, 0}, {2, 1, 0}}},
                  {"nothing", Chart::Style::dots, {}}};
  return chart;
}

TEST(Chart, GnuplotIsToldSo) {
  EXPECT_EQ(gnuplot_script(small_chart()),
            "set terminal svg size 860,420 dynamic noenhanced background '#ffffff' "
            "font 'DejaVu Sans,12'\n"
            "set border linecolor '#444444'\nset grid linecolor '#dddddd'\n"
            "set key tmargin center horizontal\n"
            "set title 'it''s a `title`'\nset xlabel 'x'\nset ylabel 'y'\n"
            "set yrange [0:3]\n"
            "$data0 << end_of_data\n1 2 0\n2 2.5 0\nend_of_data\n"
            "$data1 << end_of_data\n1 1 0\n2 2 0\n\n1 2 0\n2 1 0\n\nend_of_data\n"
            "plot $data0 using 1:2 with lines linewidth 1.5 linecolor rgb '#112233' title 'line', "
            "\\\n  $data1 using 1:2 with lines linewidth 0.8 linecolor rgb '#1f77b4' notitle\n");
}

TEST(Chart, IsAPicture) {
  const std::string picture = svg(small_chart());
  EXPECT_NE(picture.find("<svg"), std::string::npos);
  EXPECT_NE(picture.find("it's a `title`"), std::string::npos) << picture;
}

TEST(Chart, SaysWhatToInstall) {
  const Folder empty;
  const Environment path("PATH", empty.path().string());
  EXPECT_EQ(error_text([] { (void)svg(small_chart()); }),
            "error: no `gnuplot` on PATH: it draws the charts of a report\n"
            "hint: `apt-get install gnuplot-nox` has it");
}

TEST(Chart, TellsGnuplotsComplaint) {
  Chart chart = small_chart();
  chart.series.clear();
  chart.y_range = {1, 1};
  chart.series = {{"a", Chart::Style::lines, {{1, 2, 0}}, "no colour"}};
  const std::string text = error_text([&] { (void)svg(chart); });
  EXPECT_TRUE(text.starts_with("error: gnuplot failed on the chart `it's a `title``:\n")) << text;
  EXPECT_NE(text.find("unrecognized color name"), std::string::npos) << text;
}

TEST(Page, LoadsNothing) {
  const std::string text = page("a<b", "c&d", {{"First", "<p>x</p>"}, {"Second", ""}});
  EXPECT_NE(text.find("<title>a&lt;b</title>"), std::string::npos);
  EXPECT_NE(text.find("default-src 'none'; img-src data:"), std::string::npos);
  EXPECT_NE(text.find("<h2 id=\"s2\">Second</h2>"), std::string::npos);
}

}  // namespace
}  // namespace paraiso::tune
