// card_memory: which memories a grid must fit into: a graphics card's and the host's, or the host's
// alone. Gives: bytes_of, MemoryNeed, memory_needs, memory_text. Needs: backend, solver_bytes,
// device_bytes, memory.
#pragma once

#include "paraiso/codegen/solver_bytes.hpp"
#include "paraiso/plan/plan.hpp"
#include "paraiso/runtime/backend/backend.hpp"
#include "paraiso/runtime/system/memory.hpp"

namespace paraiso::cli {

/// What an instance of a plan, which must live on, allocates where it computes.
[[nodiscard]] codegen::BytesOfSize bytes_of(const runtime::Backend& backend,
                                            const plan::Plan& plan);

/// What is needed of one memory, and what is left of it.
struct MemoryNeed {
  codegen::BytesOfSize bytes;
  runtime::MemoryLimit limit;
};

/// Of a solver that takes `solver` where it computes, and of a caller that takes `more` on the
/// host, which also has a copy of each field that lies on a device. Of a graphics card, one array
/// may have a limit of its own, which comes first.
[[nodiscard]] std::vector<MemoryNeed> memory_needs(const runtime::Backend& backend,
                                                   const plan::Plan& plan,
                                                   const codegen::BytesOfSize& solver,
                                                   const codegen::BytesOfSize& more);

/// "takes 3.0 MiB of 15.1 GiB free memory of this machine", of both where there are two.
[[nodiscard]] std::string memory_text(const std::vector<MemoryNeed>& needs,
                                      const std::vector<std::int64_t>& size);

}  // namespace paraiso::cli
