// What the loops of a group ask memory for ahead of time, as generated text.
#include "paraiso/codegen/cpu/lower/group_frame.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "paraiso/base/text.hpp"
#include "paraiso/codegen/cpu/openmp.hpp"
#include "paraiso/plan/cost/forecast.hpp"
#include "tests/support/two_fields.hpp"

namespace paraiso::codegen {
namespace {

std::string source(const om::Machine& machine, plan::Schedule schedule) {
  schedule.choices["proceed/prefetch"] = "row";
  return generate_openmp(plan::plan_program(machine, schedule))[1].text;
}

/// The statements that have `part`, each on one line.
std::string statements(const std::string& source, const std::string& part) {
  std::string found;
  for (const std::string& statement : split(source, ';'))
    if (const auto at = statement.find(part); at != std::string::npos)
      found += std::regex_replace(statement.substr(at), std::regex("\\s+"), " ") + "\n";
  return found;
}

/// What does not change along the vectors stands before their loop, once a row.
TEST(GroupFrame, HoistsWhatRowsHaveInCommon) {
  const std::string text = generate_openmp(plan::plan_program(
      test::two_fields(2,
                       "%0 = load_index 1\n%1 = cast %0 f64\n%2 height = mul %1 %1\n"
                       "%3 = load f\n%4 = mul %3 %2\nstore g %4\n"),
      {}))[1]
                               .text;
  const auto row = text.find("for (std::int64_t j = "), height = text.find("height = ", row);
  const auto vectors = text.find("each_vector", row);
  ASSERT_NE(vectors, std::string::npos);
  EXPECT_LT(row, height);
  EXPECT_LT(height, vectors);
  EXPECT_EQ(text.find("cast<double>(j)", vectors), std::string::npos);
}

std::string ahead(const om::Machine& machine, const plan::Schedule& schedule) {
  return statements(source(machine, schedule), "ahead =");
}

TEST(GroupFrame, AsksAheadAlongTheInnermostLoopOverRows) {
  EXPECT_EQ(ahead(test::two_fields(2, "%0 = load f\n%1 = shift %0 (0, 1)\nstore g %1\n"), {}),
            "ahead = support::rows_ahead(tile.end[0] - tile.begin[0], tile.end[1] - "
            "tile.begin[1]) * grid.stride[1]\n");
}

/// One loop that keeps what it reads later: of the sweep's loops over rows the inner one.
TEST(GroupFrame, AsksAheadAlongTheInnerAxisOfASweep) {
  const auto machine = test::two_fields(
      3, "%0 = load f\n%1 a = mul %0 %0\n%2 = shift %1 (0, 1, 1)\n%3 = add %1 %2\nstore g %3\n");
  plan::Schedule schedule{{{"proceed/a.storage", "rolling"}}};
  EXPECT_EQ(ahead(machine, schedule),
            "ahead = support::rows_ahead(tile.end[0] - tile.begin[0], tile.end[1] - "
            "tile.begin[1]) * grid.stride[1]\n");
  schedule.choices["proceed/sweep"] = "y";
  EXPECT_EQ(ahead(machine, schedule),
            "ahead = support::rows_ahead(tile.end[0] - tile.begin[0], tile.end[2] - "
            "tile.begin[2]) * grid.stride[2]\n");
}

/// Two loops of a sweep share what it comes to: each asks for one of two arrays. Where the first
/// has no vectors, as `sin` has none, the second asks for both.
TEST(GroupFrame, LoopsInVectorsPrefetchAllRowsAhead) {
  const auto asked = [](const std::string& made) {
    const auto machine =
        test::two_fields(2, "%0 = load f\n%1 = load g\n%2 = mul %0 %1\n%3 a = " + made +
                                " %2\n%4 = shift %3 (1, 1)\n%5 = add %3 %4\nstore g %5\n");
    const auto text = source(machine, {{{"proceed/a.storage", "rolling"}}});
    return statements(text, "support::far_from") + statements(text, "support::prefetch");
  };
  const std::string rows =
                        "support::far_from(f, grid.row(j + 2))\n"
                        "support::far_from(g, grid.row(j + 2))\n",
                    calls =
                        "support::prefetch(lanes, f_coming, i)\n"
                        "support::prefetch(lanes, g_coming, i)\n";
  EXPECT_EQ(asked("sqrt"), rows + calls);
  EXPECT_EQ(asked("sin"), rows + calls);
}

}  // namespace
}  // namespace paraiso::codegen
