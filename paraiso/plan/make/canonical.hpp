// canonical: genomes of repaired schedules. Gives: Canonical, encode, decode. Needs: genome,
// repair.
#pragma once

#include <memory>

#include "paraiso/om/machine.hpp"
#include "paraiso/plan/schedule/genome.hpp"

namespace paraiso::plan {

struct GeneTable;

/// From a genome of one kernel to that of its repaired schedule: equal results mean the same
/// program. Construct once, ask often.
class Canonical {
 public:
  /// The machine must have a kernel of that name.
  Canonical(const om::Machine& machine, std::string_view kernel);

  /// The gene table of the genomes.
  [[nodiscard]] const std::vector<Gene>& genes() const;
  [[nodiscard]] Genome operator()(const Genome& genome) const;

 private:
  std::shared_ptr<const om::Machine> machine_;
  const om::Kernel* kernel_;
  std::shared_ptr<const GeneTable> table_;
};

/// The letters of the repaired schedule.
[[nodiscard]] std::string encode(const om::Machine& machine, const Schedule& schedule);
/// The repaired schedule that the letters mean. Throws Error as `genome_from`.
[[nodiscard]] Schedule decode(const om::Machine& machine, std::string_view letters);

}  // namespace paraiso::plan
