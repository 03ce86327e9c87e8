// Reductions on an OpenCL device and as CUDA's text, by kernels: the bits of the tree that
// docs/om.md defines, for every operator and element, in grids that end anywhere in a chunk, a row
// or a plane, some of them drawn with $PARAISO_SEED; with $PARAISO_CASES each reduction in each of
// them. Without any of their barriers they are wrong.
#include "paraiso/codegen/device/reduction_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <random>

#include "paraiso/codegen/device/operators.hpp"
#include "paraiso/om/graph/reduces.hpp"
#include "paraiso/om/interpret/interpret.hpp"
#include "paraiso/support/device/reduce.hpp"
#include "tests/device/layers.hpp"
#include "tests/device/shapes.hpp"

namespace paraiso {
namespace {

using codegen::DeviceReduction;
using om::Constant;
using om::Element;
using om::ReduceOp;
using paraiso_support::Combining;
using paraiso_support::ReductionTree;

std::vector<Element> elements_of(ReduceOp op) {
  if (op == ReduceOp::any || op == ReduceOp::all) return {Element::boolean};
  return {Element::i32, Element::i64, Element::f32, Element::f64};
}

std::set<DeviceReduction> all_reductions(int dimension) {
  std::set<DeviceReduction> all;
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::product, ReduceOp::min, ReduceOp::max,
                            ReduceOp::any, ReduceOp::all})
    for (const Element element : elements_of(op)) all.insert({op, element, dimension});
  return all;
}

/// An array of a grid: where its core lies in it, and what it holds, margins of NaN or of large
/// numbers included.
template <int D>
struct Field {
  std::int64_t size[D], stride[D], before = 0, elements = 1;

  Field(const std::vector<std::int64_t>& cells, std::mt19937_64& random) {
    for (int a = 0; a < D; ++a) {
      const auto margin = static_cast<std::int64_t>(random() % 5);
      size[a] = cells[static_cast<std::size_t>(a)];
      stride[a] = elements;
      before += margin * elements;
      elements *= size[a] + 2 * margin + static_cast<std::int64_t>(random() % 3);
    }
  }

  /// Calls `visit` with the place of each core cell, axis 0 first.
  template <class Visit>
  void each(Visit&& visit) const {
    std::int64_t cells = 1;
    for (const std::int64_t n : size) cells *= n;
    for (std::int64_t c = 0; c < cells; ++c) {
      std::int64_t place = before, rest = c;
      for (int a = 0; a < D; ++a) {
        place += rest % size[a] * stride[a];
        rest /= size[a];
      }
      visit(place);
    }
  }
};

/// Numbers whose sums and products stay in range and depend on their order; `special` may be among
/// them.
template <class T>
T random_cell(std::mt19937_64& random, bool special) {
  if constexpr (std::is_same_v<T, bool>) {
    return random() % 997 != 0;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(random() | 1);  // or products are zero
  } else {
    const T values[] = {T(0), T(-0.0), std::numeric_limits<T>::denorm_min(),
                        std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()};
    if (special && random() % 3 == 0) return values[random() % 5];
    if (special && random() % 2 == 0) return T(-0.0);
    std::uniform_real_distribution<T> size(T(0.999), T(1.001));
    return size(random) * (random() % 2 == 0 ? T(1) : T(-1));
  }
}

template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

template <class T, int D>
std::vector<Stored<T>> random_cells(const Field<D>& field, std::mt19937_64& random) {
  std::vector<Stored<T>> cells(static_cast<std::size_t>(field.elements),
                               std::numeric_limits<T>::has_quiet_NaN
                                   ? Stored<T>(std::numeric_limits<T>::quiet_NaN())
                                   : Stored<T>(1));
  const auto kind = random() % 4;
  const bool zeros = kind == 1;  // a sum of -0 alone is -0
  field.each([&](std::int64_t place) {
    cells[static_cast<std::size_t>(place)] =
        zeros ? Stored<T>(T(-0.0)) : Stored<T>(random_cell<T>(random, kind == 0));
  });
  return cells;
}

template <class T, int D>
Constant by_definition(ReduceOp op, const Field<D>& field, const std::vector<Stored<T>>& cells) {
  std::vector<std::uint64_t> bits;
  field.each([&](std::int64_t place) {
    bits.push_back(Constant(static_cast<T>(cells[static_cast<std::size_t>(place)])).bits());
  });
  return om::reduce_tree(op, om::element_of<T>(), bits, field.size);
}

template <class Layer, class T, int D>
Constant on_device(const DeviceReduction& reduction, const typename Layer::Program& program,
                   const Field<D>& field, const std::vector<Stored<T>>& cells) {
  const auto& device = Layer::device();
  const ReductionTree tree(field.size);
  typename Layer::Memory array(device, cells.size() * sizeof(T));
  typename Layer::Memory partials(device, static_cast<std::size_t>(tree.partials) * sizeof(T));
  array.upload(cells.data(), array.bytes());
  typename Layer::Kernel chunks(program, codegen::chunks_kernel("test", reduction));
  typename Layer::Kernel pairs(program, codegen::tree_kernel("test", reduction));
  const Combining how =
      om::has_order(reduction.op, reduction.element) ? Combining::as_tree : Combining::in_any_order;
  enqueue_reduction(tree, chunks, pairs, array, partials, field.before, field.size, field.stride,
                    how);
  Stored<T> result;
  partials.download(&result, sizeof result);
  return Constant(static_cast<T>(result));
}

template <class Layer, int D>
void expect_equal(const typename Layer::Program& program, const std::vector<std::int64_t>& size,
                  std::mt19937_64& random,
                  const std::set<DeviceReduction>& reductions = all_reductions(D)) {
  const Field<D> field(size, random);
  for (const DeviceReduction& reduction : reductions)
    om::with_element(reduction.element, [&](auto zero) {
      using T = decltype(zero);
      const auto cells = random_cells<T>(field, random);
      const Constant made = on_device<Layer, T>(reduction, program, field, cells);
      EXPECT_EQ(by_definition<T>(reduction.op, field, cells).text(), made.text())
          << codegen::chunks_kernel("test", reduction) << " of "
          << fmt::format("{}", fmt::join(size, "x"));
    });
}

std::string text_of(const codegen::Dialect& dialect, const std::set<DeviceReduction>& reductions) {
  return codegen::device_functions(dialect, codegen::reduction_functions(reductions)) +
         codegen::reduction_kernels(dialect, "test", reductions);
}

std::vector<std::string> kernels_of(const std::set<DeviceReduction>& reductions) {
  std::set<std::string> names;
  for (const DeviceReduction& reduction : reductions) {
    names.insert(codegen::chunks_kernel("test", reduction));
    names.insert(codegen::tree_kernel("test", reduction));
  }
  return {names.begin(), names.end()};
}

template <class Layer>
typename Layer::Built build(int dimension) {
  const codegen::Dialect& dialect = codegen::find_dialect(Layer::dialect);
  const auto reductions = all_reductions(dimension);
  return {dialect.head + text_of(dialect, reductions), kernels_of(reductions), {}};
}

/// PoCL compiles each kernel anew for each number of threads, so that there, shape by shape, every
/// fourth reduction has its turn, but those that have an order always.
template <class Layer>
std::set<DeviceReduction> reductions_in_turn(int dimension, std::size_t turn) {
  const auto all = all_reductions(dimension);
  if (!std::is_same_v<Layer, OpenClLayer> || test::setting("PARAISO_CASES", 0) > 0) return all;
  std::set<DeviceReduction> some;
  for (std::size_t number = 0; const DeviceReduction& reduction : all)
    if (number++ % 4 == turn % 4 || om::has_order(reduction.op, reduction.element))
      some.insert(reduction);
  return some;
}

/// In grids that end anywhere and in some larger ones.
template <class Layer, int D>
void compare_shapes(Shapes more) {
  PARAISO_NEEDS_LAYER(Layer);
  const auto built = build<Layer>(D);
  const std::uint64_t seed = told_seed();
  Rng rng(seed);
  std::ranges::move(edge_shapes(D), std::back_inserter(more));
  std::ranges::move(random_shapes(D, rng, 12, 30'000), std::back_inserter(more));
  std::mt19937_64 random(seed);
  for (std::size_t s = 0; s < more.size(); ++s)
    expect_equal<Layer, D>(built.program, more[s], random, reductions_in_turn<Layer>(D, s));
}

template <class Layer>
void compare_in_one_dimension() {
  compare_shapes<Layer, 1>({{15}, {16}, {17}, {4095}, {65536}, {65537}});
}

template <class Layer>
void compare_in_two_dimensions() {
  if (std::is_same_v<Layer, EmulatedLayer>) return compare_shapes<Layer, 2>({});
  compare_shapes<Layer, 2>({{3, 5000}});  // more chunks than one block combines
}

template <class Layer>
void compare_in_three_dimensions() {
  compare_shapes<Layer, 3>({});
}

/// On the emulation, whose fibers, one a thread, take long, of some reductions only.
template <class Layer>
void compare_a_million_cells() {
  PARAISO_NEEDS_LAYER(Layer);
  auto some = all_reductions(1);
  if (std::is_same_v<Layer, EmulatedLayer>)
    some = {{ReduceOp::sum, Element::f64, 1}, {ReduceOp::min, Element::f32, 1}};
  const codegen::Dialect& dialect = codegen::find_dialect(Layer::dialect);
  const typename Layer::Built built{dialect.head + text_of(dialect, some), kernels_of(some), {}};
  std::mt19937_64 random(1);
  expect_equal<Layer, 1>(built.program, {1'000'003}, random, some);
}

TEST(DeviceReductions, HaveTheTreesBitsInOneDimension) { compare_in_one_dimension<OpenClLayer>(); }
TEST(DeviceReductions, HaveTheTreesBitsInTwoDimensions) {
  compare_in_two_dimensions<OpenClLayer>();
}
TEST(DeviceReductions, HaveTheTreesBitsInThreeDimensions) {
  compare_in_three_dimensions<OpenClLayer>();
}
TEST(DeviceReductions, HaveTheTreesBitsInOneDimensionInCuda) {
  compare_in_one_dimension<EmulatedLayer>();
}
TEST(DeviceReductions, HaveTheTreesBitsInTwoDimensionsInCuda) {
  compare_in_two_dimensions<EmulatedLayer>();
}
TEST(DeviceReductions, HaveTheTreesBitsInThreeDimensionsInCuda) {
  compare_in_three_dimensions<EmulatedLayer>();
}
TEST(DeviceReductions, HaveTheTreesBitsInOneDimensionOnACard) {
  compare_in_one_dimension<CardLayer>();
}
TEST(DeviceReductions, HaveTheTreesBitsInTwoDimensionsOnACard) {
  compare_in_two_dimensions<CardLayer>();
}
TEST(DeviceReductions, HaveTheTreesBitsInThreeDimensionsOnACard) {
  compare_in_three_dimensions<CardLayer>();
}

TEST(DeviceReductions, HaveTheTreesBitsOfAMillionCells) { compare_a_million_cells<OpenClLayer>(); }
TEST(DeviceReductions, HaveTheTreesBitsOfAMillionCellsInCuda) {
  compare_a_million_cells<EmulatedLayer>();
}
TEST(DeviceReductions, HaveTheTreesBitsOfAMillionCellsOnACard) {
  compare_a_million_cells<CardLayer>();
}

// --- without a barrier ---

/// Whether a reduction's bits are right, in all orders of threads.
template <class T>
bool right_in_all_orders(const DeviceReduction& reduction, const std::string& text) {
  const EmulatedSource source(text, kernels_of({reduction}));
  std::mt19937_64 random(4);
  const Field<2> field({300, 7}, random);  // 16 chunks: both kernels have something to combine
  for (const char* order : {"ascending", "descending", "random"}) {
    const SetOrder set(order);
    const auto program = source.load(emulated_device());
    for (int trial = 0; trial < 8; ++trial) {
      const auto cells = random_cells<T>(field, random);
      const Constant made = on_device<EmulatedLayer, T>(reduction, program, field, cells);
      if (made.text() != by_definition<T>(reduction.op, field, cells).text()) return false;
    }
  }
  return true;
}

TEST(DeviceReductions, NeedEachOfTheirBarriers) {
  const codegen::Dialect& cuda = codegen::find_dialect("cuda");
  const std::string barrier = std::string(cuda.barrier) + ";";
  int barriers = 0;
  for (const DeviceReduction& reduction : all_reductions(2))
    om::with_element(reduction.element, [&](auto zero) {
      using T = decltype(zero);
      const std::string text = text_of(cuda, {reduction});
      EXPECT_TRUE(right_in_all_orders<T>(reduction, text)) << codegen::chunks_kernel("", reduction);
      for (std::size_t at = text.find(barrier); at != text.npos; at = text.find(barrier, at + 1)) {
        ++barriers;
        EXPECT_FALSE(right_in_all_orders<T>(reduction, std::string(text).erase(at, barrier.size())))
            << codegen::chunks_kernel("", reduction) << " does not miss the barrier at " << at;
      }
    });
  EXPECT_EQ(barriers, 36);
}

// --- the host's half ---

TEST(ReductionTree, PadsEachAxisToAPowerOfTwo) {
  const ReductionTree tree({300, 5, 1});
  EXPECT_EQ(tree.bits, (std::vector<std::int64_t>{1, 3, 0}));
  EXPECT_EQ(tree.levels[0].items, 16);
  EXPECT_EQ(tree.levels[0].first, 1);
  EXPECT_EQ(tree.partials, 17);
}

TEST(ReductionTree, OfOneChunkHasOneLaunch) {
  const ReductionTree tree({256});
  ASSERT_EQ(tree.levels.size(), 1u);
  EXPECT_EQ(tree.levels[0].first, 0);
  EXPECT_EQ(tree.partials, 1);
}

TEST(ReductionTree, OfManyChunksHasALaunchForEachFactor256) {
  const ReductionTree tree({1 << 20, 64});  // 2^12 chunks a row, 2^18 in all
  ASSERT_EQ(tree.levels.size(), 4u);
  EXPECT_EQ(tree.levels[1].items, 1 << 10);
  EXPECT_EQ(tree.levels[2].items, 4);
  EXPECT_EQ(tree.levels[3].items, 1);
  EXPECT_EQ(tree.partials, 1 + (1 << 18) + (1 << 10) + 4);
}

/// Counts launches, and the threads of the last one.
struct CountedKernel {
  int launches = 0;
  std::size_t threads = 0;

  template <class... Arguments>
  void launch(const std::array<std::size_t, 3>& all, const std::array<std::size_t, 3>& block,
              const Arguments&...) {
    ++launches;
    threads = all[0];
    EXPECT_LE(block[0], 256u);
  }
};

TEST(ReductionTree, InAnyOrderTakesTwoLaunches) {
  const std::int64_t size[] = {512, 512, 512};
  const ReductionTree tree(size);
  EXPECT_EQ(tree.levels[0].items, 1 << 19);
  for (const auto& [how, launches] :
       {std::pair(Combining::in_any_order, 1), {Combining::as_tree, 3}}) {
    CountedKernel chunks, pairs;
    enqueue_reduction(tree, chunks, pairs, 0, 0, 0, size, size, how);
    EXPECT_EQ(chunks.launches, 1);
    EXPECT_EQ(pairs.launches, launches);
    EXPECT_EQ(chunks.threads, 16u * (how == Combining::in_any_order ? 4096 : 1 << 19));
    CountedKernel of_blocks;  // as many partial results that blocks have left
    enqueue_pairs(tree, of_blocks, 0, how);
    EXPECT_EQ(of_blocks.launches, how == Combining::in_any_order ? 2 : 3);
  }
}

/// What very many blocks have left.
template <class Layer>
void combine_what_blocks_left() {
  PARAISO_NEEDS_LAYER(Layer);
  const DeviceReduction sum{ReduceOp::sum, Element::i64, 1};
  const codegen::Dialect& dialect = codegen::find_dialect(Layer::dialect);
  const typename Layer::Built built{dialect.head + text_of(dialect, {sum}), kernels_of({sum}), {}};
  const ReductionTree tree({256 << 17});
  std::vector<std::int64_t> leaves(static_cast<std::size_t>(tree.partials));
  for (std::size_t leaf = 1; leaf <= 1 << 17; ++leaf)
    leaves[leaf] = static_cast<std::int64_t>(leaf * leaf);
  typename Layer::Memory partials(Layer::device(), leaves.size() * 8);
  partials.upload(leaves.data(), partials.bytes());
  typename Layer::Kernel pairs(built.program, codegen::tree_kernel("test", sum));
  enqueue_pairs(tree, pairs, partials, Combining::in_any_order);
  std::int64_t result = 0;
  partials.download(&result, sizeof result);
  constexpr std::int64_t n = 1 << 17;
  EXPECT_EQ(result, n * (n + 1) * (2 * n + 1) / 6);
}

TEST(DeviceReductions, CombineWhatManyBlocksLeft) { combine_what_blocks_left<OpenClLayer>(); }
TEST(DeviceReductions, CombineWhatManyBlocksLeftInCuda) {
  combine_what_blocks_left<EmulatedLayer>();
}
TEST(DeviceReductions, CombineWhatManyBlocksLeftOnACard) { combine_what_blocks_left<CardLayer>(); }

}  // namespace
}  // namespace paraiso
