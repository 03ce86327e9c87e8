// How a grid is divided, as a part of what a tuning problem is.
#include "paraiso/om/divide/divided_size.hpp"

#include <gtest/gtest.h>

namespace paraiso::om {
namespace {

TEST(DividedSize, OfAWholeGridIsItsSize) {
  EXPECT_EQ(divided_size({512, 256}, {}), "512x256");
  EXPECT_EQ(divided_size({512, 256}, Orthotree()), "512x256");
}

TEST(DividedSize, TellsEqualPartsByTheirNumbers) {
  EXPECT_EQ(divided_size({96, 96, 96}, even_division({96, 96, 96}, 2)),
            "96x96x96 on 2 ranks (1x1x2)");
  EXPECT_EQ(divided_size({96, 50}, regular_division({96, 50}, {2, 3})), "96x50 on 6 ranks (2x3)");
}

TEST(DividedSize, TellsOthersByWhoCutThemOrWhere) {
  const Cell size = {12, 10, 9};
  EXPECT_EQ(divided_size(size, even_division(size, 5)), "12x10x9 on 5 ranks (even)");
  const auto cut = Orthotree::divide(1, 3, {}, Orthotree::divide(0, 4, {}, {}));
  EXPECT_EQ(divided_size({12, 10}, cut),
            "12x10 on 3 ranks (divide 1 at 3 leaf divide 0 at 4 leaf leaf)");
  EXPECT_EQ(divided_size({12, 10}, Orthotree::divide(1, 3, {}, {})),
            "12x10 on 2 ranks (divide 1 at 3 leaf leaf)");
}

TEST(DividedSize, HasAGridAndADivision) {
  EXPECT_EQ(grid_of("96x50 on 6 ranks (2x3)"), "96x50");
  EXPECT_EQ(division_of("96x50 on 6 ranks (2x3)"), "6 ranks (2x3)");
  EXPECT_EQ(ranks_of("96x50 on 6 ranks (2x3)"), 6);
  EXPECT_EQ(grid_of("96x50"), "96x50");
  EXPECT_EQ(division_of("96x50"), "");
  EXPECT_EQ(ranks_of("96x50"), 1);
}

}  // namespace
}  // namespace paraiso::om
