#include "paraiso/runtime/system/memory.hpp"

#include <unistd.h>

#include <fstream>

#include "support.hpp"

namespace paraiso::runtime {
namespace {

using test::error_text;
using Size = std::vector<std::int64_t>;

double eight_bytes_a_cell(const Size& size) {
  double bytes = 8;
  for (auto cells : size) bytes *= static_cast<double>(cells);
  return bytes;
}

TEST(Memory, TextsOfBytesAndSizes) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(1023), "1023 bytes");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(1024.0 * 1024 * 1024 * 22.9), "22.9 GiB");
  EXPECT_EQ(bytes_text(1024.0 * 1024 - 1), "1.0 MiB");
  EXPECT_EQ(bytes_text(1e40), "8.7e+21 EiB");
  EXPECT_EQ(size_text({1024, 512}), "1024x512");
}

TEST(Memory, SomethingIsAvailable) {
  const auto limit = available_memory();
  EXPECT_GT(limit.bytes, 1e7);
  EXPECT_FALSE(limit.source.empty());
}

double address_space_in_use() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

TEST(Memory, AnAddressSpaceLimitCounts) {
  constexpr double kRoom = 64 << 20;
  rlimit before;
  getrlimit(RLIMIT_AS, &before);
  rlimit limit = before;
  limit.rlim_cur = static_cast<rlim_t>(address_space_in_use() + kRoom);
  setrlimit(RLIMIT_AS, &limit);
  const auto left = available_memory();
  setrlimit(RLIMIT_AS, &before);
  EXPECT_EQ(left.source, "address space limit, `ulimit -v`");
  EXPECT_NEAR(left.bytes, kRoom, 1 << 20);  // reading what is in use takes some, too
}

TEST(Memory, RefusesWithBothNumbersAndAGridThatFits) {
  const MemoryLimit limit{1024.0 * 1024 * 8, "free memory of this machine"};
  require_memory({1024, 1024}, eight_bytes_a_cell, limit);
  EXPECT_EQ(
      error_text([&] {
        require_memory({4096, 4096}, eight_bytes_a_cell, limit);
      }),
      "error: a grid of 4096x4096 cells needs 128.0 MiB of memory, and 8.0 MiB are left (free "
      "memory of this machine)\n"
      "hint: a grid of 1024x1024 would fit");
  EXPECT_EQ(error_text([&] {
              require_memory({4096, 1024}, eight_bytes_a_cell, limit);
            }),
            "error: a grid of 4096x1024 cells needs 32.0 MiB of memory, and 8.0 MiB are left (free "
            "memory of this machine)\n"
            "hint: a grid of 2048x512 would fit");
  EXPECT_EQ(error_text([&] {
              require_memory({10}, eight_bytes_a_cell, {4, "nothing"});
            }),
            "error: a grid of 10 cells needs 80 bytes of memory, and 4 bytes are left (nothing)");
}

TEST(Memory, SizesThatOverflowAreRefusedAsAnyOther) {
  const std::int64_t huge = std::int64_t{1} << 62;
  const MemoryLimit limit{1024, "free memory of this machine"};
  const auto text = error_text([&] { require_memory({huge, huge}, eight_bytes_a_cell, limit); });
  EXPECT_EQ(text,
            "error: a grid of 4611686018427387904x4611686018427387904 cells needs 1.5e+20 EiB of "
            "memory, and 1.0 KiB are left (free memory of this machine)\n"
            "hint: a grid of 11x11 would fit");
}

TEST(Memory, ChecksSizes) {
  check_size(2, {3, 1});
  EXPECT_EQ(error_text([] { check_size(2, {3}); }),
            "error: the size `3` has 1 axis, the machine has 2");
  EXPECT_EQ(error_text([] {
              check_size(1, {3, 4, 5});
            }),
            "error: the size `3x4x5` has 3 axes, the machine has 1");
  EXPECT_EQ(error_text([] {
              check_size(2, {3, 0});
            }),
            "error: the size `3x0` is impossible: every axis needs at least one cell");
  EXPECT_EQ(error_text([] {
              check_size(2, {-3, 1});
            }),
            "error: the size `-3x1` is impossible: every axis needs at least one cell");
}

}  // namespace
}  // namespace paraiso::runtime
