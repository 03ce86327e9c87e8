// docs/om.md says what is there: every operator, every rule, and programs that parse.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "paraiso/om/text/print.hpp"
#include "paraiso/om/verify/verify.hpp"
#include "tests/om/text_samples.hpp"

namespace paraiso::om {
namespace {

std::string document() {
  return test::read_text(std::filesystem::path(PARAISO_SOURCE_DIR) / "docs" / "om.md");
}

TEST(OmDocument, HasARowForEveryOperator) {
  const std::string text = document();
  for (int i = 0; i < kOpCount; ++i) {
    const OpInfo& row = info(static_cast<Op>(i));
    auto expected = fmt::format("\n| `{}` | {} | {} | ", row.name, row.arity, row.results);
    EXPECT_NE(text.find(expected), std::string::npos) << expected;
  }
}

TEST(OmDocument, HasARowForEveryRule) {
  const std::string text = document();
  for (const auto& rule : verifier_rules()) {
    auto expected = fmt::format("\n| `{}` | {} |\n", rule.name, rule.statement);
    EXPECT_NE(text.find(expected), std::string::npos) << expected;
  }
}

TEST(OmDocument, ItsProgramsParseAndRoundTrip) {
  const std::string text = document(), open = "```om\n";
  int programs = 0;
  for (auto at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
    auto start = at + open.size();
    std::string printed = print(parse(text.substr(start, text.find("```", start) - start)));
    EXPECT_EQ(print(parse(printed)), printed);
    ++programs;
  }
  EXPECT_EQ(programs, 2);
}

}  // namespace
}  // namespace paraiso::om
