// Reductions as kernels, by the fixed tree of docs/om.md: the bits of
// paraiso/support/reduction.hpp. Gives: DeviceReduction, combining_function, identity,
// makes_zeros_positive, chunks_kernel, tree_kernel, reduction_functions, reduction_kernels. Needs:
// Dialect, operators.
//
// The operand lies in an array that is laid out as all arrays of a solver. The first kernel makes
// one partial result a chunk of 256 cells; the second one combines up to 256 of them, again and
// again until one is left. Chunks of a row, rows and planes are each padded to a power of two with
// the identity, which changes no bit: so all of them are one binary tree. Where the order does not
// matter, the first kernel leaves a few thousand partial results of any grid, which one launch of
// the second one combines. The host's half, which launches both, is
// paraiso/support/device/reduce.hpp.
#pragma once

#include <set>
#include <string>

#include "paraiso/codegen/device/dialect.hpp"
#include "paraiso/om/graph/instruction.hpp"

namespace paraiso::codegen {

struct DeviceReduction {
  om::ReduceOp op;
  om::Element element;
  int dimension;
  friend auto operator<=>(const DeviceReduction&, const DeviceReduction&) = default;
};

/// Of two values: `add_f64`, `min_or_nan_f32`.
[[nodiscard]] std::string combining_function(const DeviceReduction& reduction);
/// What changes no bit of what it is combined with.
[[nodiscard]] om::Constant identity(const DeviceReduction& reduction);
/// Whether the result is +0 where it is zero: of min and max of floats.
[[nodiscard]] bool makes_zeros_positive(const DeviceReduction& reduction);

/// "heat_reduce_sum_f64_3d", of chunks, for the solver `heat`.
[[nodiscard]] std::string chunks_kernel(const std::string& solver,
                                        const DeviceReduction& reduction);
/// "heat_reduce_sum_f64_tree", the same for all dimensions.
[[nodiscard]] std::string tree_kernel(const std::string& solver, const DeviceReduction& reduction);

/// What these kernels call: to be defined before them (device_functions).
[[nodiscard]] std::set<std::string> reduction_functions(
    const std::set<DeviceReduction>& reductions);
[[nodiscard]] std::string reduction_kernels(const Dialect& dialect, const std::string& solver,
                                            const std::set<DeviceReduction>& reductions);

}  // namespace paraiso::codegen
