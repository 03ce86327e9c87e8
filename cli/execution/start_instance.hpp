// start_instance: memory for a prepared program, of this process or of several ranks.
// Gives: MoreBytes, process_bytes, start_instance. Needs: prepared.
#pragma once

#include <functional>

#include "cli/prepared/prepared.hpp"
#include "paraiso/runtime/build/compile.hpp"

namespace paraiso::cli {

/// What a caller allocates for a grid of that size in addition.
using MoreBytes = std::function<double(const om::Machine&, const std::vector<std::int64_t>&)>;

/// Of each rank all that its process takes: its part, what more the run takes for that, messages,
/// what it packs and rank 0 receives to write files, and as much as this process has already, which
/// is the program itself.
[[nodiscard]] std::vector<double> process_bytes(const Prepared& prepared,
                                                const MoreBytes& more_bytes);

/// With `balance`, moves of cuts are told on standard error. One of several processes that does not
/// drive the others works for the one that does, and then there is none.
[[nodiscard]] std::unique_ptr<runtime::Instance> start_instance(const Prepared& prepared,
                                                                bool balance,
                                                                const runtime::Library& library,
                                                                runtime::World* world);

}  // namespace paraiso::cli
