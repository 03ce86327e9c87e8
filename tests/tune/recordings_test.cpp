// Replays of the recordings that are kept here (scripts/record-tunings.sh makes them).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/replay/drawing_law.hpp"
#include "paraiso/tune/replay/pool.hpp"

namespace paraiso::tune {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(PARAISO_SOURCE_DIR) / "tests" / "tune" / "recordings";

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

/// A search chose their individuals: random drawing from hydro's reaches 95 % of the best after 3
/// of them, so they compare no searches.
TEST(Recordings, AreTrajectories) {
  for (const fs::path& file : kept_files()) {
    const Recording recording = read(file);
    EXPECT_EQ(recording.recorded, Recorded::trajectory) << file;
    if (file.filename() != "hydro.recording") continue;
    const Pool pool(recording);
    EXPECT_EQ(DrawingLaw(pool.scores()).median_draws_to(0.95 * std::ranges::max(pool.scores())),
              3u);
  }
}

}  // namespace
}  // namespace paraiso::tune
