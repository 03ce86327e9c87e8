// Boxes of cells that go into messages and out of them: part by part, the same as cell by cell.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "paraiso/base/rng.hpp"
#include "paraiso/support/mpi/copy.hpp"

namespace paraiso_mpi {
namespace {

/// A box of an array of so many cells along each axis, and what a message of it is.
struct CopyCase {
  explicit CopyCase(paraiso::Rng& rng) {
    const auto axes = 1 + static_cast<int>(rng.below(4));
    bytes = std::size_t{1} << rng.below(4);
    box.axes = axes;
    std::int64_t stride = static_cast<std::int64_t>(bytes), first = 0;
    std::vector<std::int64_t> strides, extents;
    for (int a = 0; a < axes; ++a) {
      const auto cells = 1 + static_cast<std::int64_t>(rng.below(7));
      const auto begin = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(cells)));
      extents.push_back(
          1 + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(cells - begin))));
      strides.push_back(stride);
      first += begin * stride;
      stride *= cells;
    }
    array.resize(static_cast<std::size_t>(stride));
    std::iota(array.begin(), array.end(), char{1});
    box.row_bytes = static_cast<std::size_t>(extents[0]) * bytes;
    for (int a = 1; a < axes; ++a) {
      box.extents[a] = extents[static_cast<std::size_t>(a)];
      box.strides[a] = strides[static_cast<std::size_t>(a)];
    }
    const std::int64_t rows = box.rows();
    for (std::int64_t r = 0; r < rows; ++r) {
      std::int64_t rest = r, at = first;
      for (int a = 1; a < axes; ++a) {
        at += rest % box.extents[a] * box.strides[a];
        rest /= box.extents[a];
      }
      for (std::size_t i = 0; i < box.row_bytes; ++i)
        places.push_back(static_cast<std::size_t>(at) + i);
    }
    message.resize(places.size());
    box.cells = array.data() + first;
    box.message = message.data();
  }

  std::size_t bytes = 0;
  RowsOfBox box{};
  std::vector<char> array, message;
  std::vector<std::size_t> places;  // in the array, of each byte of the message
};

TEST(MpiCopy, IsThatOfEachCell) {
  paraiso::Rng rng(31);
  for (int n = 0; n < 2000; ++n) {
    CopyCase one(rng);
    const auto parts = 1 + static_cast<int>(rng.below(5));
    // Each part once, in any order.
    for (int part = parts; part-- > 0;) copy_rows(one.box, ToOrFro::to_message, part, parts);
    for (std::size_t i = 0; i < one.places.size(); ++i)
      ASSERT_EQ(one.message[i], one.array[one.places[i]]) << n;
    std::vector<char> expected = one.array;
    for (std::size_t i = 0; i < one.places.size(); ++i)
      expected[one.places[i]] = one.message[i] = static_cast<char>(i * 7);
    for (int part = 0; part < parts; ++part) copy_rows(one.box, ToOrFro::from_message, part, parts);
    ASSERT_EQ(one.array, expected) << n;
  }
}

TEST(MpiCopy, TakesAllThreadsForMuch) {
  RowsOfBox box{};
  box.axes = 2;
  box.row_bytes = 24;
  box.extents[1] = 300;
  EXPECT_EQ(copying_threads(box.nanoseconds(), 8), 1);
  box.extents[1] = 60000;
  EXPECT_EQ(copying_threads(box.nanoseconds(), 8), 8);
  EXPECT_EQ(copying_threads(box.nanoseconds(), 1), 1);
  box.extents[1] = 1;
  EXPECT_EQ(copying_threads(box.nanoseconds(), 8, 0), 8);
}

}  // namespace
}  // namespace paraiso_mpi
