// Schedule: every choice of how to run a program, as one plain value, and the table of its genes.
// Gives: Gene, Schedule, genes, repair, overlaid, default_schedule, random_schedule, vary, print,
// parse.
// Needs: om, passes.
#pragma once

#include <map>

#include "paraiso/base/rng.hpp"
#include "paraiso/om/machine.hpp"

namespace paraiso::plan {

/// One choice: a stable structural name and the alleles that it may take; alleles[0] is its
/// default.
struct Gene {
  std::string name;
  std::vector<std::string> alleles;
  friend bool operator==(const Gene&, const Gene&) = default;
};

/// gene name -> allele. A gene that is missing takes its default. Any Schedule can be repaired into
/// a legal one; make_plan does so first.
struct Schedule {
  std::map<std::string, std::string> choices;
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// The genes of a (already passed through `passes::prepare`) program, in canonical order.
[[nodiscard]] std::vector<Gene> genes(const om::Machine& machine);
/// Those of one of its kernels.
[[nodiscard]] std::vector<Gene> genes(const om::Kernel& kernel);
/// The nearest legal schedule, canonical: every gene present, unknown genes dropped.
[[nodiscard]] Schedule repair(const om::Machine& machine, const Schedule& schedule);
/// Of one of the machine's kernels alone: its genes and no others.
[[nodiscard]] Schedule repair(const om::Machine& machine, const om::Kernel& kernel,
                              const Schedule& schedule);
/// `base`, but for what `other` chooses.
[[nodiscard]] Schedule overlaid(Schedule base, const Schedule& other);
/// What runs untuned: chosen by the cost model.
[[nodiscard]] Schedule default_schedule(const om::Machine& machine);
/// Every gene drawn at random, repaired.
[[nodiscard]] Schedule random_schedule(const om::Machine& machine, Rng& rng);
/// `schedule` with some share of its genes, from none to all, drawn anew; repaired.
[[nodiscard]] Schedule vary(const om::Machine& machine, Schedule schedule, Rng& rng);

/// `gene = allele` lines below a line with the program's hash.
[[nodiscard]] std::string print(const Schedule& schedule, const om::Machine& machine);
/// Throws Error at `file`:line; a gene or allele that is unknown names the nearest one.
[[nodiscard]] Schedule parse(std::string_view text, std::string_view file,
                             const om::Machine& machine);
[[nodiscard]] std::string schedule_hash(const Schedule& schedule);

}  // namespace paraiso::plan
