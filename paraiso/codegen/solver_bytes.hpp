// solver_bytes: the bytes that an instance of a generated solver allocates, before it is generated.
// Gives: BytesOfSize, solver_bytes, array_bytes, mirror_bytes, largest_array_bytes, part_bytes.
// Needs: plan, and the support header's own arithmetic.
#pragma once

#include <functional>
#include <vector>

#include "paraiso/plan/plan.hpp"

namespace paraiso::codegen {

/// For a grid of that many cells along each axis.
using BytesOfSize = std::function<double(const std::vector<std::int64_t>& size)>;

/// The result of `bytes(size)` in the class generated from `plan`: all arrays of its grid, statics
/// and spare ones, with their margins. A double, so that no size overflows.
[[nodiscard]] double solver_bytes(const plan::Plan& plan, const std::vector<std::int64_t>& size);
/// Of the arrays alone, without what a processor's have between them.
[[nodiscard]] double array_bytes(const plan::Plan& plan, const std::vector<std::int64_t>& size);
/// Of the host's copy of the largest field that lies on a device: it has one at a time.
[[nodiscard]] double mirror_bytes(const plan::Plan& plan, const std::vector<std::int64_t>& size);
/// Of its largest array.
[[nodiscard]] double largest_array_bytes(const plan::Plan& plan,
                                         const std::vector<std::int64_t>& size);
/// As solver_bytes, for a part of a divided grid, of that size.
[[nodiscard]] double part_bytes(const plan::Plan& plan, const std::vector<std::int64_t>& size);

}  // namespace paraiso::codegen
