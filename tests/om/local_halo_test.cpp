// The halo of a leaf as an array with margins: what was sent is put in its place, then the sides
// are filled axis by axis, as generated code fills them. Each cell is that of the whole grid.
#include <gtest/gtest.h>

#include "paraiso/om/cells/sides.hpp"
#include "paraiso/om/interpret/interpret_memory.hpp"
#include "paraiso/om/interpret/leaf_memory.hpp"
#include "paraiso/om/text/print.hpp"
#include "tests/om/exchange_measures.hpp"
#include "tests/support/random_machine.hpp"
#include "tests/support/random_tree.hpp"

namespace paraiso::om {
namespace {

/// One leaf's array of one static.
class LocalHalo {
 public:
  LocalHalo(const Machine& machine, const Memory& whole, StaticId id, const Cell& size, Box core,
            Box wanted)
      : sides_(machine.at(id).boundary), whole_(whole), id_(id), size_(size), box_(wanted) {
    patch_.make_room(wanted);
    core.for_each([&](const Cell& cell) { patch_.put(cell, whole.load(id, 0, cell)); });
  }

  /// A core cell of the whole grid, kept at `place`: beyond the wanted box where a reflection in a
  /// thin leaf reads it.
  void receive(const Cell& cell, const Cell& place) {
    const Box one = {place, plus(place, Cell(place.size(), 1))};
    patch_.make_room(one);
    box_.include(one);
    patch_.put(place, whole_.load(id_, 0, cell));
  }

  void fill() {
    for (std::size_t axis = 0; axis < size_.size(); ++axis)
      if (!is_cyclic(axis))
        box_.for_each([&](const Cell& cell) {
          if (is_beyond(axis, cell) && is_inside_above(axis, cell)) fill(axis, cell);
        });
  }
  [[nodiscard]] const Constant* find(const Cell& cell) const { return patch_.find(cell); }

 private:
  [[nodiscard]] bool is_cyclic(std::size_t a) const { return om::is_cyclic(sides_[a]); }
  [[nodiscard]] bool is_beyond(std::size_t a, const Cell& cell) const {
    return cell[a] < 0 || cell[a] >= size_[a];
  }
  /// Later axes have not been filled yet; beyond a cyclic one lies what was sent.
  [[nodiscard]] bool is_inside_above(std::size_t axis, const Cell& cell) const {
    for (std::size_t a = axis + 1; a < cell.size(); ++a)
      if (is_beyond(a, cell) && !is_cyclic(a)) return false;
    return true;
  }

  void fill(std::size_t axis, const Cell& cell) {
    Cell from = cell;
    bool negative = false;
    while (is_beyond(axis, from)) {
      const bool upper = from[axis] >= size_[axis];
      const Boundary& side = sides_[axis][upper];
      if (const auto* reflect = std::get_if<Reflect>(&side)) {
        from[axis] = upper ? 2 * size_[axis] - 1 - from[axis] : -1 - from[axis];
        negative ^= reflect->sign < 0;
      } else if (std::holds_alternative<Outflow>(side)) {
        from[axis] = upper ? size_[axis] - 1 : 0;
      } else {
        return put(cell, of_side(axis, from), negative);
      }
    }
    // What lies beside a core that the leaf lacks was not wanted either.
    if (const Constant* found = patch_.find(from)) put(cell, *found, negative);
  }

  /// A fixed value, or a boundary kernel's at the cell's index inside later, cyclic, axes.
  [[nodiscard]] Constant of_side(std::size_t axis, Cell cell) const {
    for (std::size_t a = axis + 1; a < cell.size(); ++a)
      while (is_beyond(a, cell)) cell[a] += cell[a] < 0 ? size_[a] : -size_[a];
    return whole_.load(id_, 0, cell);
  }

  void put(const Cell& cell, Constant value, bool negative) {
    Constant result = value;
    if (negative) evaluate(Op::neg, std::span(&value, 1), value.element(), std::span(&result, 1));
    patch_.put(cell, result);
  }

  const std::vector<std::array<Boundary, 2>>& sides_;
  const Memory& whole_;
  StaticId id_;
  const Cell& size_;
  Box box_;
  Patch patch_;
};

TEST(LocalHalo, SentAndFilledAxisByAxisIsThatOfTheWhole) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const Machine machine = test::random_machine(rng, {.operations = 12, .reach = 4});
    const Cell size = test::random_size(rng, machine.dimension, 100);
    const State state = test::random_state(machine, size, rng);
    const Memory whole(machine, state);
    const Orthotree tree = with_warps(machine, test::random_tree(rng, size, 1 + rng.below(12)));
    const auto leaves = tree.leaves(size);
    const auto wants = test::hull_wants(reads_of(machine.kernels[0].graph)[0]);
    const Exchange exchange = communicate(machine, tree, size, wants);
    for (const Want& want : wants)
      for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        const Box& core = leaves[leaf];
        const Box wanted = {plus(core.lower, want.reaches[0].least),
                            plus(core.upper, want.reaches[0].most)};
        LocalHalo halo(machine, whole, want.what, size, core, wanted);
        for (const Transfer& t : exchange.transfers)
          if (t.to == leaf && t.what == want.what)
            t.cells.for_each([&](const Cell& c) { halo.receive(c, plus(c, t.shift)); });
        for (const Image& i : exchange.images)
          if (i.leaf == leaf && i.what == want.what)
            i.cells.for_each([&](const Cell& c) { halo.receive(c, plus(c, i.shift)); });
        halo.fill();
        wanted.for_each([&](const Cell& cell) {
          const Constant* found = halo.find(cell);
          ASSERT_TRUE(found) << print(machine) << print(tree);
          ASSERT_EQ(*found, whole.load(want.what, 0, cell));
          ++checked;
        });
        if (HasFatalFailure()) return;
      }
  }
  EXPECT_GT(checked, 50'000u);
}

}  // namespace
}  // namespace paraiso::om
