// exchange_gene: whether a part of a grid computes while messages travel, `KERNEL/exchange`.
// Gives: kExchange, exchange_gene, genes_on_ranks, canonical_on_ranks, is_overlapped.
// Needs: genome.
//
// It concerns ranks alone. So the table of a program's genes does not have it, and a schedule that
// does not choose `overlapped` is the same with and without it; the table of a divided program
// does.
#pragma once

#include <functional>

#include "paraiso/om/graph/machine.hpp"
#include "paraiso/plan/schedule/genome.hpp"

namespace paraiso::plan {

inline constexpr const char* kExchange = "exchange";
inline constexpr const char* kBlocking = "blocking";
inline constexpr const char* kOverlapped = "overlapped";
inline constexpr const char* kExchangeHelp =
    "messages of ranks: awaited before a kernel runs, or while it computes what needs none";

[[nodiscard]] inline Gene exchange_gene(const om::Kernel& kernel) {
  return {kernel.name + "/" + kExchange, {kBlocking, kOverlapped}};
}

/// The table of a program whose grid is divided: that of one rank, then this gene of each kernel.
[[nodiscard]] inline std::vector<Gene> genes_on_ranks(const om::Machine& machine,
                                                      std::vector<Gene> table) {
  for (const om::Kernel& kernel : machine.kernels) table.push_back(exchange_gene(kernel));
  return table;
}

/// For genomes of a kernel on ranks, given that for those without this gene, which comes last: all
/// its alleles are legal.
[[nodiscard]] inline std::function<Genome(const Genome&)> canonical_on_ranks(
    std::function<Genome(const Genome&)> canonical) {
  return [canonical = std::move(canonical)](const Genome& genome) {
    Genome result = canonical({genome.begin(), genome.end() - 1});
    result.push_back(genome.back());
    return result;
  };
}

/// What a schedule chooses for a kernel.
[[nodiscard]] inline bool is_overlapped(const om::Kernel& kernel, const Schedule& schedule) {
  const auto chosen = schedule.choices.find(kernel.name + "/" + kExchange);
  return chosen != schedule.choices.end() && chosen->second == kOverlapped;
}

}  // namespace paraiso::plan
