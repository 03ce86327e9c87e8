#include "paraiso/plan/make/random_schedule.hpp"

#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/schedule/genes.hpp"

namespace paraiso::plan {

Schedule random_schedule(const om::Machine& machine, Rng& rng) {
  Schedule schedule;
  double storing = rng.unit();  // some schedules store nearly all, others nearly nothing
  for (const auto& gene : genes(machine)) {
    bool storage = gene.alleles[0] == kInline;
    if (storage && !rng.chance(storing)) continue;
    std::size_t first = storage ? 1 : 0;
    schedule.choices[gene.name] = gene.alleles[first + rng.below(gene.alleles.size() - first)];
  }
  return repair(machine, schedule);
}

Schedule vary(const om::Machine& machine, Schedule schedule, Rng& rng) {
  const double unit = rng.unit();
  const double share = unit * unit * unit;  // mostly few, so that the rest still fits together
  for (const auto& gene : genes(machine))
    if (rng.chance(share))
      schedule.choices[gene.name] = gene.alleles[rng.below(gene.alleles.size())];
  return repair(machine, schedule);
}

}  // namespace paraiso::plan
