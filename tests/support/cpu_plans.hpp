// What the plan's tests say most often, for the options of a processor. Gives: genes, repair,
// random_schedule and vary (repaired), skewed, parse, make_plan, encode and decode (letters).
// Needs: plan.
#pragma once

#include "paraiso/plan/cpu/cpu_plan.hpp"
#include "paraiso/plan/make/make_plan.hpp"
#include "paraiso/plan/make/repair.hpp"
#include "paraiso/plan/schedule/genes.hpp"
#include "paraiso/plan/schedule/genome.hpp"
#include "paraiso/plan/schedule/random_schedule.hpp"
#include "paraiso/plan/schedule/skew_genes.hpp"

namespace paraiso::plan {

inline std::vector<Gene> genes(const om::Machine& machine) { return genes(machine, cpu_options); }
inline std::vector<Gene> genes(const om::Kernel& kernel) { return genes(kernel, cpu_options); }

inline Schedule repair(const om::Machine& machine, const Schedule& schedule) {
  return repair(machine, schedule, cpu_options);
}
inline Schedule repair(const om::Machine& machine, const om::Kernel& kernel,
                       const Schedule& schedule) {
  return repair(machine, kernel, schedule, cpu_options);
}

inline Schedule random_schedule(const om::Machine& machine, Rng& rng) {
  return repair(machine, random_schedule(genes(machine), rng));
}
/// `schedule` with storage shifted at random.
inline Schedule skewed(const om::Machine& machine, const Schedule& schedule, Rng& rng) {
  return overlaid(schedule, vary(skew_genes(machine), {}, rng));
}
inline Schedule vary(const om::Machine& machine, const Schedule& schedule, Rng& rng) {
  return repair(machine, vary(genes(machine), schedule, rng));
}

inline Schedule parse(std::string_view text, std::string_view file, const om::Machine& machine) {
  return parse(text, file, machine, genes(machine));
}

inline Plan make_plan(const om::Machine& machine, const Schedule& schedule) {
  return cpu_plan(machine, schedule);
}

/// The letters of the repaired schedule.
inline std::string encode(const om::Machine& machine, const Schedule& schedule) {
  const std::vector<Gene> table = genes(machine);
  return letters_of(table, genome_of(table, repair(machine, schedule)));
}
/// The repaired schedule that the letters mean.
inline Schedule decode(const om::Machine& machine, std::string_view letters) {
  const std::vector<Gene> table = genes(machine);
  return repair(machine, schedule_of(table, genome_from(table, letters)));
}

}  // namespace paraiso::plan
