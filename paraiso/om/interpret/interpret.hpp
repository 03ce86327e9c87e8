// The interpreter: the reference for what a machine computes. Slow and simple on purpose.
// Gives: Array, State, initial_state, interpret, reduce_tree, kLargestGrid. Needs: Machine,
// evaluate.
#pragma once

#include "paraiso/om/graph/machine.hpp"

namespace paraiso::om {

/// The core cells of a Local static, axis 0 fastest; or the one element of a Global.
struct Array {
  Element element = Element::f64;
  std::vector<std::uint64_t> bits;  // Constant::bits() of each element
  [[nodiscard]] Constant at(std::size_t i) const;
  void set(std::size_t i, Constant value) { bits[i] = value.bits(); }
  friend bool operator==(const Array&, const Array&) = default;
};

/// A machine's memory. `size` has one entry an axis, each >= 1; `arrays` one entry a static.
struct State {
  std::vector<std::int64_t> size;
  std::vector<Array> arrays;
  [[nodiscard]] std::size_t cell_count() const;
};

/// Globals at their `initial` values, Locals zero. Throws Error for a size that is no size.
[[nodiscard]] State initial_state(const Machine& machine, std::vector<std::int64_t> size);

/// Runs one kernel as a transaction: `state` changes only at the end.
void interpret(const Machine& machine, const Kernel& kernel, State& state);

/// Reduces `cells` (core cells, axis 0 fastest) as the machine defines it: sums and products of
/// floats by the fixed tree of docs/om.md, min and max in any order.
[[nodiscard]] Constant reduce_tree(ReduceOp op, Element element,
                                   std::span<const std::uint64_t> cells,
                                   std::span<const std::int64_t> size);

inline constexpr std::size_t kLargestGrid = std::size_t{1} << 32;  // cells that it takes

inline constexpr std::int64_t kChunk = 256;  // cells of axis 0 summed by one set of lanes
inline constexpr std::int64_t kLanes = 16;   // lanes of a chunk

}  // namespace paraiso::om
