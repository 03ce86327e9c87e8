// Reads what compilers make of each operator on vectors: nothing goes lane by lane where the level
// has an instruction. (Between 64-bit integers and floats AVX2 has none; what SSE4.2 lacks is
// listed.) For AArch64 Debian's cross compiler is asked.
#include <gtest/gtest.h>
#include <fstream>
#include <regex>

#include "paraiso/codegen/support_text.hpp"
#include "tests/codegen/folder.hpp"

namespace paraiso::codegen {
namespace {

/// A lane put in or taken out, or scalar arithmetic; a call of a library.
constexpr const char* kByLanes =
    R"(^\s+(v?p(ins|ext)r[bwdq]|vcvtt?s[ds]2si|v?cvtsi2s[ds])"
    R"(|v?(sqrt|add|sub|mul|div|min|max|round|fn?m(add|sub)\d*)s[sd]|call)\w*\s.*)";
constexpr const char* kByLanesOnArm =
    R"(^\s+([us]mov\s|ins\s+v\d+\.\w\[\d+\], [wx]|fmov\s+([wx]\d+, [sd]|[sd]\d+, [wx])\d|bl\s)"
    R"(|(fcvt\w+|[us]cvtf|fsqrt|f(add|sub|mul|div|n?madd|n?msub)|frint\w)\s+[wxsdh]\d).*)";
/// Truths of fewer cells than half a register has bytes: compilers keep these in general registers.
constexpr const char* kSmallTruths = "(less|equal|truth)_.(32|64)_bool|number_bool_.(32|64)";
/// SSE4.2 lacks the fused multiply-add, which is the C library's, a cell at a time; and both
/// compilers keep the truths of its two cells of 64 bits in general registers.
constexpr const char* kLackingOnV2 =
    "n?m(add|sub)_f(32|64)|(less|equal|truth)_.64_bool|number_bool_.64";

struct Level {
  const char *name, *compiler, *flags, *by_lanes = kByLanes, *except = "none";
  friend std::ostream& operator<<(std::ostream& out, const Level& l) { return out << l.name; }
};

class Instructions : public testing::TestWithParam<Level> {};

TEST_P(Instructions, TakeWholeVectors) {
  const Level& level = GetParam();
  const bool arm = level.by_lanes == kByLanesOnArm;  // clang++ takes the headers of g++
  for (const char* needed : {level.compiler, arm ? "aarch64-linux-gnu-g++" : level.compiler})
    if (!test::installed(needed)) GTEST_SKIP() << needed << " is not installed";
  const test::Folder folder;
  folder.write("paraiso_support.hpp", std::string(support_header()));
  ASSERT_EQ(
      folder.output_of(std::string(level.compiler) +
                       " -std=c++17 -O3 -ffp-contract=off -fno-math-errno "
                       "-fno-trapping-math -I. -S -o operators.s " +
                       level.flags + " " PARAISO_SOURCE_DIR "/tests/codegen/checks/operators.cpp"),
      "");
  const std::regex symbol(R"(^([a-z]\w*):.*)"), by_lanes(level.by_lanes), except(level.except);
  std::ifstream assembly(folder.path() / "operators.s");
  std::string function;
  int functions = 0;
  std::smatch parts;
  for (std::string line; std::getline(assembly, line);)
    if (std::regex_match(line, parts, symbol)) {
      function = parts[1];
      ++functions;
    } else {
      EXPECT_FALSE(std::regex_match(line, by_lanes) && !std::regex_match(function, except))
          << function << ": " << line;
    }
  EXPECT_EQ(functions, 6 * 11 + 2 * 10 + 26);
}

INSTANTIATE_TEST_SUITE_P(
    Levels, Instructions,
    testing::Values(Level{"gcc_v2", "g++", "-march=x86-64-v2", kByLanes, kLackingOnV2},
                    Level{"clang_v2", "clang++", "-march=x86-64-v2", kByLanes, kLackingOnV2},
                    Level{"gcc_v3", "g++", "-march=x86-64-v3 -mmove-max=256 -mstore-max=256"},
                    Level{"gcc_v4", "g++", "-march=x86-64-v4 -mprefer-vector-width=512"},
                    Level{"clang_v3", "clang++", "-march=x86-64-v3"},
                    Level{"clang_v4", "clang++", "-march=x86-64-v4 -mprefer-vector-width=512"},
                    Level{"gcc_arm", "aarch64-linux-gnu-g++", "-march=armv8-a", kByLanesOnArm,
                          kSmallTruths},
                    Level{"clang_arm", "clang++", "--target=aarch64-linux-gnu -march=armv8-a",
                          kByLanesOnArm, kSmallTruths}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace paraiso::codegen
