#include "cli/card_memory.hpp"

#include <fmt/format.h>

#include "paraiso/codegen/solver_bytes.hpp"

namespace paraiso::cli {

runtime::MemoryLimit memory_for(const runtime::Backend& backend, const plan::Plan& plan,
                                const std::vector<std::int64_t>& size) {
  const auto card = runtime::chosen_card(backend);
  if (!card) return runtime::available_memory();
  runtime::require_memory(
      size, [&](const auto& cells) { return codegen::largest_array_bytes(plan, cells); },
      {card->largest_bytes, fmt::format("in one array of device `{}`", card->name)});
  return {card->memory_bytes, fmt::format("memory of device `{}`", card->name)};
}

}  // namespace paraiso::cli
