// What ranks send each other before a kernel, as counted where it is sent.
#pragma once

#include <string>

#include "paraiso/om/divide/orthotree.hpp"
#include "paraiso/runtime/build/compile.hpp"

namespace paraiso::test {

/// Compares what the ranks of a division really send before each kernel of a program with the cells
/// that they read and do not own, found cell by cell; then that with what `show --plan` tells.
/// Gives the first difference. Rank by rank, at most one message goes to each peer.
[[nodiscard]] std::string unlike_minimum(const runtime::Library& library, const om::Cell& size,
                                         const om::Orthotree& tree);

}  // namespace paraiso::test
