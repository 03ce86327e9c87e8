#include "cli/execution/card_memory.hpp"

#include <fmt/format.h>

#include "paraiso/codegen/device/lower/device_bytes.hpp"

namespace paraiso::cli {
namespace {

codegen::BytesOfSize sum_of(const codegen::BytesOfSize& one, const codegen::BytesOfSize& other) {
  return [=](const auto& size) { return one(size) + other(size); };
}

}  // namespace

codegen::BytesOfSize bytes_of(const runtime::Backend& backend, const plan::Plan& plan) {
  // Kernels that a compiler of their own compiles may become graphs.
  if (backend.chooses_device)
    return codegen::device_bytes(plan, backend.kernel_compilers != nullptr);
  return [&plan](const auto& size) { return codegen::solver_bytes(plan, size); };
}

std::vector<MemoryNeed> memory_needs(const runtime::Backend& backend, const plan::Plan& plan,
                                     const codegen::BytesOfSize& solver,
                                     const codegen::BytesOfSize& more) {
  runtime::MemoryLimit host = runtime::available_memory();
  if (!backend.chooses_device) return {{sum_of(solver, more), host}};
  const codegen::BytesOfSize on_host =
      sum_of([&plan](const auto& size) { return codegen::mirror_bytes(plan, size); }, more);
  const auto card = runtime::chosen_card(backend);
  if (!card) return {{sum_of(solver, on_host), host}};
  host.source = "on the host: " + host.source;
  return {{[&plan](const auto& size) { return codegen::largest_array_bytes(plan, size); },
           {card->largest_bytes, fmt::format("in one array of device `{}`", card->name)}},
          {solver, {card->memory_bytes, fmt::format("memory of device `{}`", card->name)}},
          {on_host, host}};
}

std::string memory_text(const std::vector<MemoryNeed>& needs,
                        const std::vector<std::int64_t>& size) {
  std::string text = "takes";
  for (std::size_t n = needs.size() > 1 ? 1 : 0; n < needs.size(); ++n)
    text += fmt::format("{} {} of {} {}", text == "takes" ? "" : ", and",
                        runtime::bytes_text(needs[n].bytes(size)),
                        runtime::bytes_text(needs[n].limit.bytes), needs[n].limit.source);
  return text;
}

}  // namespace paraiso::cli
