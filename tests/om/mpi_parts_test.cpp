// What emitted programs compute of their parts when they run is what `even_division` and
// `communicate` say, and each cell that is read comes from its owner, once.
#include "paraiso/support/mpi/parts.hpp"

#include <gtest/gtest.h>

#include <set>

#include "paraiso/om/distribute.hpp"
#include "tests/support/cells_read.hpp"
#include "tests/support/random_machine.hpp"

namespace paraiso::om {
namespace {

template <int D>
paraiso_mpi::Cell<D> array_of(const Cell& cell) {
  paraiso_mpi::Cell<D> array{};
  std::ranges::copy(cell, array.begin());
  return array;
}
template <int D>
Box box_of(const paraiso_mpi::Cells<D>& cells) {
  return {Cell(cells.begin.begin(), cells.begin.end()), Cell(cells.end.begin(), cells.end.end())};
}

paraiso_mpi::Side rule_of(const Boundary& boundary) {
  using paraiso_mpi::Side;
  return std::visit(
      Overload{
          [](const Cyclic&) { return Side::cyclic; },
          [](const Outflow&) { return Side::outflow; },
          [](const Reflect& r) { return r.sign < 0 ? Side::reflect_negative : Side::reflect; },
          [](const Fixed&) { return Side::value; },
          [](const UserBoundary&) { return Side::value; },
      },
      boundary);
}

/// A machine as emitted code has it. Fields are numbered as statics.
template <int D>
class Parts {
 public:
  using Reading = paraiso_mpi::Reading<D>;

  Parts(const Machine& machine, const Cell& size) : size_(size) {
    for (const Static& s : machine.statics) {
      paraiso_mpi::FieldSides<D>& field = sides_.emplace_back();
      for (std::size_t a = 0; a < s.boundary.size(); ++a)
        for (int upper : {0, 1}) field.sides[a][upper] = border(machine, s.boundary[a][upper]);
    }
  }

  static std::vector<Reading> readings(const std::vector<Want>& wants) {
    std::vector<Reading> list;
    for (const Want& want : wants)
      for (const Reach& reach : want.reaches)
        list.push_back(
            {static_cast<int>(want.what.index), array_of<D>(reach.least), array_of<D>(reach.most)});
    return list;
  }

  [[nodiscard]] std::vector<paraiso_mpi::Cells<D>> divided(std::int64_t parts) const {
    return paraiso_mpi::divide<D>(array_of<D>(size_), parts);
  }
  [[nodiscard]] std::vector<paraiso_mpi::Need<D>> needs(const paraiso_mpi::Cells<D>& core,
                                                        const std::vector<Want>& wants) const {
    paraiso_mpi::Needs<D> needs(sides_, array_of<D>(size_), core);
    for (const Reading& reading : readings(wants)) needs.add(reading);
    return needs.all();
  }
  [[nodiscard]] bool computes_sides() const {
    for (const auto& field : sides_)
      for (const auto& axis : field.sides)
        if (!axis[0].reads.empty() || !axis[1].reads.empty()) return true;
    return false;
  }

 private:
  static paraiso_mpi::Border<D> border(const Machine& machine, const Boundary& boundary) {
    paraiso_mpi::Border<D> border{rule_of(boundary)};
    if (const auto* user = std::get_if<UserBoundary>(&boundary)) {
      const auto& kernel = machine.boundary_kernels[user->kernel.index];
      border.reads = readings(exact_wants(reads_of(kernel.graph, kernel.result)[0]));
    }
    return border;
  }

  Cell size_;
  std::vector<paraiso_mpi::FieldSides<D>> sides_;
};

using Kept = std::set<std::pair<StaticId, Cell>>;

/// Where each leaf keeps cells beside its core, but for those beyond a cyclic axis that it has
/// whole, if `inside`: it fills them from its own.
std::vector<Kept> places(const Exchange& exchange, const std::vector<Box>& leaves, const Cell& size,
                         bool inside) {
  std::vector<Kept> kept(leaves.size());
  const auto keep = [&](std::size_t leaf, StaticId what, const Box& cells, const Cell& shift) {
    for (std::size_t a = 0; a < size.size(); ++a)
      if (inside && shift[a] != 0 && leaves[leaf].upper[a] - leaves[leaf].lower[a] == size[a])
        return;
    moved(cells, shift).for_each([&](const Cell& cell) { kept[leaf].emplace(what, cell); });
  };
  for (const Transfer& t : exchange.transfers) keep(t.to, t.what, t.cells, t.shift);
  for (const Image& i : exchange.images) keep(i.leaf, i.what, i.cells, i.shift);
  return kept;
}

struct Seen {
  std::size_t cells = 0, computed = 0;
};

template <int D>
void compare(const Machine& machine, const Cell& size, std::int64_t ranks, Seen& seen) {
  const Orthotree tree = with_warps(machine, even_division(size, ranks));
  const auto leaves = tree.leaves(size);
  const Parts<D> parts(machine, size);
  const auto cores = parts.divided(ranks);
  ASSERT_EQ(cores.size(), leaves.size());
  seen.computed += parts.computes_sides();
  for (const Kernel& kernel : machine.kernels) {
    const auto wants = exact_wants(reads_of(kernel.graph)[0]);
    const auto kept =
        places(communicate(machine, tree, size, wants), leaves, size, !parts.computes_sides());
    test::CellsRead oracle(machine, size, 0);
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      ASSERT_EQ(box_of<D>(cores[leaf]), leaves[leaf]);
      std::set<test::CellsRead::Read> received;
      Kept here;
      for (const auto& need : parts.needs(cores[leaf], wants)) {
        const StaticId what(static_cast<std::size_t>(need.field));
        const Cell shift(need.shift.begin(), need.shift.end());
        box_of<D>(need.cells).for_each([&](const Cell& cell) {
          if (!leaves[leaf].holds(cell)) received.emplace(what, cell);
          EXPECT_TRUE(here.emplace(what, plus(cell, shift)).second) << "kept twice";
          ++seen.cells;
        });
      }
      ASSERT_EQ(received, oracle.reads(kernel, leaves[leaf]));
      ASSERT_EQ(here, kept[leaf]);
    }
  }
}

TEST(MpiParts, NeedWhatLeavesAreSent) {
  Seen seen;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Machine machine =
        test::random_machine(rng, {.operations = 16, .reach = seed % 5 == 0 ? 8 : 4});
    const Cell size = test::random_size(rng, machine.dimension, 150);
    std::int64_t cells = 1;
    for (const std::int64_t n : size) cells *= n;
    const std::int64_t ranks = std::min<std::int64_t>(cells, 1 + rng.below(24));
    switch (machine.dimension) {
      case 1: compare<1>(machine, size, ranks, seen); break;
      case 2: compare<2>(machine, size, ranks, seen); break;
      case 3: compare<3>(machine, size, ranks, seen); break;
      default: ASSERT_EQ(machine.dimension, 4); compare<4>(machine, size, ranks, seen);
    }
  }
  EXPECT_GT(seen.cells, 10'000u);
  EXPECT_GT(seen.computed, 20u);
}

TEST(MpiParts, AreThoseOfEvenDivision) {
  for (std::int64_t x = 1; x <= 7; ++x)
    for (std::int64_t y : {1, 2, 5, 64, 1000})
      for (std::int64_t ranks = 1; ranks <= std::min<std::int64_t>(x * y, 70); ++ranks) {
        const auto leaves = even_division({x, y}, ranks).leaves({x, y});
        const auto cores = paraiso_mpi::divide<2>({x, y}, ranks);
        ASSERT_EQ(cores.size(), leaves.size());
        for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
          ASSERT_EQ(box_of<2>(cores[leaf]), leaves[leaf]) << x << 'x' << y << " by " << ranks;
      }
}

}  // namespace
}  // namespace paraiso::om
