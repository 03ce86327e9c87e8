#include "paraiso/tune/report/report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "paraiso/runtime/process/process.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/contest/parts.hpp"
#include "paraiso/tune/contest/rating.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/example_problem.hpp"
#include "tests/tune/landscape.hpp"
#include "tests/tune/page_reading.hpp"

namespace paraiso::tune {
namespace {

using test::Environment;
using test::error_text;
using test::Folder;
using test::Landscape;

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
    TuningProblem problem{"<script>alert(1)</script>",
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
      database_.record(problem_, contest, TakenGenes{crossing.name, measure(crossing.genome)});
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
        database_.add(TunerRun{"anneal", seed, "paraiso tune <x>", "0.1.0", 1e9, ""});
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
  EXPECT_NE(text.find("It is the champion, which runs use."), std::string::npos);
  EXPECT_NE(text.find("<caption>Artificial crossovers of default and champion</caption>"),
            std::string::npos);
  EXPECT_NE(text.find("<td>launch</td>"), std::string::npos);
  EXPECT_EQ(text.find("genome:"), std::string::npos)
      << "letters of one kernel's genes, which `--schedule` refuses";
}

TEST_F(Report, NoTableIsEmpty) {
  const std::string text = whole();
  for (const auto& [caption, rows] : std::initializer_list<std::pair<const char*, std::size_t>>{
           {"Sessions", 1},
           {"Artificial crossovers of default and champion", 8},
           {"Fitness relative to the parents", 3 * 4},
           {"Correlations", 17},
           {"Family lines as Markov chains", 6}})
    EXPECT_EQ(table(text, caption).size(), rows) << caption;
  for (const char* caption : {"Births", "Failures", "Gene by gene", "Contribution distance"})
    EXPECT_GE(table(text, caption).size(), 1u) << caption;
}

/// A family of which the tables can be counted by hand: the seventh is the best, and all before it
/// are its ancestors.
ReportRun small_family() {
  Recording recording;
  recording.problem = example_problem();
  recording.problem.genes = {{"k/vectors", {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}}};
  const auto add = [&](double score, const char* method, std::vector<std::size_t> parents) {
    Measurement measurement;
    measurement.score = score, measurement.deviation = 0.5;
    const auto allele = static_cast<std::uint16_t>(recording.entries.size());
    recording.entries.push_back({{allele}, measurement, method, std::move(parents)});
  };
  add(10, "start", {});
  add(20, "mutation", {0});
  add(15, "mutation", {1});
  add(10.2, "mutation", {0});
  add(30, "crossover", {2, 3});
  add(25, "mutation", {4});
  add(40, "crossover", {4, 5});
  add(35, "triangulation", {4, 5, 6});
  add(20, "mutation", {7});
  add(12, "random", {});
  return {"small.recording", recording, {}, {}, {}};
}

TEST_F(Report, CountsASmallFamily) {
  const std::string text = report({small_family()});
  EXPECT_EQ(table(text, "Contribution distance"),
            (Rows{{"0", "1 (0.500)", "4 (0.800)", "2 (1.000)", "0 (0.000)", "7 (0.700)"},
                  {"1", "0 (0.000)", "0 (0.000)", "0 (0.000)", "1 (1.000)", "1 (0.100)"},
                  {"2", "0 (0.000)", "1 (0.200)", "0 (0.000)", "0 (0.000)", "1 (0.100)"},
                  {"strangers", "1 (0.500)", "0 (0.000)", "0 (0.000)", "0 (0.000)", "1 (0.100)"}}));
  const Rows family = table(text, "The family tree");
  ASSERT_EQ(family.size(), 7u);
  EXPECT_EQ(family[6][2], "5, 6");
  const Rows ranks = table(text, "Fitness relative to the parents");
  ASSERT_EQ(ranks.size(), 12u);
  EXPECT_EQ(ranks[0], (std::vector<std::string>{"mutation", "much slower", "3 (0.600)", "2 (0.400)",
                                                "0.667"}));
  EXPECT_EQ(ranks[9], (std::vector<std::string>{"triangulation", "slower", "1 (1.000)", "0 (0.000)",
                                                "0.000"}));
}

TEST_F(Report, TestsASmallFamily) {
  const std::string text = report({small_family()});
  const Rows tests = table(text, "Correlations"),
             chains = table(text, "Family lines as Markov chains");
  ASSERT_EQ(tests.size(), 17u);
  EXPECT_EQ(tests[1], (std::vector<std::string>{"crossover", "d = 0", "all", "positive", "1.07",
                                                "1", "0.3", "may be chance"}))
      << "2 of 2, and 5 of the other 8";
  ASSERT_EQ(chains.size(), 6u);
  EXPECT_EQ(chains[0], (std::vector<std::string>{"births do not depend on their parents&#39;", "-",
                                                 "0.38", "1", "0.54", "may be chance"}))
      << "11 once, 12 three times, 21 and 22 once";
}

TEST_F(Report, PicturesHaveTheirCurves) {
  const std::string text = whole();
  using Names = std::set<std::string>;
  for (const char* title :
       {"All individuals, and the family tree of the champion",
        "Enlarged: from 50 % of the gain on", "Enlarged: from 90 % of the gain on"})
    EXPECT_EQ(curves(text, title), (Names{"others", "failed", "champion and ancestors"})) << title;
  EXPECT_EQ(curves(text, "The champion&#39;s family: score and its deviation"),
            Names{"mean and deviation"});
  EXPECT_EQ(curves(text, "Best so far"), (Names{"one.sqlite", "other.sqlite"}));
  const Names lines = curves(text, "Roofline");
  for (const char* name : {"memory", "L2", "arithmetic", "default", "best"})
    EXPECT_TRUE(lines.contains(name)) << name;
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
  const std::string text = report({run});
  EXPECT_NE(text.find("It is not faster by more than the uncertainty: the default schedule stays."),
            std::string::npos);
  EXPECT_NE(text.find("200 individuals; the best has "), std::string::npos);
  EXPECT_NE(text.find("There is none: the default schedule stays."), std::string::npos);
  run.contest->start.score = 2 * run.contest->best.score;
  EXPECT_NE(report({run}).find("It is slower: the default schedule stays."), std::string::npos);
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
