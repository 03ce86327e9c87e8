#include "paraiso/base/text.hpp"

#include <gtest/gtest.h>

#include "paraiso/base/error.hpp"

namespace paraiso {
namespace {

TEST(Text, IdentifiersAreShortLettersDigitsAndSingleUnderscores) {
  EXPECT_TRUE(is_identifier("density_2"));
  EXPECT_FALSE(is_identifier("2density"));
  EXPECT_FALSE(is_identifier(""));
  EXPECT_FALSE(is_identifier("a__b"));
  EXPECT_FALSE(is_identifier("a;b"));
  EXPECT_FALSE(is_identifier(std::string(65, 'a')));
  EXPECT_TRUE(is_dotted_name("flux.x.density"));
  EXPECT_FALSE(is_dotted_name("flux..density"));
}

TEST(Text, NearestFindsAMisspeltWordAndNothingFarAway) {
  EXPECT_EQ(nearest("hydr", {"heat", "hydro", "wave"}), "hydro");
  EXPECT_EQ(nearest("zzzzzz", {"heat", "hydro", "wave"}), "");
}

TEST(Text, ShownHidesWhatATerminalWouldObeyAndCutsWhatIsLong) {
  EXPECT_EQ(shown("density"), "`density`");
  EXPECT_EQ(shown("a\x1b[2J\n\xff"), "`a\\x1b[2J\\x0a\\xff`");
  EXPECT_EQ(shown(std::string(61, 'x')), "`" + std::string(60, 'x') + "...`");
}

TEST(Error, PrintsLineSeverityAndNotes) {
  Error error(Location{"/home/user/hydro.cpp", 142}, "`density` is read after its store");
  EXPECT_STREQ(error.what(), "hydro.cpp:142: error: `density` is read after its store");
  EXPECT_STREQ(error.with_note({}, "in kernel `proceed`").what(),
               "hydro.cpp:142: error: `density` is read after its store\n"
               "note: in kernel `proceed`");
}

TEST(WithoutComments, LeavesTheCode) {
  EXPECT_EQ(without_comments("// schedule 1\na = b;  // why\n  c();\n"), "\na = b;  \n  c();\n\n");
  EXPECT_EQ(without_comments("a // 1"), without_comments("a // 2"));
}

}  // namespace
}  // namespace paraiso
