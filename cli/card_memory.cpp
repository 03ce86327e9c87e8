#include "cli/card_memory.hpp"

#include <fmt/format.h>

#include "paraiso/codegen/solver_bytes.hpp"

namespace paraiso::cli {

runtime::MemoryLimit memory_for(const std::optional<paraiso_support::DeviceReport>& card) {
  if (!card) return runtime::available_memory();
  return {card->memory_bytes, fmt::format("memory of device `{}`", card->name)};
}

void require_arrays_fit(const plan::Plan& plan, const std::vector<std::int64_t>& size,
                        const paraiso_support::DeviceReport& card) {
  runtime::require_memory(
      size, [&](const auto& cells) { return codegen::largest_array_bytes(plan, cells); },
      {card.largest_bytes, fmt::format("in one array of device `{}`", card.name)});
}

}  // namespace paraiso::cli
