// Reductions of parts, joined: the same bits whatever the division and the order.
#include "paraiso/om/interpret/partial_reduction.hpp"

#include <gtest/gtest.h>

#include "paraiso/base/rng.hpp"
#include "paraiso/om/interpret/interpret.hpp"
#include "tests/support/random_tree.hpp"

namespace paraiso::om {
namespace {

Constant random_cell(Rng& rng, Element element, bool special) {
  const double values[] = {std::nan(""), INFINITY, -INFINITY, -0.0, 0.0, 1e300, -1e300};
  if (special && rng.chance(0.1)) return Constant::from_double(element, values[rng.below(7)]);
  return Constant::from_double(
      element, std::ldexp(rng.unit() - 0.5, static_cast<int>(rng.between(-20, 20))));
}

/// The cells of each leaf, reduced, then joined in a random order.
std::optional<Constant> in_parts(ReduceOp op, Element element, const std::vector<Constant>& cells,
                                 const Cell& size, const Orthotree& tree, Rng& rng) {
  const Box grid = {Cell(size.size(), 0), size};
  std::vector<PartialReduction> parts;
  for (const Box& leaf : tree.leaves(size)) {
    std::vector<Constant> own;
    leaf.for_each([&](const Cell& cell) { own.push_back(cells[grid.position(cell)]); });
    parts.emplace_back(op, element, size).add(leaf, own);
  }
  while (parts.size() > 1) {
    const auto other = rng.below(parts.size() - 1);
    parts[other].merge(parts.back());
    parts.pop_back();
    if (parts.size() > 1) {
      EXPECT_FALSE(parts[other].result());
    }
  }
  return parts[0].result();
}

TEST(PartialReduction, AnyDivisionGivesTheBitsOfTheWhole) {
  constexpr Element kElements[] = {Element::f64, Element::f32, Element::i32, Element::i64,
                                   Element::boolean};
  int ordered = 0;  // cases whose order matters
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Cell size;
    for (auto axes = 1 + seed % 4; axes > 0; --axes) size.push_back(rng.between(1, 7));
    if (rng.chance(0.5)) size[0] = rng.between(250, 1100);  // rows of several chunks
    const Element element = kElements[rng.below(5)];
    const ReduceOp op = element == Element::boolean
                            ? (rng.chance(0.5) ? ReduceOp::any : ReduceOp::all)
                            : static_cast<ReduceOp>(rng.below(4));
    const bool special = rng.chance(0.3);
    std::vector<Constant> cells;
    std::vector<std::uint64_t> bits;
    for (auto n = Box{Cell(size.size(), 0), size}.cell_count(); n > 0; --n) {
      cells.push_back(random_cell(rng, element, special));
      bits.push_back(cells.back().bits());
    }
    const auto tree = test::random_tree(rng, size, 1 + rng.below(64));
    const Constant whole = reduce_tree(op, element, bits, size);
    const auto joined = in_parts(op, element, cells, size, tree, rng);
    ASSERT_TRUE(joined);
    EXPECT_EQ(*joined, whole) << name(op) << " of " << name(element);
    ordered += is_float(element) && op == ReduceOp::sum && tree.leaf_count() > 1;
  }
  EXPECT_GT(ordered, 20);
}

TEST(PartialReduction, WithoutAllCellsHasNoResult) {
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max}) {
    PartialReduction part(op, Element::f64, {300, 2});
    const std::vector<Constant> row(300, Constant(1.0));
    part.add({{0, 0}, {300, 1}}, row);
    EXPECT_FALSE(part.result());
    part.add({{0, 1}, {200, 2}}, std::span(row).first(200));
    EXPECT_FALSE(part.result());
    part.add({{200, 1}, {300, 2}}, std::span(row).first(100));
    ASSERT_TRUE(part.result());
    EXPECT_EQ(*part.result(), Constant(op == ReduceOp::sum ? 600.0 : 1.0));
  }
}

// What a leaf has to send: few numbers where it has whole planes or rows.
TEST(PartialReduction, OfWholePlanesAreFewNumbers) {
  const Cell size = {512, 64, 100};
  const auto count = [&](const Box& box) {
    EXPECT_EQ(PartialReduction::count_of(ReduceOp::max, Element::f64, box, size), 1);
    PartialReduction part(ReduceOp::sum, Element::f64, size);
    part.add(box, std::vector<Constant>(box.cell_count(), Constant(1.0)));
    return part.count();
  };
  EXPECT_EQ(count({{0, 0, 0}, {512, 64, 1}}), 1u);
  EXPECT_EQ(count({{0, 0, 0}, {512, 64, 16}}), 1u);
  EXPECT_EQ(count({{0, 0, 1}, {512, 64, 16}}), 4u);   // 1, 2, 4 and 8 planes
  EXPECT_EQ(count({{0, 0, 4}, {512, 32, 8}}), 4u);    // half a plane each
  EXPECT_EQ(count({{256, 0, 0}, {512, 4, 2}}), 8u);   // half a row each
  EXPECT_EQ(count({{200, 0, 0}, {512, 1, 1}}), 57u);  // a part of a chunk is its cells
  PartialReduction extreme(ReduceOp::max, Element::f64, size);
  extreme.add({{0, 0, 0}, {300, 1, 1}}, std::vector<Constant>(300, Constant(1.0)));
  EXPECT_EQ(extreme.count(), 1u);
}

TEST(PartialReduction, NumbersAreCountedWithoutCells) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Cell size;
    for (auto axes = 1 + seed % 4; axes > 0; --axes) size.push_back(rng.between(1, 13));
    if (rng.chance(0.7)) size[0] = rng.between(250, 1900);
    for (const Box& leaf : test::random_tree(rng, size, 1 + rng.below(5)).leaves(size)) {
      PartialReduction part(ReduceOp::sum, Element::f64, size);
      part.add(leaf, std::vector<Constant>(leaf.cell_count(), Constant(1.0)));
      EXPECT_EQ(PartialReduction::count_of(ReduceOp::sum, Element::f64, leaf, size), part.count());
    }
  }
}

}  // namespace
}  // namespace paraiso::om
