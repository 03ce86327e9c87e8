// What the support header promises of memory, halos and vectors, checked by programs of their own
// (checks/*.cpp), with every compiler: portable and native code, with OpenMP and without. Each
// level of the processor is compiled for by one compiler, for programs without vectors not all are;
// PARAISO_EVERY_BUILD=1 (scripts/test-long.sh): each program by each, for all.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "paraiso/codegen/support_text.hpp"
#include "tests/support/setting.hpp"

namespace paraiso::codegen {
namespace {

namespace fs = std::filesystem;

enum class Asked { always, for_vectors, in_long_tests };

struct Build {
  const char *name, *compiler, *flags;
  Asked asked = Asked::always;
  friend std::ostream& operator<<(std::ostream& out, const Build& b) { return out << b.name; }
};

class SupportChecks : public testing::TestWithParam<Build> {
 protected:
  void SetUp() override {
    std::string folder = (fs::temp_directory_path() / "paraiso_checks_XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    std::ofstream(folder_ / "paraiso_support.hpp") << support_header();
    std::ofstream(folder_ / "paraiso_support.cpp") << support_source();
    std::ofstream(folder_ / "paraiso_libm.hpp") << libm_header();
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Everything that the shell command prints, and its status where that is not 0.
  std::string output_of(const std::string& command) const {
    const fs::path log = folder_ / "log";
    const int status = std::system(
        ("cd " + folder_.string() + " && (" + command + ") > " + log.string() + " 2>&1").c_str());
    std::ifstream file(log);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    if (status != 0) text += "status " + std::to_string(status);
    return text;
  }

  void check(const std::string& program, const std::string& with = "") const {
    const Build& build = GetParam();
    if (!output_of(std::string("command -v ") + build.compiler + " > /dev/null").empty())
      GTEST_SKIP() << build.compiler << " is not installed";
    EXPECT_EQ(output_of(std::string(build.compiler) + " -std=c++17 -Wall -Wextra -Werror " +
                        "-ffp-contract=off -I. " + build.flags +
                        " -o check " PARAISO_SOURCE_DIR "/tests/codegen/checks/" + program +
                        ".cpp " + with + " && ./check"),
              "");
  }

  fs::path folder_;
};

/// Of vectors, and of what is made with them.
class SupportVectorChecks : public SupportChecks {};

TEST_P(SupportChecks, HalosAreFilledByTheRules) { check("fill_halo"); }
TEST_P(SupportChecks, PagesAreHugeAndFirstTouchedByTheirThread) { check("pages"); }
TEST_P(SupportChecks, SplitTilesMakeEveryRowOnce) { check("split_tiles"); }

TEST_P(SupportVectorChecks, RowsMakeTheCellsBeyondTheirEnds) { check("row_ends"); }
TEST_P(SupportVectorChecks, MemoryIsApartAlignedAndAsLargeAsTold) {
  check("memory", "paraiso_support.cpp");
}
TEST_P(SupportVectorChecks, LanesAreWhatScalarsAre) { check("vector"); }
TEST_P(SupportVectorChecks, ElementaryFunctionsOfLanesAreThoseOfScalars) { check("elementary"); }
TEST_P(SupportVectorChecks, FunctionsOfTheCLibraryAreCloseToOurs) { check("libm"); }

constexpr Build kBuilds[] = {
    {"gcc", "g++", "-O1"},
    {"gcc_native", "g++", "-O2 -march=native -fopenmp", Asked::in_long_tests},
    {"gcc_v2", "g++", "-O2 -march=x86-64-v2 -fopenmp", Asked::for_vectors},
    {"gcc_v3", "g++", "-O3 -march=x86-64-v3 -fopenmp"},
    {"clang_v3", "clang++", "-O2 -march=x86-64-v3 -fopenmp", Asked::in_long_tests},
    {"clang_native", "clang++", "-O2 -march=native -fopenmp"},
    {"clang_address", "clang++", "-O1 -fopenmp -fsanitize=address,undefined"}};

std::vector<Build> builds(Asked most) {
  if (test::every_build()) most = Asked::in_long_tests;
  std::vector<Build> found;
  for (const Build& build : kBuilds)
    if (build.asked <= most) found.push_back(build);
  return found;
}

std::string name_of_build(const testing::TestParamInfo<Build>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Builds, SupportChecks, testing::ValuesIn(builds(Asked::always)),
                         name_of_build);
INSTANTIATE_TEST_SUITE_P(Builds, SupportVectorChecks, testing::ValuesIn(builds(Asked::for_vectors)),
                         name_of_build);

}  // namespace
}  // namespace paraiso::codegen
