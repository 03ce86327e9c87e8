#include "paraiso/tune/report/report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "paraiso/runtime/file.hpp"
#include "paraiso/runtime/process.hpp"
#include "paraiso/tune/parts.hpp"
#include "paraiso/tune/rating.hpp"
#include "paraiso/tune/report/chart.hpp"
#include "paraiso/tune/report/html.hpp"
#include "paraiso/tune/report/page.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/landscape.hpp"

namespace paraiso::tune {
namespace {

using test::Environment;
using test::error_text;
using test::Folder;
using test::Landscape;

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

TEST(ReasonClass, LeavesOutWhatDiffers) {
  EXPECT_EQ(reason_class("it took more than 0.5 seconds"), "it took more than N seconds");
  EXPECT_EQ(reason_class("it was ended by signal 11 (Segmentation fault)"),
            "it was ended by signal N (Segmentation fault)");
  EXPECT_EQ(reason_class("`velocity.x` is NaN"), "is NaN");
  EXPECT_EQ(reason_class("wrong answer: `a` at 3"), "wrong answer");
  EXPECT_EQ(reason_class("`x`"), "other");
}

/// A tuning of a landscape with all that a report can tell of.
class Tuned {
 public:
  Tuned(const Folder& folder, const std::string& name, std::uint64_t seed, std::size_t budget)
      : landscape_(7, {.genes = 24, .failing = 0.1}), database_(folder / name) {
    Problem problem{"<script>alert(1)</script>",
                    "c0ffee",
                    "fma",
                    "f64",
                    "openmp",
                    "g++ 12",
                    2,
                    "512x512",
                    "desk",
                    "a cpu & caches",
                    landscape_.space().genes};
    problem.genes[0].name = "k/tile_x";
    problem.genes[1].name = "k/grouping";
    problem_ = database_.add(problem);
    search(seed, budget);
  }

  void hold_contest() {
    const auto best = *best_rated(database_, problem_);
    const plan::Genome start = landscape_.space().starts.front();
    const Measurement first = measure(start);
    Contest contest;
    contest.best = {best.genome, best.measurement.score, best.measurement.deviation,
                    "machine <b>in words</b>\n  group 1"};
    contest.start = {plan::letters_of(landscape_.space().genes, start), first.score,
                     first.deviation, "machine by default"};
    contest.won = true, contest.operations = 300, contest.bytes = 64;
    database_.record(problem_, contest);
    const auto champion = plan::genome_from(landscape_.space().genes, best.genome);
    for (const Crossing& crossing : crossings(database_.problems()[0].second.genes, start, champion,
                                              landscape_.space().canonical))
      database_.record(problem_, contest, Part{crossing.name, measure(crossing.genome)});
  }

  ReportRun run(const std::string& name) { return read_run(database_, problem_, name); }

 private:
  /// In cells per second that a real machine could have.
  Measurement measure(const plan::Genome& genome) const {
    Measurement measurement = landscape_.measure(genome);
    for (double& sample : measurement.samples) sample *= 40;
    return measurement.ok() ? measured(measurement.samples) : measurement;
  }

  void search(std::uint64_t seed, std::size_t budget) {
    Search search(landscape_.space(), "anneal", seed);
    const auto session =
        database_.add(Session{"anneal", seed, "paraiso tune <x>", "0.1.0", 1e9, ""});
    std::vector<std::int64_t> ids;
    std::vector<Individual> born;
    for (std::size_t i = 0; i < budget; ++i) {
      const auto birth = search.ask();
      const Measurement measurement = measure(birth->genome);
      search.tell(birth->genome, measurement);
      Individual individual;
      individual.session = session;
      individual.genome = plan::letters_of(landscape_.space().genes, birth->genome);
      individual.method = birth->method;
      for (const std::size_t parent : birth->parents)
        individual.parents.push_back(static_cast<std::int64_t>(parent + 1));
      individual.measurement = measurement;
      born.push_back(std::move(individual));
    }
    database_.import(problem_, born);
  }

  Landscape landscape_;
  Database database_;
  std::int64_t problem_ = 0;
};

constexpr const char* kSections[] = {
    "Summary", "Evolution", "Progress", "What the champion changed", "Births and families",
    "Tests",   "Roofline",  "Schedules"};

class Report : public testing::Test {
 protected:
  std::string whole() {
    Tuned one(folder, "one.sqlite", 1, 600), other(folder, "other.sqlite", 2, 400);
    one.hold_contest();
    return report({one.run("one.sqlite"), other.run("other.sqlite")});
  }

  Folder folder;
};

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

TEST_F(Report, HasAllSections) {
  const std::string text = whole();
  for (const char* section : kSections)
    EXPECT_EQ(count(text, fmt::format("\">{}</h2>", section)), 1) << section;
  EXPECT_EQ(count(text, "<img "), 6);
  EXPECT_NE(text.find("It is the champion, and what runs take."), std::string::npos);
  EXPECT_NE(text.find("<caption>Artificial crossovers of default and champion</caption>"),
            std::string::npos);
  EXPECT_NE(text.find("<td>launch</td>"), std::string::npos);
  EXPECT_EQ(text.find("genome:"), std::string::npos)
      << "letters of one kernel's genes, which `--schedule` refuses";
}

TEST_F(Report, NeedsNoOtherFileAndNoScript) {
  const std::string text = whole();
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_EQ(text.find("http:"), std::string::npos);
  EXPECT_EQ(text.find("https:"), std::string::npos);
  const std::regex source("(src|href)=\"(?!data:|#)");
  EXPECT_FALSE(std::regex_search(text, source));
  EXPECT_NE(text.find("machine &lt;b&gt;in words&lt;/b&gt;"), std::string::npos);
}

TEST_F(Report, WhoLosesTheContestIsNoChampion) {
  Tuned one(folder, "one.sqlite", 1, 200);
  one.hold_contest();
  ReportRun run = one.run("one.sqlite");
  run.contest->won = false;
  EXPECT_NE(report({run}).find("It is not faster by more than the doubt: the default schedule "
                               "stays."),
            std::string::npos);
}

TEST_F(Report, OfARecordingTellsWhatThereIs) {
  Tuned one(folder, "one.sqlite", 1, 200);
  ReportRun run{"wave.recording", one.run("").recording, {}, {}, {}};
  const std::string text = report({run});
  EXPECT_NE(text.find("No contest of the best with the default schedule is recorded."),
            std::string::npos);
  EXPECT_EQ(count(text, "<img "), 5);
}

TEST_F(Report, WhereAllFailedSaysSo) {
  Tuned one(folder, "one.sqlite", 1, 20);
  ReportRun run{"wave.recording", one.run("").recording, {}, {}, {}};
  for (auto& entry : run.recording.entries) entry.measurement = failed("it took more than 3 s");
  const std::string text = report({run});
  EXPECT_NE(text.find("<p>No individual succeeded.</p>"), std::string::npos);
  EXPECT_NE(text.find("<td>it took more than N s</td>"), std::string::npos);
}

TEST_F(Report, TellsWhereTheSourcesOfAFailureAre) {
  Tuned one(folder, "one.sqlite", 1, 20);
  ReportRun run{"wave.recording", one.run("").recording, {}, {}, {}};
  const auto kept = folder / "kept";
  std::filesystem::create_directory(kept);
  for (auto& entry : run.recording.entries) {
    entry.measurement = failed(&entry == &run.recording.entries[0] ? "it hung" : "it crashed");
    entry.measurement.sources =
        &entry == &run.recording.entries[1] ? kept.string() : (folder / "gone").string();
  }
  const std::string text = report({run});
  EXPECT_NE(text.find(fmt::format("<td>it crashed</td><td>{}</td>", kept.string())),
            std::string::npos);
  EXPECT_NE(text.find("<td>it hung</td><td>-</td>"), std::string::npos);
}

std::optional<std::filesystem::path> find_browser() {
  const auto chromium = runtime::find_program("chromium");
  return chromium ? chromium : runtime::find_program("chromium-browser");
}

std::string browse(const std::filesystem::path& browser, const Folder& folder,
                   const std::vector<std::string>& options) {
  std::vector<std::string> words = {browser.string(),
                                    "--headless",
                                    "--no-sandbox",
                                    "--disable-gpu",
                                    "--disable-dev-shm-usage",
                                    "--host-resolver-rules=MAP * ~NOTFOUND",
                                    "--user-data-dir=" + (folder / "profile").string()};
  words.insert(words.end(), options.begin(), options.end());
  const auto result = runtime::run_program(words, folder.path(), 120);
  EXPECT_EQ(result.status, 0) << result.output;
  return result.output;
}

TEST_F(Report, ABrowserShowsAllOfIt) {
  const auto browser = find_browser();
  if (!browser) GTEST_SKIP() << "no chromium: `apt-get install chromium` has it";
  const std::string text = whole();
  runtime::write_file(folder / "report.html", text);
  // The page forbids scripts; a copy that does not is asked how large its pictures are.
  const std::string asking =
      "<script>onload = () => { document.title = [...document.images].map("
      "i => i.naturalWidth + 'x' + i.naturalHeight).join(' ') + ' wide ' + "
      "(document.documentElement.scrollWidth <= innerWidth); }</script></body>";
  runtime::write_file(
      folder / "asking.html",
      std::regex_replace(std::regex_replace(text, std::regex("<meta http-equiv[^>]*>"), ""),
                         std::regex("</body>"), asking));
  const std::string shown =
      browse(*browser, folder, {"--dump-dom", (folder / "asking.html").string()});
  // A picture that can't be drawn has the size 0x0.
  EXPECT_TRUE(std::regex_search(shown, std::regex("<title>([1-9]\\d*x[1-9]\\d* ){6}wide true<")))
      << shown.substr(0, 300);
  browse(*browser, folder,
         {"--screenshot=" + (folder / "report.png").string(), "--window-size=1000,7600",
          "file://" + (folder / "report.html").string()});
  ASSERT_TRUE(std::filesystem::exists(folder / "report.png"));
  EXPECT_GT(std::filesystem::file_size(folder / "report.png"), 100000u);
  // To look at it: PARAISO_KEEP=FOLDER.
  if (const char* keep = getenv("PARAISO_KEEP"))
    for (const char* name : {"report.html", "report.png"})
      std::filesystem::copy_file(folder / name, std::filesystem::path(keep) / name,
                                 std::filesystem::copy_options::overwrite_existing);
}

}  // namespace
}  // namespace paraiso::tune
