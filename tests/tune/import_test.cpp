// Search spaces of others.
#include "paraiso/tune/replay/import.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "paraiso/base/rng.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/replay/inflate.hpp"
#include "tests/runtime/support.hpp"
#include "tests/tune/spaces_of_others.hpp"

namespace paraiso::tune {
namespace {

using test::error_text;

const std::string kCache = R"({"device_name": "card", "kernel_name": "add", "problem_size": [64, 8],
"tune_params_keys": ["block", "layout"],
"tune_params": {"block": [16, 32], "layout": ["row", "tile"]}, "objective": "time",
"cache": {
"16,row": {"block": 16, "layout": "row", "time": 4.0, "times": [4.0, 4.0], "compile_time": 500.0,
 "verification_time": 250, "benchmark_time": 125.0},
"32,row": {"block": 32, "layout": "row", "time": "RuntimeFailedConfig", "compile_time": 500.0},
"32,tile": {"block": 32, "layout": "tile", "time": 2.0, "times": [1.0, 4.0]}}})";

const std::string kT4 = R"({"metadata": {"timeunit": "miliseconds"}, "results": [
{"configuration": {"block": 16, "layout": "row"}, "invalidity": "correct",
 "times": {"compilation": 500, "validation": 250, "benchmark": 125.0, "runtimes": [4.0, 4.0]},
 "measurements": [{"name": "time", "value": 4.0, "unit": "ms"}]},
{"configuration": {"block": 32, "layout": "row"}, "invalidity": "runtime", "times": {},
 "measurements": []},
{"configuration": {"block": 32, "layout": "tile"}, "invalidity": "correct",
 "times": {"runtimes": [1.0, 4.0]}, "measurements": [{"name": "time", "value": 2.0}]}]})";

void expect_the_example(const Recording& recording) {
  const std::vector<plan::Gene> genes = {{"block", {"16", "32"}}, {"layout", {"row", "tile"}}};
  EXPECT_EQ(recording.problem.genes, genes);
  ASSERT_EQ(recording.entries.size(), 3u);
  EXPECT_EQ(recording.entries[0].genome, (plan::Genome{0, 0}));
  EXPECT_EQ(recording.entries[1].genome, (plan::Genome{1, 0}));
  EXPECT_EQ(recording.entries[2].genome, (plan::Genome{1, 1}));
  EXPECT_DOUBLE_EQ(recording.entries[0].measurement.score, 250);
  EXPECT_DOUBLE_EQ(recording.entries[2].measurement.score, 500);
  EXPECT_EQ(recording.entries[2].measurement.samples, (std::vector<double>{1000, 250}));
  EXPECT_FALSE(recording.entries[1].measurement.ok());
  EXPECT_EQ(recording.entries[0].seconds[0], 0.5);
  EXPECT_EQ(recording.entries[0].seconds[1], 0.25);
  EXPECT_EQ(recording.entries[0].seconds[2], 0.125);
  EXPECT_EQ(recording.recorded, Recorded::trajectory) << "the file does not tell";
  EXPECT_EQ(complete(recording).recorded, Recorded::exhaustive);
}

TEST(Import, ReadsACache) {
  const Recording recording = import_kernel_tuner(kCache, "add.json");
  expect_the_example(recording);
  EXPECT_EQ(recording.entries[1].measurement.reason, "RuntimeFailedConfig");
  EXPECT_EQ(recording.problem.machine, "add");
  EXPECT_EQ(recording.problem.host, "card");
  EXPECT_EQ(recording.problem.size, "64x8");
}

TEST(Import, ReadsT4) {
  expect_the_example(import_kernel_tuner(kT4, "add.json"));
  const std::string older = test::replaced(kT4, R"("compilation")", R"("compilation_time")");
  EXPECT_EQ(import_kernel_tuner(older, "add.json").entries[0].seconds[0], 0.5);
}

TEST(Import, IsReadAsItWasPrinted) {
  const std::string text = print(complete(import_kernel_tuner(kCache, "add.json")));
  EXPECT_EQ(print(parse_recording(text, "add.recording")), text);
}

const std::string kCompressed(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\x4a\x54\xb2\x52\x30\xac\x05\x00\x97\x8e\xa1"
    "\xfb\x08\x00\x00\x00",
    28);

TEST(Inflate, ReadsGzipAndLeavesTheRest) {
  EXPECT_EQ(inflated(kCompressed), R"({"a": 1})");
  EXPECT_EQ(inflated(kCompressed + kCompressed), R"({"a": 1}{"a": 1})");
  EXPECT_EQ(inflated("plain"), "plain");
  EXPECT_EQ(inflated(""), "");
}

TEST(Inflate, RefusesDamageAndBombs) {
  const std::string damaged = "error: the compressed data are damaged or end too early";
  for (std::size_t length = 2; length < kCompressed.size(); ++length)
    EXPECT_EQ(error_text([&] { (void)inflated(kCompressed.substr(0, length)); }), damaged);
  EXPECT_EQ(error_text([] { (void)inflated(kCompressed, 4); }),
            "error: the compressed data are of more than 0 MB");
}

TEST(Import, SaysWhatIsWrong) {
  const auto complaint = [](const std::string& text) {
    return error_text([&] { (void)import_kernel_tuner(text, "x.json"); });
  };
  const std::string start = "error: `x.json` is no file of Kernel Tuner: ";
  EXPECT_EQ(complaint(""), start + "it is not JSON");
  EXPECT_EQ(complaint(kCache.substr(0, 400)), start + "it is not JSON");
  EXPECT_EQ(complaint(std::string(100000, '[')), start + "it is not JSON");
  EXPECT_EQ(complaint("[1]"), start + "it has neither configurations of a cache nor results of T4");
  EXPECT_EQ(complaint(kCompressed),
            start + "it has neither configurations of a cache nor results of T4");
  EXPECT_EQ(complaint(kCompressed.substr(0, 20)),
            start + "the compressed data are damaged or end too early");
  EXPECT_EQ(complaint(R"({"results": []})"), start + "it has no configurations");
  EXPECT_EQ(complaint(test::replaced(kCache, R"("block": 32, "layout": "tile")", R"("block": 8)")),
            start + "parameter `block` can't be `8`");
  EXPECT_EQ(complaint(test::replaced(kCache, R"(, "layout": "tile")", "")),
            start + "a configuration lacks parameter `layout`");
  EXPECT_EQ(complaint(test::replaced(kCache, R"("objective": "time")", R"("objective": "W")")),
            start + "its objective is `W`: only `time` is known");
  const std::string twice = start + "configurations 2 and 3 have the same parameters";
  EXPECT_EQ(complaint(test::replaced(kCache, R"("tile", "time")", R"("row", "time")")), twice);
  EXPECT_EQ(complaint(test::replaced(kT4, R"(32, "layout": "tile")", R"(32, "layout": "row")")),
            twice);
  EXPECT_EQ(complaint(test::replaced(kCache, R"(["block", "layout"])", R"(["block"])")), twice);
  EXPECT_EQ(complaint(test::replaced(kCache, R"(["block", "layout"])", "[]")),
            start + "it has no parameters");
  EXPECT_EQ(complaint(test::replaced(kCache, R"([16, 32])", "[]")),
            start + "parameter `block` has no values");
  EXPECT_EQ(complaint(test::replaced(kCache, R"("time": 2.0)", R"("time": 1e-200)")),
            start + "a time of 1e-200 ms is too short");
  EXPECT_EQ(complaint(test::replaced(kT4, "[1.0, 4.0]", "[1e-320, 4.0]")),
            start + "a time of 1e-320 ms is too short");
  const std::string unit = start + "a time is in `seconds`: milliseconds are expected";
  EXPECT_EQ(complaint(test::replaced(kT4, "miliseconds", "seconds")), unit);
  EXPECT_EQ(complaint(test::replaced(kT4, R"("ms")", R"("seconds")")), unit);
}

/// Any change of a byte, any cut: a recording that is read as it was printed, or one sentence.
TEST(Import, SurvivesDamage) {
  Rng rng(1);
  int read = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::string text = trial % 2 == 0 ? kCache : kT4;
    for (auto changes = 1 + rng.below(3); changes > 0; --changes)
      text[rng.below(text.size())] =
          static_cast<char>(rng.chance(0.5) ? 32 + rng.below(95) : rng.below(256));
    if (rng.chance(0.1)) text.resize(rng.below(text.size()));
    try {
      const std::string printed = print(import_kernel_tuner(text, "x.json"));
      EXPECT_EQ(print(parse_recording(printed, "x")), printed);
      ++read;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(read, 200);
}

/// Counts, best and failures are the source's; printed and read they are the same.
TEST(Import, AgreesWithRealSpaces) {
  const std::filesystem::path folder = test::folder_of_others();
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no folder " << folder;
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".gz") continue;
    ++files;
    const std::string data = runtime::read_file(file.path());
    const auto json = nlohmann::json::parse(inflated(data));
    double shortest = 1e300;
    std::size_t failures = 0, found = 0;
    for (const auto& row : json.at("cache"))
      if (row.at("time").is_number())
        shortest = std::min(shortest, row.at("time").get<double>());
      else
        ++failures;
    const Recording recording = import_kernel_tuner(data, file.path().string());
    EXPECT_EQ(recording.entries.size(), json.at("cache").size()) << file;
    double best = 0;
    for (const auto& entry : recording.entries) {
      best = std::max(best, entry.measurement.score);
      found += entry.measurement.ok() ? 0 : 1;
    }
    EXPECT_EQ(found, failures) << file;
    EXPECT_DOUBLE_EQ(1000 / best, shortest) << file;
    const std::string text = print(recording);
    EXPECT_TRUE(print(parse_recording(text, "again")) == text) << file;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace paraiso::tune
