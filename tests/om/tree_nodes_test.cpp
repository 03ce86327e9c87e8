// What parts send of a sum, as generated code does: as many numbers as PartialReduction says, and
// the bits of the whole when they are joined.
#include <gtest/gtest.h>

#include <cmath>

#include "paraiso/base/rng.hpp"
#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/om/interpret/partial_reduction.hpp"
#include "paraiso/support/mpi/join.hpp"
#include "tests/support/random_tree.hpp"

namespace paraiso::om {
namespace {

using paraiso_mpi::NodesOf;
using paraiso_support::Reducing;

template <class R, class T>
Reducing share_of(std::vector<T>& items, const std::int64_t* extents, int axes) {
  Reducing share{};
  share.items = items.data();
  share.extents = extents;
  share.axes = axes;
  share.bytes = sizeof(T);
  share.ordered = true;
  share.chunk = [](const void* cells, std::int64_t count, void* result) {
    *static_cast<T*>(result) =
        paraiso_support::reduce_chunk<R>(static_cast<const T*>(cells), count);
  };
  share.tree = [](void* own, const std::int64_t* along, int count, void* result) {
    *static_cast<T*>(result) = paraiso_support::combine_axes<R>(static_cast<T*>(own), along, count);
  };
  return share;
}

template <class R, class T>
class Divided {
 public:
  Divided(const Cell& size, const std::vector<T>& cells) : size_(size), cells_(cells) {}

  T joined(const std::vector<Box>& leaves) {
    std::vector<NodesOf> parts;
    std::vector<std::vector<char>> sent;
    for (const Box& leaf : leaves) {
      parts.emplace_back(size_, leaf.lower, leaf.upper);
      sent.push_back(sent_by(leaf, parts.back()));
    }
    std::vector<paraiso_mpi::PartNumbers> numbers;
    for (std::size_t i = 0; i < parts.size(); ++i) numbers.push_back({&parts[i], sent[i].data()});
    T result{};
    paraiso_mpi::join_nodes(like(), size_, std::move(numbers), &result);
    return result;
  }

 private:
  Reducing like() { return share_of<R, T>(none_, nullptr, 0); }

  /// By a solver whose items are chunks where no cut goes through one, else cells.
  std::vector<char> sent_by(const Box& leaf, const NodesOf& part) {
    const bool of_cells = paraiso_support::cuts_chunks(leaf.lower[0], leaf.upper[0], size_[0]);
    const Box grid = {Cell(size_.size()), size_};
    const auto length = static_cast<std::size_t>(leaf.upper[0] - leaf.lower[0]);
    std::vector<T> items;
    leaf.for_each_row([&](const Cell& first) {
      const T* const row = cells_.data() + grid.position(first);
      for (std::size_t i = 0; i < length; i += of_cells ? 1 : paraiso_support::chunk_cells)
        items.push_back(
            of_cells ? row[i]
                     : paraiso_support::reduce_chunk<R>(
                           row + i, std::min<std::int64_t>(static_cast<std::int64_t>(length - i),
                                                           paraiso_support::chunk_cells)));
    });
    Cell extents = minus(leaf.upper, leaf.lower);
    if (!of_cells) extents[0] = paraiso_mpi::chunks(extents[0]);
    return paraiso_mpi::nodes_of(
        share_of<R, T>(items, extents.data(), static_cast<int>(extents.size())), part, size_);
  }

  Cell size_;
  const std::vector<T>& cells_;
  std::vector<T> none_;
};

template <class R, class T>
void expect_bits_of_the_whole(ReduceOp op, Rng& rng, const Cell& size,
                              const std::vector<Box>& leaves) {
  const Element element = sizeof(T) == 8 ? Element::f64 : Element::f32;
  std::vector<T> cells;
  std::vector<std::uint64_t> bits;
  for (auto n = Box{Cell(size.size(), 0), size}.cell_count(); n > 0; --n) {
    cells.push_back(static_cast<T>(std::ldexp(
        1 + rng.unit(), op == ReduceOp::sum ? static_cast<int>(rng.between(-20, 20)) : 0)));
    bits.push_back(Constant::from_double(element, static_cast<double>(cells.back())).bits());
  }
  if (op == ReduceOp::product)  // neither too large nor too small
    for (std::size_t i = 1; i < cells.size(); i += 2) {
      cells[i] = 1 / cells[i - 1];
      bits[i] = Constant::from_double(element, static_cast<double>(cells[i])).bits();
    }
  EXPECT_EQ(static_cast<double>(Divided<R, T>(size, cells).joined(leaves)),
            reduce_tree(op, element, bits, size).to_double());
}

TEST(TreeNodes, AnyDivisionGivesTheBitsOfTheWhole) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    Cell size;
    for (auto axes = 1 + seed % 4; axes > 0; --axes) size.push_back(rng.between(1, 7));
    if (rng.chance(0.6)) size[0] = rng.between(250, 2100);  // rows of several chunks
    const auto leaves = test::random_tree(rng, size, 1 + rng.below(64)).leaves(size);
    for (const Box& leaf : leaves)
      EXPECT_EQ(static_cast<double>(NodesOf(size, leaf.lower, leaf.upper).count()),
                PartialReduction::count_of(ReduceOp::sum, Element::f64, leaf, size));
    expect_bits_of_the_whole<paraiso_support::Sum, double>(ReduceOp::sum, rng, size, leaves);
    expect_bits_of_the_whole<paraiso_support::Sum, float>(ReduceOp::sum, rng, size, leaves);
    expect_bits_of_the_whole<paraiso_support::Product, double>(ReduceOp::product, rng, size,
                                                               leaves);
  }
}

TEST(TreeNodes, CutsBetweenChunksSendNoCells) {
  Rng rng(1);
  const Cell size = {3000, 5};
  const std::vector<std::int64_t> x = {0, 256, 1280, 2816, 3000}, y = {0, 2, 5};
  std::vector<Box> leaves;
  std::vector<std::size_t> numbers;
  for (std::size_t j = 0; j + 1 < y.size(); ++j)
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      leaves.push_back({{x[i], y[j]}, {x[i + 1], y[j + 1]}});
      numbers.push_back(NodesOf(size, leaves.back().lower, leaves.back().upper).in_line());
    }
  // Chunk 0; 1, 2 and 3, 4; 5, 6 and 7, 8 and 9, 10; 11.
  EXPECT_EQ(numbers, (std::vector<std::size_t>{1, 3, 4, 1, 1, 3, 4, 1}));
  expect_bits_of_the_whole<paraiso_support::Sum, double>(ReduceOp::sum, rng, size, leaves);
}

}  // namespace
}  // namespace paraiso::om
