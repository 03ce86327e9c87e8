// exchange_gene: whether a part of a grid computes while messages travel, `KERNEL/exchange`.
// Gives: kExchange, exchange_gene, is_overlapped. Needs: schedule.
//
// It concerns ranks alone. So no table of genes has it: tuners measure one rank, and a schedule
// that does not choose `overlapped` is the same with and without it.
#pragma once

#include "paraiso/om/machine.hpp"
#include "paraiso/plan/schedule/schedule.hpp"

namespace paraiso::plan {

inline constexpr const char* kExchange = "exchange";
inline constexpr const char* kBlocking = "blocking";
inline constexpr const char* kOverlapped = "overlapped";
inline constexpr const char* kExchangeHelp =
    "messages of ranks: awaited before a kernel runs, or while it computes what needs none";

[[nodiscard]] inline Gene exchange_gene(const om::Kernel& kernel) {
  return {kernel.name + "/" + kExchange, {kBlocking, kOverlapped}};
}

/// What a schedule chooses for a kernel.
[[nodiscard]] inline bool is_overlapped(const om::Kernel& kernel, const Schedule& schedule) {
  const auto chosen = schedule.choices.find(kernel.name + "/" + kExchange);
  return chosen != schedule.choices.end() && chosen->second == kOverlapped;
}

}  // namespace paraiso::plan
