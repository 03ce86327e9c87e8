// What a golden text that differs is told by.
#include <gtest/gtest.h>

#include "paraiso/base/text.hpp"
#include "paraiso/runtime/system/file.hpp"
#include "tests/support/golden.hpp"

namespace paraiso {
namespace {

const std::string kProgram = PARAISO_SOURCE_DIR "/tests/golden/life_2d/program.om";

TEST(Difference, OfTheSameTextIsEmpty) {
  EXPECT_EQ(test::difference(kProgram, runtime::read_file(kProgram)), "");
}

TEST(Difference, ShowsTheLinesAndHowToRewriteThem) {
  std::string text = runtime::read_file(kProgram);
  text.replace(text.find("machine life"), 12, "machine death");
  EXPECT_EQ(test::difference(kProgram, text),
            "--- tests/golden/life_2d/program.om\n"
            "+++ made now\n"
            "@@ -1,6 +1,6 @@\n"
            " # Integers, bools and masks: life with ages, in one byte, four and eight; casts, "
            "selects, counts.\n"
            " paraiso 1\n"
            "-machine life dimension 2\n"
            "+machine death dimension 2\n"
            " \n"
            " static alive local bool\n"
            "   boundary 0 cyclic cyclic\n"
            "If that is meant: scripts/rewrite-goldens.sh, then git diff\n");
}

TEST(Difference, IsShort) {
  std::string text;
  for (int line = 0; line < 200; ++line) text += std::to_string(line) + "\n";
  const std::string shown = test::difference(kProgram, text);
  EXPECT_EQ(split(shown, '\n').size(), 43u);
  EXPECT_NE(shown.find("\n... and "), std::string::npos) << shown;
}

}  // namespace
}  // namespace paraiso
