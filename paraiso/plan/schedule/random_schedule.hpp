// random_schedule: schedules drawn at random from a gene table. Gives: random_schedule, vary.
// Needs: genes.
#pragma once

#include "paraiso/base/rng.hpp"
#include "paraiso/plan/schedule/genes.hpp"

namespace paraiso::plan {

/// Every gene drawn at random; not repaired.
[[nodiscard]] inline Schedule random_schedule(const std::vector<Gene>& genes, Rng& rng) {
  Schedule schedule;
  double storing = rng.unit();  // some schedules store nearly all, others nearly nothing
  for (const Gene& gene : genes) {
    bool storage = gene.alleles[0] == kInline;
    if (storage && !rng.chance(storing)) continue;
    std::size_t first = storage ? 1 : 0;
    schedule.choices[gene.name] = gene.alleles[first + rng.below(gene.alleles.size() - first)];
  }
  return schedule;
}

/// `schedule` with a random share of its genes, from none to all, drawn again; not repaired.
[[nodiscard]] inline Schedule vary(const std::vector<Gene>& genes, Schedule schedule, Rng& rng) {
  const double unit = rng.unit();
  const double share = unit * unit * unit;  // mostly few, so that the rest still fits together
  for (const Gene& gene : genes)
    if (rng.chance(share))
      schedule.choices[gene.name] = gene.alleles[rng.below(gene.alleles.size())];
  return schedule;
}

}  // namespace paraiso::plan
