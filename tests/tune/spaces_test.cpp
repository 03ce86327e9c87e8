// Complete spaces, on which searches are compared: those of our own solvers
// (scripts/record-complete.sh makes them), and those of others.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "paraiso/runtime/system/file.hpp"
#include "paraiso/tune/replay/import.hpp"
#include "tests/tune/drawing_law_check.hpp"
#include "tests/tune/spaces_of_others.hpp"

namespace paraiso::tune {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(PARAISO_SOURCE_DIR) / "tests" / "tune" / "spaces";

/// By the names of the files.
std::map<std::string, Recording> kept() {
  std::map<std::string, Recording> spaces;
  for (const auto& entry : fs::directory_iterator(kFolder))
    spaces.emplace(entry.path().filename().string(),
                   parse_recording(runtime::read_file(entry.path()), entry.path().string()));
  return spaces;
}

TEST(Spaces, AreDrawnFromADistributionThatIsNamed) {
  const auto spaces = kept();
  EXPECT_EQ(spaces.size(), 6u);
  for (const auto& [name, space] : spaces) {
    SCOPED_TRACE(name);
    EXPECT_EQ(space.recorded, Recorded::drawn);
    EXPECT_EQ(space.distribution, "scattered");
    EXPECT_TRUE(
        space.source.starts_with("planned for the machine that calibrate measured as machine"))
        << space.source;
    for (const auto& entry : space.entries)
      EXPECT_TRUE(entry.method == "start" || entry.method == "scattered") << entry.method;
  }
}

TEST(Spaces, SayHowLongEachIndividualTook) {
  for (const auto& [name, space] : kept()) {
    SCOPED_TRACE(name);
    for (const auto& entry : space.entries) {
      if (!entry.measurement.ok()) continue;
      EXPECT_TRUE(entry.seconds[1]) << "checking";
      EXPECT_FALSE(entry.measurement.samples.empty());
    }
    // Code that another individual has, or that the default has, is neither built nor timed again.
    for (const auto& [number, shared] : {std::pair(0, 2), {2, 1}}) {
      const auto missing = [&, phase = number](const auto& entry) { return !entry.seconds[phase]; };
      EXPECT_LE(std::ranges::count_if(space.entries, missing), shared) << "phase " << number;
      EXPECT_TRUE(space.entries.back().seconds[number]);
    }
  }
}

TEST(Spaces, AreDrawnFromAsTheLawSays) {
  for (const auto& [name, space] : kept()) {
    SCOPED_TRACE(name);
    Pool pool(space);
    test::expect_drawing_law(pool, {1, 2, 5, 10});
  }
}

/// Of any folder: PARAISO_SPACES=FOLDER test_tune --gtest_filter=Spaces.OfOthers*
TEST(Spaces, OfOthersAreDrawnFromAsTheLawSays) {
  const fs::path folder = test::folder_of_others();
  if (!fs::exists(folder)) GTEST_SKIP() << "no folder " << folder;
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path& file = entry.path();
    const bool ours = file.extension() == ".recording";
    if (!ours && file.extension() != ".gz") continue;
    SCOPED_TRACE(file.string());
    ++files;
    const std::string data = runtime::read_file(file);
    const Recording space = ours ? parse_recording(data, file.string())
                                 : complete(import_kernel_tuner(data, file.string()));
    Pool pool(space);
    std::vector<std::size_t> budgets = {1, 10, 100};
    std::erase_if(budgets, [&](std::size_t budget) { return budget > pool.size(); });
    test::expect_drawing_law(pool, budgets);
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace paraiso::tune
