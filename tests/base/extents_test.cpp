#include "paraiso/base/extents.hpp"

#include <gtest/gtest.h>

namespace paraiso {
namespace {

using Extents = std::vector<std::int64_t>;

TEST(Extents, AreOneAnAxisAndNoneOfWhatIsNoNumber) {
  EXPECT_EQ(extents_of("512x256"), (Extents{512, 256}));
  EXPECT_EQ(extents_of("64"), Extents{64});
  EXPECT_EQ(extents_of("8x8 on 2 ranks (1x2)"), (Extents{8, 0, 0}));
  EXPECT_EQ(extents_of("4.5xxa-1x-7x99999999999999999999x2"), (Extents{0, 0, 0, 0, 0, 2}));
  EXPECT_EQ(extents_of(""), Extents{0});
}

}  // namespace
}  // namespace paraiso
