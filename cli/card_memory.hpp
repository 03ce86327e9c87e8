// card_memory: where there is a graphics card, its memory is what a grid must fit into.
// Gives: memory_for, require_arrays_fit. Needs: plan, solver_bytes, memory.
#pragma once

#include <optional>

#include "paraiso/plan/plan.hpp"
#include "paraiso/runtime/system/memory.hpp"
#include "paraiso/support/device/report.hpp"

namespace paraiso::cli {

/// Of the card that runs the program, else of this machine.
[[nodiscard]] runtime::MemoryLimit memory_for(
    const std::optional<paraiso_support::DeviceReport>& card);

/// A card may have room for all arrays and for none as large as one of them: throws Error then.
void require_arrays_fit(const plan::Plan& plan, const std::vector<std::int64_t>& size,
                        const paraiso_support::DeviceReport& card);

}  // namespace paraiso::cli
