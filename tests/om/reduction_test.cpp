// Reductions: the interpreter's definition, the helpers of generated code, and that they agree.
#include "paraiso/support/reduction.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "paraiso/base/rng.hpp"
#include "paraiso/om/interpret/interpret.hpp"

namespace paraiso::om {
namespace {

using Size = std::vector<std::int64_t>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

std::int64_t product(const Size& size) {
  return std::accumulate(size.begin(), size.end(), std::int64_t{1}, std::multiplies<>());
}

/// As the interpreter reduces.
template <class T>
Constant defined(ReduceOp op, const std::vector<T>& cells, const Size& size) {
  std::vector<std::uint64_t> bits;
  for (T x : cells) bits.push_back(Constant(x).bits());
  return reduce_tree(op, element_of<T>(), bits, size);
}

template <class T>
std::string defined_text(ReduceOp op, const std::vector<T>& cells) {
  return defined(op, cells, {static_cast<std::int64_t>(cells.size())}).text();
}

/// As generated code reduces: chunks of each row, then trees along the axes.
template <class R, class T>
Constant generated(const T* cells, const Size& size) {
  using namespace paraiso_support;
  Size extents = {(size[0] + chunk_cells - 1) / chunk_cells};
  extents.insert(extents.end(), size.begin() + 1, size.end());
  auto partials = std::make_unique<T[]>(product(extents));
  std::int64_t count = 0;
  for (std::int64_t row = 0; row < product(size) / size[0]; ++row)
    for (std::int64_t first = 0; first < size[0]; first += chunk_cells)
      partials[count++] =
          reduce_chunk<R>(cells + row * size[0] + first, std::min(chunk_cells, size[0] - first));
  return Constant(
      combine_axes<R>(partials.get(), extents.data(), static_cast<int>(extents.size())));
}

// --- examples ---

// The example of docs/om.md: exact would be 3, one after the other 1.
TEST(ReduceTree, FiveCellsAddInPairs) {
  const std::vector<double> cells = {1, 0x1p53, 1, -0x1p53, 1};
  EXPECT_EQ(defined_text(ReduceOp::sum, cells), "2");
}

// The second example of docs/om.md: lane 0 adds cells 0 and 16 first.
TEST(ReduceTree, CellsSixteenApartShareALane) {
  std::vector<double> cells(18, 0.0);
  cells[0] = 0x1p53;
  cells[1] = 1;
  cells[16] = -0x1p53;
  cells[17] = 1;
  EXPECT_EQ(defined_text(ReduceOp::sum, cells), "2");
  std::swap(cells[16], cells[17]);
  EXPECT_EQ(defined_text(ReduceOp::sum, cells), "1");
}

TEST(ReduceTree, ChunksStartEvery256Cells) {
  std::vector<double> cells(257, 0.0);
  cells[0] = 0x1p53;
  cells[1] = 1;
  cells[256] = -0x1p53;  // a chunk of its own, so it comes after the 1 is lost
  EXPECT_EQ(defined_text(ReduceOp::sum, cells), "0");
  std::swap(cells[255], cells[256]);
  cells[240] = cells[255];  // in lane 0 of the first chunk
  cells[255] = 0;
  EXPECT_EQ(defined_text(ReduceOp::sum, cells), "1");
}

TEST(ReduceTree, RowsAreReducedBeforeTheyAreCombined) {
  const std::vector<double> cells = {0x1p53, 1, -0x1p53, 0};
  EXPECT_EQ(defined(ReduceOp::sum, cells, {2, 2}).text(), "0");
  EXPECT_EQ(defined(ReduceOp::sum, cells, {4}).text(), "0");
  const std::vector<double> column = {0x1p53, 1, 1, -0x1p53, 1, 0};
  EXPECT_EQ(defined(ReduceOp::sum, column, {2, 3}).text(), "2");  // (2^53 + (1 - 2^53)) + 1
  EXPECT_EQ(defined(ReduceOp::sum, column, {1, 6}).text(), "2");
  EXPECT_EQ(defined(ReduceOp::sum, column, {3, 2}).text(), "1");  // ((2^53 + 1) + 1) - ...
}

// The test vector of docs/om.md: cell i of the whole grid, counted along axis 0 first, is 1 / (1 +
// i).
template <class T>
std::uint64_t harmonic_bits(const Size& size) {
  std::vector<T> cells;
  for (std::int64_t i = 0; i < product(size); ++i) cells.push_back(T{1} / static_cast<T>(1 + i));
  return defined(ReduceOp::sum, cells, size).bits();
}

TEST(ReduceTree, HarmonicSumsHaveTheDocumentedBits) {
  EXPECT_EQ(harmonic_bits<float>({1000}), 0x40ef88fau);
  EXPECT_EQ(harmonic_bits<float>({300, 5}), 0x40fc812fu);
  EXPECT_EQ(harmonic_bits<double>({1000}), 0x401df11f45f4e61au);
  EXPECT_EQ(harmonic_bits<double>({7, 5, 3}), 0x4014f197ba87d948u);
}

TEST(ReduceTree, NegativeZeroIsKeptBySums) {
  EXPECT_EQ(defined_text<double>(ReduceOp::sum, {-0.0, -0.0, -0.0}), "-0");
  EXPECT_EQ(defined_text<double>(ReduceOp::sum, {-0.0, 0.0, -0.0}), "0");
  EXPECT_EQ(defined_text<float>(ReduceOp::product, {-0.0f, 1.0f}), "-0");
}

TEST(ReduceTree, MinAndMaxHaveNoOrder) {
  EXPECT_EQ(defined_text<double>(ReduceOp::min, {3, -2, 5}), "-2");
  EXPECT_EQ(defined_text<double>(ReduceOp::max, {3, -2, 5}), "5");
  EXPECT_EQ(defined_text<double>(ReduceOp::min, {3, kNan, 5}), "nan");
  EXPECT_EQ(defined_text<double>(ReduceOp::max, {kNan, 3, 5}), "nan");
  EXPECT_EQ(defined_text<double>(ReduceOp::min, {-0.0, 0.0}), "0");
  EXPECT_EQ(defined_text<double>(ReduceOp::max, {-0.0, -0.0}), "0");
  EXPECT_EQ(defined_text<double>(ReduceOp::min, {kUnbounded}), "inf");
  EXPECT_EQ(defined_text<std::int32_t>(ReduceOp::max, {-3, -7}), "-3");
}

TEST(ReduceTree, IntegersWrapAndBoolsCombine) {
  EXPECT_EQ(defined_text<std::int32_t>(ReduceOp::sum, {INT32_MAX, 1}), "-2147483648");
  EXPECT_EQ(defined_text<std::int64_t>(ReduceOp::product, {INT64_MAX, 2}), "-2");
  EXPECT_EQ(defined_text<bool>(ReduceOp::any, {false, true, false}), "true");
  EXPECT_EQ(defined_text<bool>(ReduceOp::any, {false}), "false");
  EXPECT_EQ(defined_text<bool>(ReduceOp::all, {true, true}), "true");
  EXPECT_EQ(defined_text<bool>(ReduceOp::all, {true, false}), "false");
}

// --- a property: the helpers of generated code give the defined bits ---

template <class T>
T random_cell(Rng& rng, bool extreme) {
  if (extreme && rng.chance(0.02)) {
    const double special[] = {kNan, kUnbounded, -kUnbounded, -0.0, 0.0, 1e300, -1e300};
    return Constant::from_double(element_of<T>(), special[rng.below(7)]).template as<T>();
  }
  return static_cast<T>(std::ldexp(rng.unit() - 0.5, static_cast<int>(rng.between(-3, 8))));
}

const std::vector<Size>& sizes() {
  static const std::vector<Size> all = [] {
    std::vector<Size> sizes;
    for (std::int64_t n = 1; n <= 70; ++n) sizes.push_back({n});
    for (std::int64_t n : {255, 256, 257, 271, 272, 273, 511, 512, 513, 1500}) sizes.push_back({n});
    sizes.insert(sizes.end(), {{1, 1},
                               {3, 7},
                               {17, 5},
                               {300, 6},
                               {2, 3, 5},
                               {33, 4, 7},
                               {258, 2, 3},
                               {3, 1, 2, 5},
                               {1, 9, 1}});
    return sizes;
  }();
  return all;
}

template <class R, class T>
void expect_agreement(ReduceOp op) {
  Rng rng(7);
  for (const Size& size : sizes()) {
    for (bool extreme : {false, true}) {
      std::vector<T> cells(product(size));
      for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = random_cell<T>(rng, extreme);
      auto plain = std::make_unique<T[]>(cells.size());
      std::copy(cells.begin(), cells.end(), plain.get());
      EXPECT_EQ((generated<R>(plain.get(), size)), defined(op, cells, size))
          << name(op) << " of " << cells.size() << " " << name(element_of<T>());
    }
  }
}

template <class T>
void expect_agreement_of_numbers() {
  expect_agreement<paraiso_support::Sum, T>(ReduceOp::sum);
  expect_agreement<paraiso_support::Product, T>(ReduceOp::product);
  expect_agreement<paraiso_support::Min, T>(ReduceOp::min);
  expect_agreement<paraiso_support::Max, T>(ReduceOp::max);
}

TEST(ReduceHelpers, AgreeWithTheDefinition) {
  expect_agreement_of_numbers<float>();
  expect_agreement_of_numbers<double>();
  expect_agreement_of_numbers<std::int32_t>();
  expect_agreement_of_numbers<std::int64_t>();
  expect_agreement<paraiso_support::Any, bool>(ReduceOp::any);
  expect_agreement<paraiso_support::All, bool>(ReduceOp::all);
}

TEST(ReduceHelpers, ChunksAreThoseOfTheDefinition) {
  EXPECT_EQ(paraiso_support::chunk_cells, kChunk);
  EXPECT_EQ(paraiso_support::chunk_lanes, kLanes);
}

// A property of the tree itself: a NaN anywhere is seen, a minimum anywhere is found.
TEST(ReduceHelpers, ExtremesAreFoundInEveryCell) {
  for (std::int64_t n : {1, 15, 16, 17, 255, 256}) {
    for (std::int64_t at = 0; at < n; ++at) {
      std::vector<double> cells(n, 2.0);
      cells[at] = -1;
      EXPECT_EQ(paraiso_support::reduce_chunk<paraiso_support::Min>(cells.data(), n), -1);
      cells[at] = 3;
      EXPECT_EQ(paraiso_support::reduce_chunk<paraiso_support::Max>(cells.data(), n), 3);
      cells[at] = kNan;
      EXPECT_TRUE(std::isnan(paraiso_support::reduce_chunk<paraiso_support::Min>(cells.data(), n)));
    }
  }
}

}  // namespace
}  // namespace paraiso::om
