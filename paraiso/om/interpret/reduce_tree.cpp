// reduce_tree: the definition of a reduction, by recursion, one cell and one combination at a time.
#include <bit>

#include "paraiso/om/interpret/interpret.hpp"

namespace paraiso::om {
namespace {

class Tree {
 public:
  Tree(Op op, Element element, std::span<const std::uint64_t> cells,
       std::span<const std::int64_t> size)
      : op_(op), element_(element), cells_(cells), size_(size) {}

  [[nodiscard]] Constant result() const { return along(static_cast<int>(size_.size()) - 1, 0); }

  [[nodiscard]] Constant cell(std::size_t i) const { return Array{element_, {cells_[i]}}.at(0); }

  [[nodiscard]] Constant combine(Constant x, Constant y) const {
    Constant result;
    evaluate(op_, std::array{x, y}, element_, std::span(&result, 1));
    return result;
  }

 private:
  /// Combines item(0), ..., item(n - 1): one item is the result; more are split at the largest
  /// power of two below n.
  template <class Item>
  [[nodiscard]] Constant split(std::int64_t first, std::int64_t n, const Item& item) const {
    if (n == 1) return item(first);
    const auto half = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n - 1)));
    return combine(split(first, half, item), split(first + half, n - half, item));
  }

  /// All cells of axes 0 to `axis` at the place `base` on the axes above, counted in cells of
  /// `axis`.
  [[nodiscard]] Constant along(int axis, std::int64_t base) const {
    const std::int64_t n = size_[axis];
    if (axis > 0) return split(0, n, [&](std::int64_t i) { return along(axis - 1, base * n + i); });
    return split(0, (n + kChunk - 1) / kChunk, [&](std::int64_t chunk) {
      const std::int64_t first = chunk * kChunk;
      return this->chunk(base * n + first, std::min(kChunk, n - first));
    });
  }

  [[nodiscard]] Constant chunk(std::int64_t first, std::int64_t n) const {
    return split(0, std::min(kLanes, n), [&](std::int64_t lane) {
      Constant total = cell(first + lane);
      for (std::int64_t i = lane + kLanes; i < n; i += kLanes)
        total = combine(total, cell(first + i));
      return total;
    });
  }

  Op op_;
  Element element_;
  std::span<const std::uint64_t> cells_;
  std::span<const std::int64_t> size_;
};

bool is_nan(Constant x) { return is_float(x.element()) && std::isnan(x.to_double()); }

/// Min or max: NaN if any cell is NaN, else the extreme cell, zeros as +0.
Constant extreme(const Tree& tree, std::size_t cells) {
  Constant result = tree.cell(0);
  for (std::size_t i = 0; i < cells; ++i) {
    if (is_nan(tree.cell(i))) return tree.cell(i);
    result = tree.combine(tree.cell(i), result);
  }
  return result.to_double() == 0 ? Constant::from_double(result.element(), 0) : result;
}

Op operator_of(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum: return Op::add;
    case ReduceOp::product: return Op::mul;
    case ReduceOp::min: return Op::min;
    case ReduceOp::max: return Op::max;
    case ReduceOp::any: return Op::or_;
    case ReduceOp::all: return Op::and_;
  }
  return Op::add;
}

}  // namespace

Constant reduce_tree(ReduceOp op, Element element, std::span<const std::uint64_t> cells,
                     std::span<const std::int64_t> size) {
  const Tree tree(operator_of(op), element, cells, size);
  if (op == ReduceOp::min || op == ReduceOp::max) return extreme(tree, cells.size());
  return tree.result();
}

}  // namespace paraiso::om
