// Schedule: every choice of how to run a program, as one plain value, and the table of its genes.
// Gives: Gene, Schedule, overlaid, print, parse, schedule_hash. Needs: om.
#pragma once

#include <map>

#include "paraiso/om/graph/machine.hpp"

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

/// `base` with the choices of `other` on top.
[[nodiscard]] Schedule overlaid(Schedule base, const Schedule& other);
/// `gene = allele` lines below a line with the program's hash.
[[nodiscard]] std::string print(const Schedule& schedule, const om::Machine& machine);
/// Of the machine's gene table; not repaired. Throws Error at `file`:line; a gene or allele that is
/// unknown names the nearest one.
[[nodiscard]] Schedule parse(std::string_view text, std::string_view file,
                             const om::Machine& machine, const std::vector<Gene>& genes);
[[nodiscard]] std::string schedule_hash(const Schedule& schedule);

}  // namespace paraiso::plan
