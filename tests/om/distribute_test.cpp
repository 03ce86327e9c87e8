// Who sends what: exactly the cells that a leaf reads and does not own, from their owners, once.
#include "paraiso/om/divide/distribute.hpp"

#include <gtest/gtest.h>

#include <set>

#include "paraiso/om/cells/ghost_sources.hpp"
#include "paraiso/om/cells/sides.hpp"
#include "paraiso/om/text/print.hpp"
#include "tests/om/exchange_measures.hpp"
#include "tests/support/cells_read.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/random_tree.hpp"

namespace paraiso::om {
namespace {

struct ExchangeCase {
  Machine machine;
  Cell size;
  Orthotree tree;
};
ExchangeCase exchange_of(std::uint64_t seed) {
  Rng rng(seed);
  ExchangeCase c{
      test::random_machine(rng, {.operations = 16, .reach = seed % 5 == 0 ? 8 : 4}), {}, {}};
  c.size = test::random_size(rng, c.machine.dimension, 150);
  c.tree = with_warps(c.machine, test::random_tree(rng, c.size, 1 + rng.below(24)));
  return c;
}

// The minimum of bytes, in the least number of messages.
TEST(Communicate, SendsWhatIsReadAndNotOwnedOnceAndNothingElse) {
  std::size_t sent = 0, twice_kept = 0;
  for (std::uint64_t seed = 0; seed < 350; ++seed) {
    SCOPED_TRACE(seed);
    const auto [machine, size, tree] = exchange_of(seed);
    const auto leaves = tree.leaves(size);
    for (const Kernel& kernel : machine.kernels) {
      const Exchange exchange =
          communicate(machine, tree, size, exact_wants(reads_of(kernel.graph)[0]));
      std::vector<std::set<test::CellsRead::Read>> received(leaves.size());
      for (const Transfer& t : exchange.transfers) {
        EXPECT_NE(t.from, t.to);
        t.cells.for_each([&](const Cell& cell) {
          EXPECT_TRUE(leaves[t.from].holds(cell));
          EXPECT_TRUE(received[t.to].insert({t.what, cell}).second) << "sent twice";
          ++sent;
        });
      }
      test::CellsRead oracle(machine, size, 0);
      std::set<std::pair<std::size_t, std::size_t>> peers;
      for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        ASSERT_EQ(received[leaf], oracle.reads(kernel, leaves[leaf])) << print(machine);
      }
      std::size_t messages = 0;  // of transfers that stand together
      for (const Transfer* last = nullptr; const Transfer& t : exchange.transfers) {
        if (!last || last->from != t.from || last->to != t.to) ++messages;
        last = &t;
        peers.insert({t.from, t.to});
      }
      EXPECT_EQ(messages, peers.size());
      twice_kept += exchange.images.size();
    }
  }
  EXPECT_GT(sent, 10'000u);
  EXPECT_GT(twice_kept, 100u);
}

Machine stencil(const std::string& sides, const std::string& shifts) {
  return parse("paraiso 1\nmachine m dimension 2\nstatic f local f64\n" + sides +
               "kernel k\n%0 = load f\n" + shifts + "end\nend machine\n");
}
const std::string kBothCyclic = "boundary 0 cyclic cyclic\nboundary 1 cyclic cyclic\n";
const std::string kStar =
    "%1 = shift %0 (1, 0)\n%2 = shift %0 (-1, 0)\n%3 = shift %0 (0, 1)\n%4 = shift %0 (0, -1)\n"
    "%5 = add %1 %2\n%6 = add %3 %4\n%7 = add %5 %6\nstore f %7\n";

TEST(Communicate, NoCornersForAStar) {
  const Machine machine = stencil(kBothCyclic, kStar);
  const Cell size = {9, 9};
  const Orthotree tree = with_warps(machine, regular_division(size, {3, 3}));
  const auto reads = reads_of(machine.kernels[0].graph)[0];
  const Exchange star = communicate(machine, tree, size, exact_wants(reads));
  EXPECT_EQ(test::message_count(star), 9 * 4u);
  EXPECT_EQ(star.transfers.size(), 9 * 4u);
  for (const Transfer& t : star.transfers) EXPECT_EQ(t.cells.cell_count(), 3u);
  const Exchange hull = communicate(machine, tree, size, test::hull_wants(reads));
  EXPECT_EQ(test::message_count(hull), 9 * 8u);
}

// A leaf that is its own neighbour sends nothing; one halo as wide as the grid needs a cell once.
TEST(Communicate, ACellThatIsReadAtTwoPlacesIsSentOnce) {
  const Machine machine = stencil(kBothCyclic,
                                  "%1 = shift %0 (0, 5)\n%2 = shift %0 (0, -5)\n%3 = add %1 %2\n"
                                  "store f %3\n");
  const Cell size = {4, 10};
  const auto wants = exact_wants(reads_of(machine.kernels[0].graph)[0]);
  const Orthotree whole = with_warps(machine, {});
  EXPECT_TRUE(communicate(machine, whole, size, wants).transfers.empty());
  EXPECT_FALSE(communicate(machine, whole, size, wants).images.empty());
  const Orthotree halves = with_warps(machine, regular_division(size, {1, 2}));
  const Exchange exchange = communicate(machine, halves, size, wants);
  ASSERT_EQ(exchange.transfers.size(), 2u);  // x - 5 and x + 5 are the same cells
  EXPECT_EQ(exchange.transfers[0].cells.cell_count(), 20u);
  EXPECT_EQ(exchange.images.size(), 2u);
}

TEST(Communicate, AThinLeafIsSentWhatReflectionsReadBeyondIt) {
  const Machine machine = stencil("boundary 0 outflow outflow\nboundary 1 reflect + outflow\n",
                                  "%1 = shift %0 (0, 3)\nstore f %1\n");
  const Cell size = {4, 10};
  const Orthotree tree = Orthotree::divide(1, 1, {}, {});
  const Exchange exchange =
      communicate(machine, tree, size, exact_wants(reads_of(machine.kernels[0].graph)[0]));
  ASSERT_EQ(exchange.transfers.size(), 2u);
  EXPECT_EQ(exchange.transfers[0].cells, (Box{{0, 0}, {4, 1}}));  // y - 3 of y = 3
  EXPECT_EQ(exchange.transfers[1].to, 0u);
  EXPECT_EQ(exchange.transfers[1].cells, (Box{{0, 2}, {4, 3}}));  // -3 reads 2
}

TEST(Communicate, ACyclicAxisNeedsItsWarp) {
  const Machine machine = stencil(kBothCyclic, kStar);
  const Orthotree tree = Orthotree::warp(0, Orthotree::divide(0, 3, {}, {}));
  try {
    (void)communicate(machine, tree, {9, 9}, exact_wants(reads_of(machine.kernels[0].graph)[0]));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "error: `f` is cyclic along axis 1, and the division has no warp there");
  }
}

// Along one axis, index by index: what the rules of docs/om.md say.
TEST(Segments, CoverEachIndexOnceAndMapItAsTheRulesSay) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const std::int64_t n = rng.between(1, 6), begin = rng.between(-20, 5);
    const std::int64_t end = begin + rng.between(1, 30);
    const std::vector<Boundary> rules = {Outflow{}, Reflect{1}, Reflect{-1}, Fixed{Constant(2.0)},
                                         UserBoundary{}};
    std::array<Boundary, 2> sides = {rules[rng.below(5)], rules[rng.below(5)]};
    if (rng.chance(0.25)) sides = {Cyclic{}, Cyclic{}};
    std::map<std::int64_t, const Segment*> by_index;
    const auto segments = segments_of(begin, end, n, sides);
    for (const Segment& s : segments)
      for (std::int64_t i = s.begin; i < s.end; ++i) EXPECT_TRUE(by_index.emplace(i, &s).second);
    ASSERT_EQ(by_index.size(), static_cast<std::size_t>(end - begin));
    for (const auto& [i, segment] : by_index) {
      std::int64_t k = i;
      const Boundary* filled = nullptr;
      while ((k < 0 || k >= n) && !filled) {
        const Boundary& side = sides[k >= n];
        if (std::holds_alternative<Cyclic>(side))
          k += k < 0 ? n : -n;
        else if (std::holds_alternative<Outflow>(side))
          k = k < 0 ? 0 : n - 1;
        else if (std::holds_alternative<Reflect>(side))
          k = k < 0 ? -1 - k : 2 * n - 1 - k;
        else
          filled = &side;
      }
      EXPECT_EQ(segment->filled, filled) << i;
      EXPECT_TRUE(segment->first <= k && k < segment->last) << i;
      const auto images = segment->last - segment->first;
      EXPECT_TRUE(images == segment->end - segment->begin || images == 1);
      EXPECT_EQ(segment->shift, is_cyclic(sides) ? i - k : 0);
    }
  }
}

TEST(Redivide, MovesEachCellFromItsOldOwnerToItsNewOne) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Cell size = {rng.between(1, 9), rng.between(1, 9), rng.between(1, 5)};
    const auto before = test::random_tree(rng, size, 1 + rng.below(16));
    const auto after = test::random_tree(rng, size, 1 + rng.below(16));
    const auto old = before.leaves(size), fresh = after.leaves(size);
    std::set<Cell> cells;
    for (const Move& move : redivide(before, after, size))
      move.cells.for_each([&](const Cell& cell) {
        EXPECT_TRUE(old[move.from].holds(cell) && fresh[move.to].holds(cell));
        EXPECT_TRUE(cells.insert(cell).second);
      });
    EXPECT_EQ(cells.size(), (Box{{0, 0, 0}, size}).cell_count());
  }
}

TEST(Redivide, SplitAndMergeMoveOnlyWhatChangesItsOwner) {
  const Orthotree one, two = one.with_leaf_divided(0, 0, 3);
  const auto split = redivide(one, two, {8});
  ASSERT_EQ(split.size(), 2u);
  EXPECT_EQ(split[1].to, 1u);
  EXPECT_EQ(split[1].cells, (Box{{3}, {8}}));
  const auto merged = redivide(two, two.with_leaves_merged(0), {8});
  ASSERT_EQ(merged.size(), 2u);
  EXPECT_EQ(merged[1].from, 1u);
}

}  // namespace
}  // namespace paraiso::om
