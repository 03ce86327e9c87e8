// What emitted programs compute of their parts when they run is what `even_division` and
// `communicate` say, and each cell that is read comes from its owner, once.
#include "paraiso/support/mpi/parts.hpp"

#include <gtest/gtest.h>

#include <set>

#include "paraiso/om/divide/wide_halo.hpp"
#include "paraiso/support/mpi/wide.hpp"
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
  [[nodiscard]] const std::vector<paraiso_mpi::FieldSides<D>>& sides() const { return sides_; }
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

std::vector<int> index_axes(const Graph& graph) {
  std::vector<int> axes;
  for (std::size_t n = 0; n < graph.node_count(); ++n)
    if (const auto* load = std::get_if<LoadIndex>(&graph.node(NodeId(n)).instruction))
      axes.push_back(load->axis);
  return axes;
}

template <int D>
paraiso_mpi::WideKernel<D> wide_kernel(const Machine& machine, const Kernel& kernel) {
  paraiso_mpi::WideKernel<D> wide{&kernel == machine.step_kernel(), {}, index_axes(kernel.graph)};
  for (const StaticId id : stored_by(machine, kernel))
    wide.stores.push_back(static_cast<int>(id.index));
  for (const auto& boundary : machine.boundary_kernels)
    std::ranges::copy(index_axes(boundary.graph), std::back_inserter(wide.indices));
  wide.reads = Parts<D>::readings(exact_wants(reads_of(kernel.graph)[0]));
  return wide;
}

/// A cell that goes from one part to another, and by how far it is shifted there.
using Sent = std::tuple<std::size_t, std::size_t, std::size_t, Cell, Cell>;

struct WideSeen {
  int wide = 0, narrow = 0, exchanges = 0, none = 0;
};

template <int D>
void compare_wide(const Machine& machine, const Cell& size, std::int64_t ranks, int steps, Rng& rng,
                  WideSeen& seen) {
  const Orthotree tree = with_warps(machine, even_division(size, ranks));
  const Parts<D> parts(machine, size);
  auto sides = parts.sides();
  const auto field =
      std::ranges::find_if(machine.statics, [](auto& s) { return s.type.is_local(); });
  for (std::size_t s = 0; s < sides.size(); ++s)  // those of scalars count for nothing
    if (!machine.statics[s].type.is_local()) sides[s] = sides[field - machine.statics.begin()];
  const auto cores = parts.divided(ranks);
  std::vector<std::vector<Want>> wants;
  std::vector<paraiso_mpi::WideKernel<D>> kernels;
  for (const Kernel& kernel : machine.kernels) {
    wants.push_back(exact_wants(reads_of(kernel.graph)[0]));
    kernels.push_back(wide_kernel<D>(machine, kernel));
  }
  const auto expected = WideHalo::of(machine, tree, size, wants, steps);
  const paraiso_mpi::Wide<D> wide(sides, kernels, array_of<D>(size), cores, steps);
  ASSERT_EQ(wide.is_possible(), expected.has_value());
  ++(expected ? seen.wide : seen.narrow);
  if (!expected) return;
  for (std::size_t leaf = 0; leaf < cores.size(); ++leaf)
    ASSERT_EQ(box_of<D>(wide.computed(static_cast<int>(leaf))), expected->computed()[leaf]);
  Depths right = expected->none();
  auto found = wide.nothing();
  for (int call = 0; call < 12; ++call) {
    const std::size_t k = rng.below(machine.kernels.size());
    std::set<Sent> sent, received;
    for (const Transfer& t : expected->exchange(expected->due(k, right)).transfers)
      t.cells.for_each(
          [&](const Cell& cell) { sent.emplace(t.from, t.to, t.what.index, cell, t.shift); });
    const auto due = wide.due(k, found);
    for (std::size_t to = 0; to < cores.size(); ++to)
      for (const auto& need : wide.needs(cores[to], due))
        for (std::size_t from = 0; from < cores.size(); ++from) {
          const auto cells = need.cells.common(cores[from]);
          if (cells.count() == 0) continue;
          const Cell shift(need.shift.begin(), need.shift.end());
          box_of<D>(cells).for_each([&](const Cell& cell) {
            EXPECT_TRUE(
                received.emplace(from, to, static_cast<std::size_t>(need.field), cell, shift)
                    .second);
          });
        }
    ASSERT_EQ(received, sent);
    ++(due.empty() ? seen.none : seen.exchanges);
    expected->ran(k, right);
    wide.ran(k, found);
    for (std::size_t s = 0; s < right.size(); ++s) ASSERT_EQ(found[s], array_of<D>(right[s]));
  }
}

TEST(MpiParts, ExchangeOnceForSeveralStepsAsRanksDo) {
  WideSeen seen;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Machine machine = test::random_machine(rng, {.operations = 10, .reach = 2});
    Cell size = test::random_size(rng, machine.dimension, 100);
    for (std::int64_t& n : size) n += 4;
    const std::int64_t ranks = 2 + rng.below(4);
    const int steps = 2 + static_cast<int>(rng.below(3));
    switch (machine.dimension) {
      case 1: compare_wide<1>(machine, size, ranks, steps, rng, seen); break;
      case 2: compare_wide<2>(machine, size, ranks, steps, rng, seen); break;
      case 3: compare_wide<3>(machine, size, ranks, steps, rng, seen); break;
      default: compare_wide<4>(machine, size, ranks, steps, rng, seen);
    }
  }
  EXPECT_GT(seen.wide, 30);
  EXPECT_GT(seen.narrow, 30);
  EXPECT_GT(seen.exchanges, 100);
  EXPECT_GT(seen.none, 50);
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
