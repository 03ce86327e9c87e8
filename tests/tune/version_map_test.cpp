// Which version runs at which size, read from what `thresholds --json` prints, and drawn.
#include "paraiso/tune/report/data/version_map.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "paraiso/tune/report/report.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/example_problem.hpp"
#include "tests/tune/page_reading.hpp"

namespace paraiso::tune {
namespace {

using Json = nlohmann::ordered_json;

Json size(const std::string& name, std::int64_t bytes, std::int64_t cells,
          const std::vector<double>& seconds) {
  return {{"size", name}, {"compared", {bytes, cells}}, {"seconds", seconds}};
}

/// `large` runs from 3,200 bytes on, below that `rows` from 150 cells on.
Json example_json() {
  return {{"versions", {"large", "rows", "base"}},
          {"usual", "base"},
          {"thresholds", {{"hydro.proceed.large", 3200}, {"hydro.proceed.rows", 150}}},
          {"exhaustive", true},
          {"best_single", "left_out"},
          {"gain", 1.0625},
          {"tuned", {size("10x10", 800, 100, {3, 2, 1}), size("20x20", 3200, 400, {1, 1.5, 2})}},
          {"judged", {size("15x15", 1800, 225, {2, 1, 1.25}), size("5x5", 200, 25, {4, 2, 1})}}};
}

VersionMap example_map() { return version_map_from(example_json().dump(), "h.json"); }

TEST(VersionMap, HasTheVersionOfEachSize) {
  std::vector<std::string> told;
  for (const MeasuredSize& one : sizes_of(example_map()))
    told.push_back(one.name + " " + std::to_string(one.taken) + (one.judged ? " judged" : ""));
  EXPECT_EQ(told,
            (std::vector<std::string>{"5x5 2 judged", "10x10 2", "15x15 1 judged", "20x20 0"}));
}

TEST(VersionMap, PutsThresholdsWhereTheirMeasureReachesThem) {
  const auto places = threshold_places(example_map());
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].guard, 1u);
  EXPECT_NEAR(places[0].cells, 150, 1e-9);  // it compares cells
  EXPECT_EQ(places[1].guard, 0u);
  EXPECT_NEAR(places[1].cells, 400, 1e-9);  // 8 bytes a cell
}

TEST(VersionMap, IsOneStretchAVersion) {
  const auto stretches = stretches_of(example_map());
  ASSERT_EQ(stretches.size(), 3u);
  const double expected[][3] = {{2, 25, 150}, {1, 150, 400}, {0, 400, 400}};
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(static_cast<double>(stretches[s].version), expected[s][0]);
    EXPECT_NEAR(stretches[s].from, expected[s][1], 1e-9);
    EXPECT_NEAR(stretches[s].to, expected[s][2], 1e-9);
  }
}

TEST(VersionMap, TellsShapesApartByTheirRows) {
  Json json = example_json();
  json["tuned"][0]["size"] = "4x100", json["tuned"][1]["size"] = "20x20";
  json["judged"][0]["size"] = "10x40", json["judged"][1]["size"] = "2x200";
  const VersionMap map = version_map_from(json.dump(), "h.json");
  EXPECT_TRUE(differ_in_shape(map));
  EXPECT_FALSE(differ_in_shape(example_map()));
  std::vector<double> rows;
  for (const MeasuredSize& one : sizes_of(map)) rows.push_back(one.cells);
  EXPECT_EQ(rows, (std::vector<double>{2, 4, 10, 20}));
}

TEST(VersionMap, RefusesAnythingElse) {
  const auto spoilt = [](auto change) {
    Json json = example_json();
    change(json);
    return json.dump();
  };
  const std::vector<std::string> texts = {
      "",
      "[]",
      "{",
      "{}",
      example_json().dump().substr(0, 200),
      spoilt([](Json& json) { json["usual"] = "none"; }),
      spoilt([](Json& json) { json["versions"] = {"base"}; }),
      spoilt([](Json& json) { json["versions"][0] = 7; }),
      spoilt([](Json& json) { json["thresholds"].erase("hydro.proceed.rows"); }),
      spoilt([](Json& json) { json["thresholds"]["hydro.proceed.rows"] = -1; }),
      spoilt([](Json& json) {
        json["thresholds"] = {1, 2};
      }),
      spoilt([](Json& json) { json["tuned"] = Json::array(); }),
      spoilt([](Json& json) { json["gain"] = 0; }),
      spoilt([](Json& json) { json["best_single"] = 1; }),
      spoilt([](Json& json) { json["judged"] = "x"; }),
      spoilt([](Json& json) {
        json["judged"][0]["seconds"] = {1, 2};
      }),
      spoilt([](Json& json) { json["judged"][0]["seconds"][1] = 0; }),
      spoilt([](Json& json) { json["judged"][0]["seconds"][1] = 1e-320; }),
      spoilt([](Json& json) { json["judged"][0]["seconds"][1] = 1e300; }),
      spoilt([](Json& json) { json["judged"][0]["seconds"][1] = nullptr; }),
      spoilt([](Json& json) { json["tuned"][0]["compared"] = {1}; }),
      spoilt([](Json& json) { json["tuned"][0]["size"] = "10xx10"; }),
      spoilt([](Json& json) { json["tuned"][0]["size"] = "-1x10"; })};
  for (const std::string& text : texts)
    EXPECT_EQ(test::error_text([&] { (void)version_map_from(text, "h.json"); }),
              "error: `h.json` is not what `paraiso thresholds --json` prints")
        << text;
}

TEST(VersionMap, OfOneVersionIsTold) {
  EXPECT_EQ(test::error_text([] {
              (void)version_map_from(R"({"versions": ["usual"], "thresholds": {}})", "h.json");
            }),
            "error: `h.json` has one version: there is nothing to choose from");
}

/// A report of one individual, with a map of versions.
std::string report_with(const VersionMap& map) {
  ReportRun run{"one.recording", {example_problem(), {}}, {}, {}, {}};
  Measurement measurement;
  measurement.score = 1e6;
  run.recording.entries.push_back({{0}, measurement, "start", {}});
  run.versions = map;
  return report({run});
}

TEST(VersionMap, IsASectionOfTheReport) {
  const std::string text = report_with(example_map());
  EXPECT_EQ(table(text, "Time of each version over that of base"),
            (Rows{{"5x5", "judged", "4.000", "2.000", "1.000", "base"},
                  {"10x10", "tuned", "3.000", "2.000", "1.000", "base"},
                  {"15x15", "judged", "1.600", "0.800", "1.000", "rows"},
                  {"20x20", "tuned", "0.500", "0.750", "1.000", "large"}}));
  // Judged: sqrt(1.25 / 1) beside the base; the best single one is not among the versions kept.
  EXPECT_NE(
      text.find("1.062 times as fast as with `left_out` alone, the best single version on the "
                "sizes that were tuned on, and "
                "1.118 times as fast as with `base`. The worst of them is 5x5, where it "
                "takes 1.000 times as long as `base`."),
      std::string::npos);
  EXPECT_EQ(curves(text, "Which version runs at which size"),
            (std::set<std::string>{"large", "rows", "base", "hydro.proceed.large = 3200",
                                   "hydro.proceed.rows = 150"}));
  EXPECT_EQ(text.find("versions by size (no"), std::string::npos);
}

/// The texts on the left of the map, and of its key.
std::set<std::string> labels(const VersionMap& map) {
  const auto texts = caught(picture(report_with(map), "Which version runs at which size"),
                            "text-anchor=\"end\">\\s*<text> *([^<]*)</text>");
  return {texts.begin(), texts.end()};
}

/// On a logarithmic axis they would be 1 alone.
TEST(VersionMap, TimesHaveLabelsWithinADecadeToo) {
  const std::set<std::string> narrow = labels(example_map());
  for (const char* label : {"0.5", "1", "1.5", "2", "3.5"})
    EXPECT_TRUE(narrow.contains(label)) << label;
  VersionMap map = example_map();
  map.tuned.seconds[0][0] = 300;
  const std::set<std::string> wide = labels(map);
  for (const char* label : {"1", "10", "100"}) EXPECT_TRUE(wide.contains(label)) << label;
}

TEST(VersionMap, TellsOfAThresholdOutOfReach) {
  VersionMap map = example_map();
  map.thresholds = {INT64_MAX, 1};
  const std::string text = report_with(map);
  EXPECT_NE(text.find("The guard of `large` fails at all of these sizes."), std::string::npos);
  EXPECT_NE(text.find("The guard of `rows` holds at all of these sizes."), std::string::npos);
  EXPECT_EQ(curves(text, "Which version runs at which size"),
            (std::set<std::string>{"large", "rows", "base"}));
  EXPECT_EQ(stretches_of(map).size(), 1u);
}

TEST(VersionMap, LeftOutIsTold) {
  ReportRun run{"one.recording", {example_problem(), {}}, {}, {}, {}};
  Measurement measurement;
  measurement.score = 1e6;
  run.recording.entries.push_back({{0}, measurement, "start", {}});
  const std::string text = report({run});
  EXPECT_NE(text.find("Left out: prediction beside search (a recording knows no other problems); "
                      "versions by size (no `--thresholds FILE` was given)."),
            std::string::npos);
  EXPECT_EQ(text.find(">Versions by size</h2>"), std::string::npos);
  EXPECT_EQ(text.find(">Prediction beside search</h2>"), std::string::npos);
}

}  // namespace
}  // namespace paraiso::tune
