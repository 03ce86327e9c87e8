// card_memory: where there is a graphics card, its memory is what a grid must fit into.
// Gives: memory_for. Needs: backend, solver_bytes, memory.
#pragma once

#include "paraiso/plan/plan.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::cli {

/// That of the card that runs the program, else of this machine. A card may have room for all
/// arrays and for none as large as one of them: throws Error then.
[[nodiscard]] runtime::MemoryLimit memory_for(const runtime::Backend& backend,
                                              const plan::Plan& plan,
                                              const std::vector<std::int64_t>& size);

}  // namespace paraiso::cli
