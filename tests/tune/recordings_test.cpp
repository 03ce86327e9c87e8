// Replays of the recordings that are kept here (scripts/record-tunings.sh makes them).
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/replay/replay.hpp"

namespace paraiso::tune {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(PARAISO_SOURCE_DIR) / "tests" / "tune" / "recordings";
constexpr std::size_t kEvaluations = 1000;  // more than random needs, or so it should be

/// All files of the folder: what is there has to be a recording.
std::set<fs::path> kept_files() {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kFolder)) files.insert(entry.path());
  return files;
}

Recording read(const fs::path& file) {
  return parse_recording(runtime::read_file(file), file.filename().string());
}

TEST(Recordings, AreOfHeatAndHydro) {
  EXPECT_EQ(kept_files(),
            (std::set<fs::path>{kFolder / "heat.recording", kFolder / "hydro.recording"}))
      << "scripts/record-tunings.sh makes them";
}

TEST(Recordings, AreReadableAndBeginFarFromTheirBest) {
  for (const fs::path& file : kept_files()) {
    SCOPED_TRACE(file);
    EXPECT_EQ(file.extension(), ".recording");
    Recording recording;
    ASSERT_NO_THROW(recording = read(file));
    ASSERT_GE(recording.entries.size(), 2000u);
    double best = 0;
    for (const auto& entry : recording.entries) best = std::max(best, entry.measurement.score);
    const double start = recording.entries[0].measurement.score;
    EXPECT_GT(start, 0);
    EXPECT_LT(start, 0.95 * best) << "a search has nothing to do";
  }
}

TEST(Recordings, AnnealNeedsHalfTheEvaluationsOfRandom) {
  for (const fs::path& file : kept_files()) {
    SCOPED_TRACE(file);
    const auto results = compare(
        read(file), {.strategies = {"anneal", "random"}, .seeds = 20, .evaluations = kEvaluations});
    const auto &anneal = results[0], &random = results[1];
    ASSERT_TRUE(anneal.evaluations_to_goal);
    EXPECT_LE(*anneal.evaluations_to_goal,
              random.evaluations_to_goal.value_or(static_cast<double>(kEvaluations)) / 2);
    for (std::size_t mark = 0; mark < anneal.best_at_marks.size(); ++mark)
      EXPECT_GE(anneal.best_at_marks[mark], random.best_at_marks[mark])
          << "after " << ReplayPlan{.strategies = {}}.marks[mark];
  }
}

}  // namespace
}  // namespace paraiso::tune
