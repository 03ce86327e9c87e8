// Divisions of a grid: their leaves, text, cuts that move.
#include "paraiso/om/divide/orthotree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "paraiso/base/rng.hpp"
#include "tests/support/random_tree.hpp"

namespace paraiso::om {
namespace {

template <class F>
std::string refusal_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Five leaves on 60 x 60: cuts of x differ on the two sides of that of y.
Orthotree five_leaves() {
  const auto two = [](std::int64_t at) { return Orthotree::divide(0, at, {}, {}); };
  return Orthotree::divide(1, 30, two(20), Orthotree::divide(0, 40, two(15), {}));
}

TEST(Orthotree, ALeafIsTheWholeGrid) {
  EXPECT_EQ(Orthotree().leaves({7, 5}), (std::vector<Box>{{{0, 0}, {7, 5}}}));
  EXPECT_EQ(print(Orthotree()), "leaf\n");
  EXPECT_EQ(Orthotree().leaf_count(), 1u);
}

TEST(Orthotree, CutsOnTwoSidesOfACutNeedNotMeet) {
  const std::vector<Box> expected = {{{0, 0}, {20, 30}},
                                     {{20, 0}, {60, 30}},
                                     {{0, 30}, {15, 60}},
                                     {{15, 30}, {40, 60}},
                                     {{40, 30}, {60, 60}}};
  EXPECT_EQ(five_leaves().leaves({60, 60}), expected);
  EXPECT_EQ(five_leaves().leaf_count(), 5u);
  EXPECT_EQ(five_leaves().leaves_in({{18, 29}, {41, 31}}), (std::vector<std::size_t>{0, 1, 3, 4}));
  EXPECT_TRUE(five_leaves().leaves_in({{3, 3}, {3, 9}}).empty());
}

TEST(Orthotree, PrintsAsItIsRead) {
  const Orthotree tree = Orthotree::warp(0, Orthotree::warp(1, five_leaves()));
  const std::string text =
      "warp 0\n"
      "  warp 1\n"
      "    divide 1 at 30\n"
      "      divide 0 at 20\n"
      "        leaf\n"
      "        leaf\n"
      "      divide 0 at 40\n"
      "        divide 0 at 15\n"
      "          leaf\n"
      "          leaf\n"
      "        leaf\n";
  EXPECT_EQ(print(tree), text);
  EXPECT_EQ(parse_orthotree(text), tree);
  EXPECT_EQ(parse_orthotree("# two parts\ndivide 1 at 3 leaf # lower\n\n leaf"),
            Orthotree::divide(1, 3, {}, {}));
}

TEST(Orthotree, MalformedTextIsRefusedAtItsLine) {
  const auto complaint = [](const std::string& text) {
    return refusal_of([&] { (void)parse_orthotree(text, "d.tree"); });
  };
  EXPECT_EQ(complaint(""),
            "d.tree:1: error: the text ends here, expected 1 more part: is the file cut?");
  EXPECT_EQ(complaint("divide 0 at 3\nleaf\ndivide 0 at 4\n"),
            "d.tree:3: error: the text ends here, expected 2 more parts: is the file cut?");
  EXPECT_EQ(complaint("leaf\nleaf\n"),
            "d.tree:2: error: expected nothing after a whole division, got `leaf`");
  EXPECT_EQ(complaint("cut 0 at 3"),
            "d.tree:1: error: expected `leaf`, `warp` or `divide`, got `cut`");
  EXPECT_EQ(complaint("divide 16 at 3"),
            "d.tree:1: error: expected an axis from 0 to 15, got `16`");
  EXPECT_EQ(complaint("warp -1 leaf"), "d.tree:1: error: expected an axis from 0 to 15, got `-1`");
  EXPECT_EQ(complaint("divide 0 3"), "d.tree:1: error: expected `at`, got `3`");
  for (const std::string at : {"0", "-4", "x", "3x", "99999999999999999999"})
    EXPECT_EQ(
        complaint("divide 0 at " + at),
        "d.tree:1: error: expected the first cell of the upper side, 1 or more, got `" + at + "`");
  EXPECT_EQ(complaint("divide 0 at"),
            "d.tree:1: error: expected the first cell of the upper side, 1 or more, got the end of "
            "the line");
  std::string many;
  for (std::size_t i = 0; i <= Orthotree::kMostNodes; ++i) many += "warp 0 ";
  EXPECT_EQ(complaint(many), "d.tree:1: error: more than 2097152 nodes");
}

TEST(Orthotree, AnyTextIsADivisionOrAnError) {
  Rng rng(20261125);
  const Cell size = {9, 8, 7};
  int trees = 0, errors = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = print(test::random_tree(rng, size, 1 + rng.below(6)));
    for (auto edits = rng.between(1, 2); edits > 0; --edits) {
      const auto at = rng.below(text.size() + 1);
      switch (rng.below(4)) {
        case 0: text.insert(at, 1, static_cast<char>(rng.below(256))); break;
        case 1: text.erase(at, rng.below(6)); break;
        case 2: text.insert(at, text.substr(rng.below(text.size() + 1), rng.below(12))); break;
        default: text.insert(at, 1, "0123456789 \n#-"[rng.below(14)]);
      }
    }
    try {
      const Orthotree tree = parse_orthotree(text, "fuzz");
      EXPECT_EQ(parse_orthotree(print(tree)), tree);
      ++trees;
      if (tree.complaint(size).empty()) {
        EXPECT_EQ(tree.leaves(size).size(), tree.leaf_count());
      }
    } catch (const Error& error) {
      ASSERT_TRUE(error.diagnostics()[0].location.known()) << error.what();
      ++errors;
    }
  }
  EXPECT_GT(trees, 300);
  EXPECT_GT(errors, 300);
}

TEST(Orthotree, DeepOnesAreReadAndWalked) {
  std::string text;
  const int depth = 200'000;
  for (int i = depth; i > 0; --i) text += "divide 0 at " + std::to_string(i) + "\n";
  for (int i = 0; i <= depth; ++i) text += "leaf\n";
  const Orthotree tree = parse_orthotree(text);
  const auto leaves = tree.leaves({depth + 1});
  EXPECT_EQ(leaves.size(), depth + 1u);
  EXPECT_EQ(tree.leaves_in({{77}, {79}}), (std::vector<std::size_t>{77, 78}));
  EXPECT_EQ(parse_orthotree(print(tree)), tree);
}

TEST(Orthotree, WhatDividesNoGridIsTold) {
  const Orthotree tree = five_leaves();
  EXPECT_EQ(tree.complaint({60, 60}), "");
  EXPECT_EQ(tree.complaint({60}), "the division names axis 1, the grid has 1 axis");
  EXPECT_EQ(tree.complaint({40, 60}),
            "the cut of axis 0 at 40 leaves fewer than 1 cell on one side of [0, 40)");
  EXPECT_EQ(tree.complaint({60, 60}, 16),
            "the cut of axis 0 at 15 leaves fewer than 16 cells on one side of [0, 40)");
  EXPECT_EQ(refusal_of([&] {
              (void)tree.leaves({60, 30});
            }),
            "error: the cut of axis 1 at 30 leaves fewer than 1 cell on one side of [0, 30)");
  EXPECT_EQ(Orthotree::divide(0, 3, Orthotree::warp(1, {}), {}).complaint({9, 9}),
            "the warp of axis 1 lies below a cut");
  EXPECT_EQ(Orthotree::warp(1, Orthotree::warp(1, {})).complaint({9, 9}), "axis 1 is warped twice");
  EXPECT_EQ(Orthotree::warp(2, {}).complaint({9, 9}),
            "the division names axis 2, the grid has 2 axes");
}

TEST(Orthotree, CutsMoveWhereEachPartKeepsItsCells) {
  const Orthotree tree = five_leaves();
  EXPECT_EQ(tree.cuts(), (std::vector<std::size_t>{0, 1, 4, 5}));
  const Orthotree moved = tree.with_cut(4, 50);
  EXPECT_EQ(moved.leaves({60, 60})[3], (Box{{15, 30}, {50, 60}}));
  EXPECT_EQ(tree.with_cut(4, 15).complaint({60, 60}),
            "the cut of axis 0 at 15 leaves fewer than 1 cell on one side of [0, 15)");
  EXPECT_EQ(refusal_of([&] { (void)tree.with_cut(2, 5); }),
            "error: node 2 of the division is no cut");
}

TEST(Orthotree, OnlyWhatWasOneIsMerged) {
  const Orthotree tree = five_leaves();
  EXPECT_EQ(Orthotree().with_leaf_divided(0, 1, 4).with_leaves_merged(0), Orthotree());
  EXPECT_EQ(tree.with_leaf_divided(3, 1, 40).leaf_count(), 6u);
  for (std::size_t leaf = 0; leaf < 5; ++leaf) {
    const Orthotree divided = tree.with_leaf_divided(leaf, 1, leaf < 2 ? 5 : 50);
    EXPECT_EQ(divided.leaves({60, 60}).size(), 6u);
    const auto cuts = divided.cuts();
    const auto own = std::ranges::find_if(
        cuts, [&](std::size_t n) { return divided.nodes()[n].at == (leaf < 2 ? 5 : 50); });
    EXPECT_EQ(divided.with_leaves_merged(*own), tree);
  }
  EXPECT_EQ(refusal_of([&] { (void)tree.with_leaves_merged(4); }),
            "error: node 4 of the division is no cut between two leaves");
  EXPECT_EQ(refusal_of([&] { (void)tree.with_leaf_divided(5, 0, 1); }),
            "error: the division has only 5 leaves");
}

// A property of all trees: their leaves are disjoint and fill the grid.
TEST(Orthotree, LeavesHaveEachCellOnce) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Cell size;
    for (auto axes = 1 + seed % 4; axes > 0; --axes) size.push_back(rng.between(1, 7));
    const Box grid = {Cell(size.size(), 0), size};
    Orthotree tree = test::random_tree(rng, size, 1 + rng.below(64));
    for (int moves = 0; moves < 5; ++moves) {
      std::vector<int> owners(grid.cell_count());
      const auto leaves = tree.leaves(size);
      for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        ASSERT_FALSE(leaves[leaf].empty());
        EXPECT_EQ(tree.leaves_in(leaves[leaf]), std::vector{leaf});
        leaves[leaf].for_each([&](const Cell& cell) { ++owners[grid.position(cell)]; });
      }
      EXPECT_EQ(owners, std::vector<int>(owners.size(), 1));
      tree = test::random_move(rng, tree, size);
    }
  }
}

std::string sizes_of(const Orthotree& tree, const Cell& size) {
  std::string text;
  for (const Box& box : tree.leaves(size)) {
    for (std::size_t a = 0; a < size.size(); ++a)
      text += (a ? "x" : text.empty() ? "" : " ") + std::to_string(box.upper[a] - box.lower[a]);
  }
  return text;
}

TEST(Division, RegularOnesAreAsEqualAsMayBe) {
  EXPECT_EQ(sizes_of(regular_division({10, 9}, {1, 4}), {10, 9}), "10x2 10x2 10x2 10x3");
  EXPECT_EQ(sizes_of(regular_division({10, 9}, {3, 2}), {10, 9}), "3x4 3x4 4x4 3x5 3x5 4x5");
  EXPECT_EQ(parts_along_axes(regular_division({10, 9}, {3, 2}), 2), (Cell{3, 2}));
  EXPECT_EQ(parts_along_axes(even_division({10, 9}, 3), 2), (Cell{1, 3}));
  EXPECT_EQ(parts_along_axes({}, 3), (Cell{1, 1, 1}));
  EXPECT_EQ(refusal_of([] {
              (void)regular_division({10, 9}, {3});
            }),
            "error: the division 3 has 1 numbers, the grid 2 axes");
  EXPECT_EQ(refusal_of([] {
              (void)regular_division({10, 9}, {1, 10});
            }),
            "error: axis 1 of 9 cells can't be cut into 10 parts");
}

TEST(Division, EvenOnesCutLongAxesAndRowsLast) {
  EXPECT_EQ(sizes_of(even_division({64, 64}, 4), {64, 64}), "64x16 64x16 64x16 64x16");
  EXPECT_EQ(sizes_of(even_division({8, 8, 8}, 8), {8, 8, 8}),
            "8x4x2 8x4x2 8x4x2 8x4x2 8x4x2 8x4x2 8x4x2 8x4x2");
  EXPECT_EQ(sizes_of(even_division({9}, 3), {9}), "3 3 3");
  // Long rows are cut between chunks of 256 cells.
  EXPECT_EQ(sizes_of(even_division({100000}, 3), {100000}), "33280 33280 33440");
  EXPECT_EQ(sizes_of(even_division({8000}, 2), {8000}), "4000 4000");
  EXPECT_EQ(sizes_of(even_division({5, 2}, 10), {5, 2}), "1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1 1x1");
  EXPECT_EQ(refusal_of([] {
              (void)even_division({3, 2}, 7);
            }),
            "error: a grid of 3x2 cells can't be divided into 7 parts");
  EXPECT_EQ(refusal_of([] {
              (void)even_division({3, 2}, 0);
            }),
            "error: a grid of 3x2 cells can't be divided into 0 parts");
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    Cell size;
    for (auto axes = 1 + seed % 4; axes > 0; --axes) size.push_back(rng.between(1, 9));
    const auto cells = static_cast<std::int64_t>(Box{Cell(size.size(), 0), size}.cell_count());
    const std::int64_t leaves = rng.between(1, cells);
    const Orthotree tree = even_division(size, leaves);
    EXPECT_EQ(tree.complaint(size), "") << seed;
    EXPECT_EQ(tree.leaf_count(), static_cast<std::size_t>(leaves)) << seed;
  }
}

TEST(Division, SmallGridsAreDividedEvenly) {
  for (const std::int64_t n : {33, 48, 64, 96})
    for (const std::int64_t leaves : {3, 7, 8, 12, 16, 24, 27, 32, 48, 64, 100}) {
      const Cell size = {n, n, n};
      std::size_t most = 0;
      for (const Box& leaf : even_division(size, leaves).leaves(size))
        most = std::max(most, leaf.cell_count());
      const double ideal = static_cast<double>(n * n * n) / static_cast<double>(leaves);
      EXPECT_LE(static_cast<double>(most), 1.105 * ideal) << n << " into " << leaves;
    }
  // Where halves are as good, they are what neighbours that meet need.
  EXPECT_EQ(parts_along_axes(even_division({96, 96, 96}, 16), 3), (Cell{1, 4, 4}));
}

}  // namespace
}  // namespace paraiso::om
