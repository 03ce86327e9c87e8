// Buffers of messages: used again as they are, and never more of them than were needed at once.
#include "paraiso/runtime/transport/spare_buffers.hpp"

#include <gtest/gtest.h>

namespace paraiso::runtime {
namespace {

TEST(SpareBuffers, OneOfItsSizeIsUsedAgain) {
  SpareBuffers spare;
  Bytes face = spare.take(100'000), edge = spare.take(30'000);
  const void* const memory = face.data();
  face.back() = 1;
  spare.put(std::move(face));
  spare.put(std::move(edge));
  spare.put(Bytes(24));  // a command
  EXPECT_EQ(spare.take(24).capacity(), 24U);
  const Bytes again = spare.take(100'000);
  EXPECT_EQ(again.data(), memory);
  EXPECT_EQ(again.back(), 1);  // nobody has cleared it
}

TEST(SpareBuffers, NoMoreAreKeptThanWereLentAtOnce) {
  SpareBuffers spare;
  for (int step = 0; step < 100; ++step) {
    (void)spare.take(10'000);  // the receiver keeps it
    for (int received = 0; received < 3; ++received) spare.put(Bytes(10'000));
    EXPECT_EQ(spare.kept_bytes(), 10'000U);
    spare.put(Bytes(5'000));  // its own, which the transport didn't lend
    EXPECT_EQ(spare.kept_bytes(), 10'000U);
  }
}

TEST(SpareBuffers, OtherSizesMakeRoom) {
  SpareBuffers spare;
  for (const std::size_t bytes : {100'000, 40'000, 200'000, 5'000}) {
    for (int step = 0; step < 3; ++step) spare.put(spare.take(bytes));
    Bytes one = spare.take(bytes);
    const void* const memory = one.data();
    spare.put(std::move(one));
    EXPECT_EQ(spare.take(bytes).data(), memory);
  }
}

}  // namespace
}  // namespace paraiso::runtime
